"""What a run may draw: terms of a Root, answers, faults.

Source: design.md D10, D17.
"""

from __future__ import annotations

from hypothesis import strategies as st

from tests.machine.answering import FAILURES, TOOLS, VALID
from tests.machine.facts import Terms

MOST_ROOTS = 3
PICK = st.integers(0, 5)
ANSWER = st.sampled_from(("valid",) * 14 + VALID * 3 + TOOLS * 2 + FAILURES)
ANSWERS = st.lists(ANSWER, max_size=6)
# None: nothing happens; 1: the acknowledgement is lost; k: the line is cut before the k-th statement.
CUT = st.one_of(st.none(), st.none(), st.none(), st.just(1), st.integers(2, 24))
TERMS = st.builds(
    Terms,
    wish=st.sampled_from(["auto", "auto", "require", "exclude"]),
    rounds=st.integers(1, 3),
    policy=st.sampled_from(["end", "hold", "reask"]),
    calls=st.sampled_from([9, 11, 14, 40, 40]),
    tools=st.sampled_from([0, 5, 60]),
    seconds=st.sampled_from([400, 1800]),
    finalize_seconds=st.just(240),
    unread=st.just(""),
)
UNEQUAL = st.builds(
    Terms,
    wish=st.just("require"),
    rounds=st.integers(1, 3),
    policy=st.sampled_from(["end", "hold", "reask"]),
    calls=st.just(40),
    tools=st.just(60),
    seconds=st.just(1800),
    finalize_seconds=st.just(240),
    unread=st.sampled_from(["bull", "bear"]),
)
