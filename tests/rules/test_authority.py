"""What an execution may do and see: issued, compared by structure, never widened.  design.md D14, D15."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullbear.identity import NotCanonical
from bullbear.lifecycle import Role
from research.authority import (
    ACTS,
    NEEDED_IN_A_PAIR,
    authorization_digest,
    desk_scope,
    issue,
    may_act,
    may_see,
    may_use,
    root_label,
)

ROOT = UUID("01980000-0000-7000-8000-000000000001")
FUND = UUID("01980000-0000-7000-8000-00000000000f")
NOTE = UUID("01980000-0000-7000-8000-00000000000e")
LABELS = [root_label(ROOT), str(FUND), str(NOTE)]
lineages = st.frozensets(st.sampled_from(LABELS))


def issued(role: Role = Role.BULL, *sources: UUID) -> dict[str, Any]:
    return dict(issue(root_id=ROOT, role=role, sources=sources, tools=["look_through", "a_tool"]))


def covering(labels: frozenset[str]) -> dict[str, Any]:
    return {"labels": sorted(labels)}


class TestIssue:
    def test_writes_what_one_execution_may_do(self) -> None:
        assert issued(Role.BULL, FUND, NOTE) == {
            "v": 1,
            "root": str(ROOT),
            "role": "bull",
            "acts": ["opening", "respond", "no_further"],
            "labels": sorted(LABELS),
            "tools": ["a_tool", "look_through"],
        }

    @pytest.mark.parametrize("role", [Role.MAIN, Role.REGISTRAR, Role.CRITIC])
    def test_gives_no_tool_to(self, role: Role) -> None:
        assert issued(role)["tools"] == []

    @pytest.mark.parametrize("role", list(Role))
    def test_always_covers_the_roots_own_scope(self, role: Role) -> None:
        assert may_see(issued(role), [root_label(ROOT)])

    def test_does_not_depend_on_the_order_of_its_sources(self) -> None:
        one, other = issued(Role.BULL, FUND, NOTE), issued(Role.BULL, NOTE, FUND)
        assert authorization_digest(one) == authorization_digest(other)


class TestActs:
    def test_no_side_is_issued_the_others_half_round(self) -> None:
        assert not {"challenge", "proposition"} & set(ACTS[Role.BULL])
        assert "respond" not in ACTS[Role.BEAR]

    @pytest.mark.parametrize("role", list(NEEDED_IN_A_PAIR))
    def test_a_pair_needs_only_what_its_roles_are_issued(self, role: Role) -> None:
        assert NEEDED_IN_A_PAIR[role] <= set(ACTS[role])

    @pytest.mark.parametrize("role", list(Role))
    def test_nobody_is_issued_to_trade(self, role: Role) -> None:
        words = {"trade", "order", "execute", "buy", "sell", "transfer", "write"}
        assert words.isdisjoint(ACTS[role])

    def test_may_act_names_only_what_was_issued(self) -> None:
        assert may_act(issued(Role.BEAR), "challenge")
        assert not may_act(issued(Role.BEAR), "respond")
        assert not may_act(issued(Role.BEAR), "")

    def test_may_use_names_only_what_was_issued(self) -> None:
        assert may_use(issued(), "look_through")
        assert not may_use(issued(), "place_order")
        assert not may_use(issued(Role.MAIN), "look_through")


class TestAuthorizationDigest:
    def test_is_of_the_structure_not_of_the_order_of_keys(self) -> None:
        """Scenario H08."""
        one = issued()
        turned = dict(reversed(list(one.items())))
        assert authorization_digest(one) == authorization_digest(turned)

    @pytest.mark.parametrize(
        "changed",
        [
            pytest.param({"labels": [*LABELS, "more"]}, id="a label more"),
            pytest.param({"acts": ["opening", "respond", "no_further", "challenge"]}, id="an act"),
            pytest.param({"role": "bear"}, id="another role"),
            pytest.param({"v": True}, id="true is not 1"),
            pytest.param({"v": "1"}, id="a text is no number"),
            pytest.param({"extra": None}, id="a field that is null"),
        ],
    )
    def test_changes_with(self, changed: dict[str, Any]) -> None:
        """Scenario H08."""
        one = issued(Role.BULL, FUND, NOTE)
        assert authorization_digest(one) != authorization_digest({**one, **changed})

    def test_refuses_a_float(self) -> None:
        with pytest.raises(NotCanonical):
            authorization_digest({**issued(), "v": 1.0})


class TestMaySee:
    """The laws that make a union of lineages safe to compare with one set of labels."""

    @given(lineages)
    def test_nothing_depends_on_nothing(self, labels: frozenset[str]) -> None:
        assert may_see(covering(labels), [])

    @given(lineages)
    def test_whoever_holds_a_label_may_see_what_depends_on_it(
        self, labels: frozenset[str]
    ) -> None:
        assert may_see(covering(labels), labels)

    @given(lineages, lineages, lineages)
    def test_a_union_is_visible_where_both_parts_are(
        self, one: frozenset[str], other: frozenset[str], labels: frozenset[str]
    ) -> None:
        both = may_see(covering(labels), one) and may_see(covering(labels), other)
        assert may_see(covering(labels), one | other) is both

    @given(lineages, lineages, lineages)
    def test_more_labels_never_show_less(
        self, lineage: frozenset[str], labels: frozenset[str], more: frozenset[str]
    ) -> None:
        if may_see(covering(labels), lineage):
            assert may_see(covering(labels | more), lineage)

    @given(lineages, lineages)
    def test_two_who_share_labels_share_what_they_may_see(
        self, one: frozenset[str], other: frozenset[str]
    ) -> None:
        for label in LABELS:
            shared = may_see(covering(one), [label]) and may_see(covering(other), [label])
            assert may_see(covering(one & other), [label]) is shared

    def test_a_label_twice_is_one_label(self) -> None:
        assert may_see(covering(frozenset({"a"})), ["a", "a"])

    def test_no_label_stands_for_another(self) -> None:
        assert not may_see(covering(frozenset({"root:1"})), ["root:12"])
        assert not may_see(covering(frozenset({str(FUND)})), [str(FUND).upper()])


def test_a_desks_scope_is_no_root_label() -> None:
    assert desk_scope("demo") == "desk:demo"
    assert not desk_scope("x").startswith("root:")
