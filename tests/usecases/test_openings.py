"""Openings: accepted, or one further attempt, or an execution that could not do its part."""

from __future__ import annotations

from typing import Any

import pytest

from bullbear.bodies import read_slice
from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from bullbear.models import ModelRequest, RequestPart
from dialogue.models import Claim
from research.models import Opening
from tests.provider_double import Behaviour
from tests.scripted import (
    BEAR_CLAIM,
    BEAR_OPENING,
    BULL_CLAIM,
    BULL_OPENING,
    SYNTHESIS,
    a_synthesis,
    an_opening,
    asks_for,
    fails,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene, text_of

CLAIM = {"quote": BULL_CLAIM, "evidence": []}
READ_FUND = asks_for(BULL_OPENING, ("read_source", {"source": "S2", "offset": 0, "limit": 5}))
INVALID = [
    pytest.param({"content": "Yes, and more."}, "not_json", id="prose"),
    pytest.param({"content": "```json\n{}\n```"}, "not_json", id="fenced JSON F02"),
    pytest.param(
        {"content": '{"statement":"a","statement":"b"}'}, "not_json", id="a key twice F07"
    ),
    pytest.param({"content": "[" * 5000}, "not_json", id="nested 5,000 deep F11"),
    pytest.param({"content": " \n"}, "empty", id="white space F03"),
    pytest.param(
        {"message": {"role": "assistant", "content": None, "reasoning": "…"}},
        "empty",
        id="only reasoning F03",
    ),
    pytest.param(
        {"message": {"role": "assistant", "content": None, "refusal": "I cannot."}},
        "refusal",
        id="a refusal F04",
    ),
    pytest.param(
        {"finish_reason": "content_filter", "content": "x"}, "refusal", id="filtered F04"
    ),
    pytest.param({"answer": {}, "finish_reason": "length"}, "truncated", id="a valid prefix F01"),
    pytest.param({"answer": {"score": 7}}, "not_the_schema", id="an extra field F05"),
    pytest.param({"answer": {"claims": []}}, "not_the_schema", id="no claim F05"),
    pytest.param({"answer": {"unknown": "much"}}, "not_the_schema", id="a wrong type F05"),
    pytest.param({"content": '{"statement":"a\\u0000"}'}, "unstorable_text", id="NUL F12"),
    pytest.param({"content": '{"statement":"\\ud800"}'}, "unstorable_text", id="surrogate F12"),
    pytest.param(
        {"answer": {"claims": [{**CLAIM, "quote": "Nobody said this"}]}},
        "not_verbatim",
        id="a quote of nothing F18",
    ),
    pytest.param(
        {"answer": {"claims": [{**CLAIM, "quote": BULL_CLAIM.upper()}]}},
        "not_verbatim",
        id="a quote in another case F18",
    ),
    pytest.param({"answer": {"claims": [CLAIM, CLAIM]}}, "not_verbatim", id="one claim twice"),
    pytest.param(
        {"answer": {"claims": [{**CLAIM, "evidence": ["T9"]}]}},
        "unknown_evidence",
        id="evidence that was invented F15",
    ),
    pytest.param(
        {"answer": {"claims": [{**CLAIM, "evidence": ["S2"]}]}},
        "unknown_evidence",
        id="a source that was not read F15",
    ),
]


def invalid(how: dict[str, Any], **behaviour: Any) -> Behaviour:
    changed = dict(how)
    if "answer" in changed:
        return says(BULL_OPENING, an_opening(BULL_CLAIM, **changed.pop("answer")), **changed)
    return Behaviour(when=BULL_OPENING, **changed, **behaviour)


def planned(scene: Scene) -> Scene:
    scene.step(Role.MAIN)
    return scene


@pytest.mark.usefixtures("database")
class TestAcceptOpening:
    """A valid opening."""

    def test_puts_statement_and_claims_on_record(self, opened: OpenScene) -> None:
        """Statement, claims and their receipts are of one answer, verbatim."""
        scene = planned(opened())
        bull = scene.step(Role.BULL)
        opening = Opening.objects.get(root=scene.root)
        [request] = scene.requests(Role.BULL)
        assert (opening.child, opening.request) == (bull, request)
        assert text_of(opening, "statement") == f"{BULL_CLAIM}."
        claim = Claim.objects.get(root=scene.root)
        assert (claim.author, claim.opening, claim.number) == (bull, opening, 1)
        assert text_of(claim, "quote") == BULL_CLAIM
        assert bull.state == "parked"
        [accepted] = scene.facts("opening_accepted")
        assert accepted["act"] == str(request.pk)
        assert accepted["subjects"] == {"opening": str(opening.pk), "request": str(request.pk)}
        [recorded] = scene.facts("claim_recorded")
        assert recorded["subjects"]["source"] == str(opening.pk)
        scene.check()

    def test_depends_on_all_its_request_held(self, opened: OpenScene) -> None:
        """Its lineage is the request's: a source it read taints it, whether cited or not. H02."""
        scene = planned(opened(READ_FUND))
        scene.step(Role.BULL)
        opening = Opening.objects.get(root=scene.root)
        fund = scene.root.sources.get(number=2).source_id
        assert opening.lineage == sorted([f"root:{scene.root.pk}", str(fund)])

    def test_may_cite_what_its_author_was_shown(self, opened: OpenScene) -> None:
        """A tool call and a source that a result rested on are evidence. F15."""
        cites = says(BULL_OPENING, an_opening(BULL_CLAIM, evidence=["T1", "S2"]))
        scene = planned(opened(READ_FUND, cites))
        scene.step(Role.BULL)
        assert Claim.objects.get(root=scene.root).evidence == ["T1", "S2"]

    def test_is_independent_of_the_other_side(self, opened: OpenScene) -> None:
        """Neither opening request holds anything of the other, whoever speaks first."""
        scene = planned(opened())
        scene.step(Role.BULL)
        scene.step(Role.BEAR)
        for role in (Role.BULL, Role.BEAR):
            [request] = scene.requests(role, "opening")
            parts = RequestPart.objects.filter(request=request).order_by("ordinal")
            assert [part.kind for part in parts] == ["prompt", "prompt", "question"]

    def test_says_where_each_text_stands(self, opened: OpenScene) -> None:
        """The slice of a part decodes to the text of its record."""
        scene = planned(opened())
        scene.step(Role.BULL)
        [request] = scene.requests(Role.BULL)
        part = RequestPart.objects.get(request=request, kind="question")
        body = load_bytes(request.body)
        assert read_slice(body, part.byte_start, part.byte_end) == text_of(scene.root, "question")


@pytest.mark.usefixtures("database")
class TestInvalidOpening:
    """An answer that is no opening."""

    @pytest.mark.parametrize(("how", "worth"), INVALID)
    def test_is_kept_and_asked_for_once_more(
        self, opened: OpenScene, how: dict[str, Any], worth: str
    ) -> None:
        """The raw bytes are kept, the class is recorded, and a further attempt names it."""
        scene = planned(opened(invalid(how)))
        scene.step(Role.BULL)
        assert scene.outcomes(Role.BULL) == [
            (1, 1, "answered", worth),
            (2, 1, "answered", "valid"),
        ]
        first, second = scene.requests(Role.BULL)
        assert first.response is not None
        body = load_bytes(second.body).decode()
        assert f"[further attempt | the last one was {worth}]" in body
        assert Opening.objects.get(root=scene.root).request == second
        assert [one["subjects"]["class"] for one in scene.facts("request_answered")] == [
            "valid",
            worth,
            "valid",
        ]
        scene.check()

    def test_twice_fails_the_execution_and_keeps_the_other_side(self, opened: OpenScene) -> None:
        """One side without an opening: no pair, a gap, and what the other said is delivered. J10."""
        scene = opened(
            says(BULL_OPENING, "no", times=2), says(SYNTHESIS, a_synthesis(C1="unresolved"))
        )
        root = scene.end()
        bull, bear = scene.child(Role.BULL), scene.child(Role.BEAR)
        assert (bull.state, bull.end_reason) == ("failed", "invalid_output")
        assert (bear.state, bear.end_reason) == ("finished", "")
        assert text_of(Opening.objects.get(root=root), "statement") == f"{BEAR_CLAIM}."
        assert (root.state, root.result, root.end_reason) == (
            "finished",
            "partial",
            "participant_ended",
        )
        assert scene.gaps() == [
            ("no_dialogue", "participant_ended"),
            ("no_opening", str(bull.pk)),
        ]
        assert [one["subjects"] for one in scene.facts("no_pair")] == [
            {"reason": "participant_ended"}
        ]

    def test_of_both_sides_still_ends_with_a_report(self, opened: OpenScene) -> None:
        """Without any opening Main compiles, and asks nobody."""
        scene = opened(says(BULL_OPENING, "no", times=2), says(BEAR_OPENING, "no", times=2))
        root = scene.end()
        assert (root.state, root.result) == ("finished", "partial")
        assert scene.requests(Role.MAIN, "synthesis") == []
        assert scene.gap_codes() == ["no_dialogue", "no_opening", "no_opening", "no_synthesis"]


@pytest.mark.usefixtures("database")
class TestUnknownOpening:
    """A call whose outcome nobody knows."""

    def test_is_asked_once_more(self, opened: OpenScene) -> None:
        """A new request with a new act and a new debit; the unknown one stays unknown."""
        scene = planned(opened(fails(BULL_OPENING, status=500)))
        scene.step(Role.BULL)
        assert scene.outcomes(Role.BULL) == [
            (1, 1, "outcome_unknown", "server_error"),
            (2, 1, "answered", "valid"),
        ]
        scene.root.refresh_from_db()
        assert scene.root.model_calls_spent == 3
        scene.check()

    def test_twice_fails_the_execution(self, opened: OpenScene) -> None:
        """D10: then as invalid. Both unknown calls are disclosed."""
        scene = opened(
            fails(BULL_OPENING, status=500, times=2),
            says(SYNTHESIS, a_synthesis(C1="unresolved")),
        )
        scene.end()
        bull = scene.child(Role.BULL)
        assert (bull.state, bull.end_reason) == ("failed", "outcome_unknown")
        unknown = ModelRequest.objects.filter(child=bull).order_by("attempt")
        assert scene.gaps() == sorted(
            [
                ("no_dialogue", "participant_ended"),
                ("no_opening", str(bull.pk)),
                *(("outcome_unknown", str(one.pk)) for one in unknown),
            ]
        )
