"""The claim register: what is on record, and what moves it."""

from __future__ import annotations

from typing import Any

import pytest

from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from bullbear.locks import hold_root
from bullbear.transactions import transaction
from dialogue.case import load_case
from dialogue.models import Claim, ClaimMove, PeerMessage
from tests.factories import plan_a_dialogue
from tests.scripted import (
    BULL_OPENING,
    COUNTER_QUOTE,
    RESPONSE,
    RESPONSE_QUOTE,
    SYNTHESIS,
    a_challenge,
    a_proposition,
    a_response,
    a_synthesis,
    an_opening,
    asks_for,
    challenge_in,
    nothing_further,
    response_in,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene, text_of

TWO_CLAIMS = says(BULL_OPENING, an_opening("One fund more", "Costs stay low"))
QUIET = says(challenge_in(2), nothing_further())
TWO_QUOTES = "I keep the first and give up the second"


def statuses(scene: Scene) -> dict[str, str]:
    with transaction(), hold_root(scene.root.pk) as held:
        case = load_case(held)
        return {f"C{one.number}": str(case.status(one)) for one in case.claims}


def moves(scene: Scene) -> list[tuple[str, str, str, str]]:
    found = ClaimMove.objects.filter(claim__root=scene.root).order_by("pk")
    return [
        (f"C{one.claim.number}", one.move, f"M{one.message.number}", text_of(one, "quote"))
        for one in found.select_related("claim", "message")
    ]


def until_messages(scene: Scene, count: int) -> None:
    scene.run(lambda: PeerMessage.objects.filter(root=scene.root).count() >= count)


@pytest.mark.usefixtures("database")
class TestRecordedClaim:
    """Claims come from the structure of openings."""

    def test_is_numbered_over_both_openings(self, opened: OpenScene) -> None:
        """Handles are dense, in the order of acceptance; authors are known."""
        scene = opened(TWO_CLAIMS)
        scene.step(Role.MAIN)
        scene.step(Role.BEAR)
        scene.step(Role.BULL)
        found = Claim.objects.filter(root=scene.root).order_by("number")
        assert [(one.number, one.author.role) for one in found] == [
            (1, "bear"),
            (2, "bull"),
            (3, "bull"),
        ]
        assert statuses(scene) == {"C1": "OPEN", "C2": "OPEN", "C3": "OPEN"}

    def test_stays_without_an_exchange(self, opened: OpenScene) -> None:
        """Bear asks nothing: every claim stays open and is disposed of. J01, J05."""
        scene = opened(
            says(challenge_in(1), nothing_further()),
            says(SYNTHESIS, a_synthesis(C1="stands", C2="unresolved")),
        )
        scene.end()
        assert statuses(scene) == {"C1": "OPEN", "C2": "OPEN"}


@pytest.mark.usefixtures("database")
class TestMoveByChallenge:
    """What an accepted challenge does to the claims it is about."""

    def test_contests_each_claim_with_its_counter_quote(self, opened: OpenScene) -> None:
        """The move quotes the counter-evidence, verbatim, and names the message."""
        scene = opened(TWO_CLAIMS, says(challenge_in(1), a_challenge("C1", "C2", "C1")))
        until_messages(scene, 1)
        assert moves(scene) == [
            ("C1", "contested", "M1", COUNTER_QUOTE),
            ("C2", "contested", "M1", COUNTER_QUOTE),
        ]
        assert scene.messages()[0].about == ["C1", "C2"]
        assert statuses(scene) == {"C1": "CONTESTED", "C2": "CONTESTED", "C3": "OPEN"}
        facts = scene.facts("claim_moved")
        assert [fact["subjects"]["handle"] for fact in facts] == ["C1", "C2"]
        scene.check()

    def test_moves_nothing_by_a_proposition_without_counter_evidence(
        self, opened: OpenScene
    ) -> None:
        """A narrowed wording that is offered contests nothing."""
        scene = opened(says(challenge_in(1), a_proposition("C1")))
        until_messages(scene, 1)
        assert scene.messages()[0].kind == "proposition"
        assert moves(scene) == []
        assert statuses(scene) == {"C1": "OPEN", "C2": "OPEN"}
        scene.check()

    @pytest.mark.parametrize(
        ("claims", "changed", "worth"),
        [
            pytest.param(["C9"], {}, "unknown_claim", id="a claim nobody made"),
            pytest.param(["C2"], {}, "unknown_claim", id="its own claim"),
            pytest.param(["C1"], {"evidence": ["T1"]}, "unknown_evidence", id="invented F15"),
            pytest.param(["C1"], {"evidence": ["M1"]}, "unknown_evidence", id="not yet said F15"),
            pytest.param(
                ["C1"], {"counter_quote": "Nobody said this"}, "not_the_schema", id="no span F18"
            ),
            pytest.param(["C1"], {"counter_quote": ""}, "not_the_schema", id="no counter-quote"),
            pytest.param(["C1"], {"does_not_establish": ""}, "not_the_schema", id="no limit"),
            pytest.param([], {"claims": []}, "not_the_schema", id="about nothing"),
            pytest.param(["C1"], {"round": 7}, "not_the_schema", id="a round of its own F14"),
            pytest.param(["C1"], {"recipient": "main"}, "not_the_schema", id="a recipient F14"),
            pytest.param(["C1"], {"kind": "verdict"}, "not_the_schema", id="an unknown kind"),
        ],
    )
    def test_is_not_made_by_an_invalid_one(
        self, opened: OpenScene, claims: list[str], changed: dict[str, Any], worth: str
    ) -> None:
        """The answer is kept, the further attempt is asked, and no move is made meanwhile."""
        scene = opened(says(challenge_in(1), a_challenge(*claims, **changed)))
        until_messages(scene, 1)
        assert scene.outcomes(Role.BEAR, "challenge") == [
            (1, 1, "answered", worth),
            (2, 1, "answered", "valid"),
        ]
        assert [move[:3] for move in moves(scene)] == [("C1", "contested", "M1")]
        assert scene.halves() == [(1, "challenge", "accepted", 2)]
        scene.check()


@pytest.mark.usefixtures("database")
class TestMoveByResponse:
    """What an accepted response does to the claims it answers."""

    @pytest.mark.parametrize(
        ("action", "move", "status"),
        [
            ("defend", "defended", "CONTESTED"),
            ("revise", "revised", "CONTESTED"),
            ("concede", "conceded", "CONCEDED"),
        ],
    )
    def test_follows_its_action(
        self, opened: OpenScene, action: str, move: str, status: str
    ) -> None:
        """Only its own author's concession concedes; a defence leaves the claim contested."""
        scene = opened(says(response_in(1), a_response("C1", action=action)))
        until_messages(scene, 2)
        assert moves(scene)[1:] == [("C1", move, "M2", RESPONSE_QUOTE)]
        assert statuses(scene) == {"C1": status, "C2": "OPEN"}
        scene.check()

    def test_may_differ_from_claim_to_claim(self, opened: OpenScene) -> None:
        """One response defends one claim and gives up another, each quoted."""
        answers = [
            {"claim": "C1", "action": "defend", "quote": "I keep the first"},
            {"claim": "C2", "action": "concede", "quote": "give up the second"},
        ]
        scene = opened(
            TWO_CLAIMS,
            says(challenge_in(1), a_challenge("C1", "C2")),
            says(response_in(1), a_response(text=TWO_QUOTES, answers=answers)),
            QUIET,
            says(SYNTHESIS, a_synthesis(C1="stands", C2="withdrawn", C3="stands")),
        )
        scene.end()
        assert [move[:3] for move in moves(scene)][2:] == [
            ("C1", "defended", "M2"),
            ("C2", "conceded", "M2"),
        ]
        assert scene.pair.end_reason == "declined"

    @pytest.mark.parametrize(
        ("answers", "worth"),
        [
            pytest.param(["C2"], "unknown_claim", id="the other side's claim J06"),
            pytest.param(["C3"], "unknown_claim", id="a claim that was not challenged"),
            pytest.param(["C1", "C1"], "unknown_claim", id="one claim twice"),
        ],
    )
    def test_is_not_made_for_what_was_not_challenged(
        self, opened: OpenScene, answers: list[str], worth: str
    ) -> None:
        """Nobody concedes for another, and nothing is answered that was not asked. Scenario J06."""
        scene = opened(
            says(BULL_OPENING, an_opening("One fund more")),
            says(response_in(1), a_response(*answers)),
        )
        until_messages(scene, 2)
        assert scene.outcomes(Role.BULL, "response") == [
            (1, 1, "answered", worth),
            (2, 1, "answered", "valid"),
        ]
        assert [move[:3] for move in moves(scene)] == [
            ("C1", "contested", "M1"),
            ("C1", "conceded", "M2"),
        ]

    def test_by_a_proposition_accepts_the_narrowed_wording(self, opened: OpenScene) -> None:
        """A revision in answer to a proposition moves a claim that was never contested."""
        scene = opened(
            says(challenge_in(1), a_proposition("C1")),
            says(response_in(1), a_response("C1", action="revise")),
            QUIET,
            says(SYNTHESIS, a_synthesis(C1="revised", C2="stands")),
        )
        scene.end()
        assert [move[:3] for move in moves(scene)] == [("C1", "revised", "M2")]
        assert statuses(scene) == {"C1": "OPEN", "C2": "OPEN"}

    def test_of_a_concession_is_final(self, opened: OpenScene) -> None:
        """A conceded claim cannot be challenged again."""
        scene = opened(
            TWO_CLAIMS,
            says(challenge_in(1), a_challenge("C1", "C2")),
            says(response_in(1), a_response("C1")),
            says(challenge_in(2), a_challenge("C1"), times=2),
            says(SYNTHESIS, a_synthesis(C1="withdrawn", C2="stands", C3="stands")),
        )
        scene.end()
        assert [one[3] for one in scene.outcomes(Role.BEAR, "challenge")] == [
            "valid",
            "unknown_claim",
            "unknown_claim",
        ]
        assert statuses(scene)["C1"] == "CONCEDED"
        assert scene.pair.end_reason == "invalid_output"


@pytest.mark.usefixtures("database")
class TestClaimBlocks:
    """The register as an execution sees it."""

    def test_holds_id_side_status_and_quote(self, challenged: Scene) -> None:
        """A claim stands with its handle, its author's side and its status. Scenario H15."""
        challenged.step(Role.BULL)
        body = load_bytes(challenged.requests(Role.BULL, "response")[0].body).decode()
        assert "[claim C1 | bull | CONTESTED | untrusted]" in body
        assert "[claim C2 | bear | OPEN | untrusted]" in body

    def test_leaves_out_what_it_may_not_see(self, opened: OpenScene) -> None:
        """A quote of material out of the reader's scope is not shown to him. Scenario H15."""
        read = ("read_source", {"source": "S1", "offset": 0, "limit": 1})
        scene = opened(asks_for(BULL_OPENING, read), says(RESPONSE, a_response()), wish="require")
        plan_a_dialogue(scene.root, bear=["S2"])
        scene.run()
        assert not scene.root.requests.filter(
            child__role=Role.BEAR, parts__kind="claim_quote"
        ).exists()
