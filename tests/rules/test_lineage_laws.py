"""Labels form a lattice: they are joined, never lost, and what they forbid stays forbidden over any hops.

Source: design.md D14; scenarios H03, H04, H05, H10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from bullbear.bodies import Piece, Pieces, write
from bullbear.lifecycle import Role
from dialogue.rules import SendRefusal, decide_send
from research.authority import both_may_see, issue, may_see, readable_sources, root_label

ROOT = UUID(int=1)
SOURCES = [UUID(int=number) for number in range(2, 7)]
LABELS = st.frozensets(st.sampled_from([root_label(ROOT), *map(str, SOURCES)]))
READABLE = st.frozensets(st.sampled_from(SOURCES))


def holder(sources: frozenset[UUID], role: Role = Role.BEAR) -> dict[str, Any]:
    return dict(issue(root_id=ROOT, role=role, sources=sources, tools=()))


def lineage_of(*parts: frozenset[str]) -> frozenset[str]:
    """The lineage of a request that holds texts of these lineages."""
    pieces = tuple(Piece("x", "message", str(at), part) for at, part in enumerate(parts))
    return write({"messages": [{"role": "user", "content": Pieces(pieces)}]}).lineage


class TestJoin:
    """A request's lineage is the union of its parts'."""

    @given(LABELS, LABELS, LABELS)
    def test_is_the_same_in_any_order_and_grouping(
        self, a: frozenset[str], b: frozenset[str], c: frozenset[str]
    ) -> None:
        assert lineage_of(a, b) == lineage_of(b, a)
        assert lineage_of(lineage_of(a, b), c) == lineage_of(a, lineage_of(b, c))

    @given(LABELS)
    def test_with_itself_or_with_nothing_changes_nothing(self, a: frozenset[str]) -> None:
        assert lineage_of(a, a) == lineage_of(a) == lineage_of(a, frozenset()) == a

    @given(st.lists(LABELS, min_size=1))
    def test_loses_no_label_and_adds_none(self, parts: list[frozenset[str]]) -> None:
        joined = lineage_of(*parts)
        assert all(part <= joined for part in parts)
        assert joined == frozenset().union(*parts)


class TestMaySee:
    """A whole lineage is covered, or the text is not shown."""

    @given(READABLE, LABELS, LABELS)
    def test_both_of_two_texts_where_their_join_may_be_seen(
        self, readable: frozenset[UUID], a: frozenset[str], b: frozenset[str]
    ) -> None:
        who = holder(readable)
        assert may_see(who, lineage_of(a, b)) == (may_see(who, a) and may_see(who, b))

    @given(READABLE, READABLE, LABELS)
    def test_what_two_have_in_common_where_each_may(
        self, one: frozenset[UUID], other: frozenset[UUID], lineage: frozenset[str]
    ) -> None:
        both = both_may_see(holder(one), holder(other, Role.BULL))
        each = may_see(holder(one), lineage) and may_see(holder(other, Role.BULL), lineage)
        assert (lineage <= both) == each

    @given(READABLE, LABELS, st.sampled_from(SOURCES))
    def test_no_less_with_a_further_grant(
        self, readable: frozenset[UUID], lineage: frozenset[str], more: UUID
    ) -> None:
        assert not may_see(holder(readable), lineage) or may_see(
            holder(readable | {more}), lineage
        )

    @given(READABLE, LABELS)
    def test_is_what_a_send_asks(self, readable: frozenset[UUID], lineage: frozenset[str]) -> None:
        """The whole-text check: not the cited ids, the whole lineage. Scenario H02."""
        recipient = holder(readable)
        refusal = decide_send(
            act="respond", issued=["respond"], lineage=lineage, recipient=recipient["labels"]
        )
        seen = may_see(recipient, lineage)
        assert refusal is (None if seen else SendRefusal.REFUSED_SCOPE)


class TestReadableSources:
    """A request narrows; it never widens."""

    @given(
        st.dictionaries(st.sampled_from(SOURCES), st.frozensets(st.sampled_from(["bull", "bear"])))
    )
    def test_are_among_the_roots_and_whole_for_main(
        self, narrowed: dict[UUID, frozenset[str]]
    ) -> None:
        configuration = {
            "sources": list(map(str, SOURCES)),
            "readable": {str(source): sorted(roles) for source, roles in narrowed.items()},
        }
        for role in Role:
            readable = readable_sources(configuration, role)
            hidden = {str(one) for one, roles in narrowed.items() if str(role) not in roles}
            whole = role not in {Role.RESEARCHER, Role.BULL, Role.BEAR}
            expected = [s for s in configuration["sources"] if whole or s not in hidden]
            assert readable == expected


@dataclass(frozen=True)
class Said:
    """A text, with what it really rests on beside the label it carries."""

    author: Role
    rests_on: frozenset[UUID]
    lineage: frozenset[str]


SPEAKERS = (Role.BULL, Role.BEAR)
TURN = st.tuples(st.sampled_from(SPEAKERS), st.frozensets(st.sampled_from(SOURCES), max_size=2))


class TestHops:
    """Over any number of hops nothing that is protected reaches who may not see it. Scenario H05."""

    @given(READABLE, READABLE, st.lists(TURN, max_size=12))
    def test_a_label_goes_where_the_text_goes(
        self,
        bulls: frozenset[UUID],
        bears: frozenset[UUID],
        turns: list[tuple[Role, frozenset[UUID]]],
    ) -> None:
        """Each turn holds every message so far, and what its author reads; an unlawful one is refused."""
        held = {Role.BULL: holder(bulls, Role.BULL), Role.BEAR: holder(bears)}
        may_read = {Role.BULL: bulls, Role.BEAR: bears}
        messages: list[Said] = []
        for author, wanted in turns:
            read = wanted & may_read[author]
            lineage = lineage_of(
                frozenset({root_label(ROOT)}),
                frozenset(map(str, read)),
                *(message.lineage for message in messages),
            )
            rests_on = read.union(*(message.rests_on for message in messages))
            peer = Role.BEAR if author is Role.BULL else Role.BULL
            refusal = decide_send(
                act="say", issued=["say"], lineage=lineage, recipient=held[peer]["labels"]
            )
            if refusal is None:
                messages.append(Said(author, rests_on, lineage))
        for message in messages:
            assert message.rests_on <= bulls & bears
            assert set(map(str, message.rests_on)) <= message.lineage
