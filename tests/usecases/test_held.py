"""What is written under the Root lock is written under the lease that was read, or not at all.

Source: design.md D7, Note [Leases].
"""

from __future__ import annotations

from uuid import uuid4

import pytest

from bullbear.lifecycle import Role
from bullbear.locks import StaleLease, hold_root
from bullbear.transactions import transaction
from tests.usecases.conftest import OpenScene


@pytest.mark.usefixtures("database")
class TestHeld:
    def test_writes_no_execution_whose_lease_is_another(self, opened: OpenScene) -> None:
        """A stale token touches no row, and nothing else of its transaction stands. Scenario A19."""
        scene = opened()
        main = scene.child(Role.MAIN)
        main.lease_token = uuid4()
        with pytest.raises(StaleLease), transaction(), hold_root(scene.root.pk) as held:
            held.change(main, wakes=main.wakes + 1)
        assert scene.child(Role.MAIN).wakes == main.wakes - 1
        scene.check()
