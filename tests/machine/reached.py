"""What a Root has come through, by name: a machine that never gets to a second round is noticed."""

from __future__ import annotations

from tests.machine.facts import Root


def milestones(root: Root) -> set[str]:
    """Name what a Root has come through."""
    rounds = max((half.round for half in root.halves), default=0)
    found = {f"pattern {root.pattern or 'none'}", f"root {root.state}", f"result {root.result}"}
    found |= {f"round {number}" for number in range(1, rounds + 1)}
    found |= {f"half-round {one.outcome}" for one in root.halves}
    found |= {f"request {one.state}" for one in root.requests}
    found |= {f"outcome {one.outcome}" for one in root.requests}
    found |= {f"decision {one.decision}" for one in root.requests if one.decision}
    found |= {
        f"rescue {number}"
        for child in root.children.values()
        for number in range(1, child.rescues + 1)
    }
    if root.pair_end:
        found.add(f"pair {root.pair_end}")
    if root.end_reason:
        found.add(f"no pair {root.end_reason}")
    if any(one.late for one in root.requests):
        found.add("late answer")
    if any(fired for _, fired in root.timers):
        found.add("timer fired")
    return found
