"""Which evidence handles an execution was shown.

Source: design.md D12, D14; scenario F15.
"""

from __future__ import annotations

from bullbear.models import Child
from research.authority import may_see
from research.case import Case
from research.rules import Purpose


def shown_to(case: Case, child: Child, purpose: Purpose = Purpose.OPENING) -> frozenset[str]:
    """Name the tool calls and sources that an execution was shown a result of.

    A refused call shows nothing; a source counts once a result rested on it.  What was shown for private
    research is evidence for that alone.
    """
    private = purpose is Purpose.RESEARCH
    own = [call for call in case.tools_of(child, private=private) if not call.refusal]
    used = {source for call in own for source in call.used}
    sources = [
        f"S{number}"
        for number, source in enumerate(case.configuration["sources"], start=1)
        if source in used and may_see(child.authorization, [source])
    ]
    return frozenset([*(f"T{call.number}" for call in own), *sources])
