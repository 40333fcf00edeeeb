"""Narrowed sources: who may read them, private research for Main, what an exchange is built from."""

from __future__ import annotations

import json

import pytest

from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from bullbear.models import RequestPart
from dialogue.models import PeerMessage
from research.models import Finding, ToolCall
from tests.scripted import (
    BEAR_OPENING,
    BEAR_RESEARCH,
    SYNTHESIS,
    a_challenge,
    a_finding,
    a_synthesis,
    asks_for,
    challenge_in,
    nothing_further,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene, text_of

PORTFOLIO = ("read_source", {"source": "S1", "offset": 0, "limit": 1})
FUND = ("read_source", {"source": "S2", "offset": 0, "limit": 1})
STANDS = says(SYNTHESIS, a_synthesis(C1="stands", C2="stands"))
WITHDRAWN = says(SYNTHESIS, a_synthesis(C1="withdrawn", C2="stands"))
SECRET = "Client 7731 holds sixty percent already"
RESEARCHED = (
    asks_for(BEAR_RESEARCH, PORTFOLIO),
    says(BEAR_RESEARCH, a_finding(SECRET, evidence=["T1"])),
)


def bodies(scene: Scene, role: Role) -> bytes:
    """All that an execution was ever sent."""
    return b"".join(load_bytes(one.body) for one in scene.requests(role))


def source(scene: Scene, number: int) -> str:
    return str(scene.root.sources.get(number=number).source_id)


@pytest.mark.usefixtures("database")
class TestNarrowedSource:
    """A source that the request lets only one side read."""

    def test_is_issued_to_that_side_and_main(self, narrowed: OpenScene) -> None:
        """The configuration freezes who may read it; the authorizations follow from it. Scenario H01."""
        scene = narrowed(*RESEARCHED)
        scene.step(Role.MAIN)
        portfolio, fund = source(scene, 1), source(scene, 2)
        own = f"root:{scene.root.pk}"
        assert scene.root.configuration["readable"] == {portfolio: ["bear"]}
        assert {
            role: scene.child(role).authorization["labels"] for role in Role if role in ISSUED
        } == {
            Role.MAIN: sorted([own, portfolio, fund]),
            Role.BULL: sorted([own, fund]),
            Role.BEAR: sorted([own, portfolio, fund]),
        }
        assert "research" in scene.child(Role.BEAR).authorization["acts"]
        assert "research" not in scene.child(Role.BULL).authorization["acts"]
        scene.check()

    def test_is_not_there_for_the_other_side(self, narrowed: OpenScene) -> None:
        """Not a byte of it, and not its name, stands in any request of Bull's. Scenarios G08, H01."""
        scene = narrowed(*RESEARCHED, WITHDRAWN)
        scene.end()
        sent = bodies(scene, Role.BULL)
        assert b"portfolio.csv" not in sent
        assert SECRET.encode() not in sent
        bulls = RequestPart.objects.filter(request__child=scene.child(Role.BULL))
        assert not bulls.filter(lineage__contains=[source(scene, 1)]).exists()


ISSUED = (Role.MAIN, Role.BULL, Role.BEAR)


@pytest.mark.usefixtures("database")
class TestPrivateResearch:
    """A separate chain of requests, whose result is a finding for Main only."""

    def test_comes_before_the_opening_and_is_a_finding(self, narrowed: OpenScene) -> None:
        """Its text, lineage and act are on record; the opening is another turn. D14."""
        scene = narrowed(*RESEARCHED)
        scene.step(Role.MAIN)
        scene.step(Role.BEAR)
        asked = [(one.purpose, one.turn, one.n) for one in scene.requests(Role.BEAR)]
        assert asked == [("research", 0, 1), ("research", 0, 2), ("opening", 1, 1)]
        [finding] = Finding.objects.filter(root=scene.root)
        request = scene.requests(Role.BEAR, "research")[1]
        assert (finding.kind, finding.reason) == ("private_research", "")
        assert text_of(finding, "text") == SECRET
        assert (finding.request, finding.act) == (request, f"{request.pk}:0")
        assert source(scene, 1) in finding.lineage
        scene.check()

    def test_stands_in_mains_synthesis_and_nowhere_else(self, narrowed: OpenScene) -> None:
        """Bear's own opening and challenge are built without it, and pass. Scenarios H04, H05."""
        scene = narrowed(*RESEARCHED, WITHDRAWN)
        root = scene.end()
        shown = RequestPart.objects.filter(request__root=root, kind="finding")
        assert [one.request.purpose for one in shown] == ["synthesis"]
        private = ToolCall.objects.get(root=root)
        purposes = {
            one.request.purpose
            for one in RequestPart.objects.filter(request__root=root, record=str(private.pk))
        }
        assert purposes == {"research", "synthesis"}
        assert [one.kind for one in scene.messages()] == ["challenge", "response"]
        assert (scene.pair.end_reason, root.result) == ("settled", "complete")

    def test_keeps_its_tool_results_though_they_are_public(self, narrowed: OpenScene) -> None:
        """What was asked for in private enters no opening and no exchange, whatever it rests on. D14."""
        scene = narrowed(
            asks_for(BEAR_RESEARCH, FUND),
            says(BEAR_RESEARCH, a_finding(evidence=["T1"])),
            WITHDRAWN,
        )
        root = scene.end()
        [call] = ToolCall.objects.filter(root=root)
        assert call.lineage == sorted([f"root:{root.pk}", source(scene, 2)])
        where = RequestPart.objects.filter(request__root=root, record=str(call.pk))
        assert {one.request.purpose for one in where} == {"research", "synthesis"}

    def test_that_brings_nothing_fails_its_execution(self, narrowed: OpenScene) -> None:
        """After one further attempt the execution fails; the other side's work is kept. D10."""
        scene = narrowed(
            says(BEAR_RESEARCH, "no JSON", times=2), says(SYNTHESIS, a_synthesis(C1="stands"))
        )
        root = scene.end()
        assert scene.child(Role.BEAR).state == "failed"
        assert (root.end_reason, root.result) == ("participant_ended", "partial")
        assert "no_opening" in scene.gap_codes()


@pytest.mark.usefixtures("database")
class TestExchange:
    """Opening and exchange are built from what both may see."""

    def test_tools_of_an_opening_read_what_both_may(self, narrowed: OpenScene) -> None:
        """A listing in an opening does not hold the other's material, so that the opening may be shown."""
        scene = narrowed(*RESEARCHED, asks_for(BEAR_OPENING, ("list_sources", {})), WITHDRAWN)
        scene.end()
        listing = ToolCall.objects.get(root=scene.root, name="list_sources")
        assert listing.used == [source(scene, 2)]
        assert scene.pair.end_reason == "settled"

    def test_refuses_what_rests_on_it_and_takes_the_public_substitute(
        self, narrowed: OpenScene
    ) -> None:
        """The challenge on the portfolio is refused; the next, on the fund alone, passes. H01, H02, H03."""
        scene = narrowed(
            *RESEARCHED,
            asks_for(challenge_in(1), PORTFOLIO),
            asks_for(challenge_in(2), FUND),
            says(challenge_in(2), a_challenge("C1", evidence=["T3"])),
            STANDS,
        )
        root = scene.end()
        assert [half[:3] for half in scene.halves()][:2] == [
            (1, "challenge", "refused"),
            (2, "challenge", "accepted"),
        ]
        [message] = PeerMessage.objects.filter(root=root, kind="challenge")
        assert message.lineage == sorted([f"root:{root.pk}", source(scene, 2)])
        kinds = Finding.objects.filter(root=root).order_by("number").values_list("kind", flat=True)
        assert list(kinds) == ["private_research", "refused_send"]
        assert ("send_refused", Finding.objects.get(root=root, number=2).act) in scene.gaps()

    def test_forgets_protected_results_from_turn_to_turn(self, narrowed: OpenScene) -> None:
        """What was asked for in round 1 does not stand in round 2 by itself. Scenario H03."""
        scene = narrowed(
            *RESEARCHED,
            asks_for(challenge_in(1), PORTFOLIO),
            says(challenge_in(2), nothing_further()),
            STANDS,
        )
        scene.end()
        last = scene.requests(Role.BEAR, "challenge")[-1]
        assert last.lineage == [f"root:{scene.root.pk}"]
        assert "T2" not in json.loads(load_bytes(last.body))["messages"][-1]["content"]
