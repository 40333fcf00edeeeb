"""What must hold after every scenario, whatever happened in it: the product's own oracle, as a test asks it.

Source: scenarios.md, the oracle; its statements are in `audit/oracle`.
"""

from __future__ import annotations

from collections.abc import Iterable

from audit.oracle import Arrival, look_at
from bullbear.models import Root


def check(root: Root, hits: Iterable[Arrival] | None = None) -> None:
    """Check every statement that can be checked of a Root, running or ended.

    Args:
        root: read again here.
        hits: what arrived at the provider, if the scenario had one of its own.
    """
    root.refresh_from_db()
    assert [str(one) for one in look_at(root.pk, hits)] == []
