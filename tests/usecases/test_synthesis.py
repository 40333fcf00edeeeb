"""Main's synthesis: one lawful disposition for each claim, or a report of the host's own."""

from __future__ import annotations

from typing import Any

import pytest

from bullbear.lifecycle import Role
from dialogue.models import Disposition
from tests.scripted import SYNTHESIS, a_synthesis, fails, says
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene, text_of

LAWFUL = {"C1": "withdrawn", "C2": "stands"}  # Bull conceded C1
ONE = {"claim": "C1", "disposition": "withdrawn", "reason": "r", "evidence": []}
INVALID = [
    pytest.param(a_synthesis(C1="withdrawn"), "unknown_claim", id="a claim is missing J12"),
    pytest.param(a_synthesis(**LAWFUL, C3="stands"), "unknown_claim", id="a claim nobody made"),
    pytest.param(
        {**a_synthesis(), "dispositions": [ONE, {**ONE, "claim": "C2"}, ONE]},
        "unknown_claim",
        id="a claim twice",
    ),
    pytest.param(
        a_synthesis(C1="withdrawn", C2="withdrawn"),
        "unlawful_disposition",
        id="withdrawn without a concession",
    ),
    pytest.param(
        a_synthesis(C1="stands", C2="stands"), "unlawful_disposition", id="conceded and stands"
    ),
    pytest.param(
        a_synthesis(C1="revised", C2="stands"), "unlawful_disposition", id="conceded and revised"
    ),
    pytest.param(
        a_synthesis(**LAWFUL, evidence=["T7"]), "unknown_evidence", id="evidence nobody was shown"
    ),
    pytest.param(
        a_synthesis(**LAWFUL, evidence=["M9"]), "unknown_evidence", id="a message nobody sent"
    ),
    pytest.param(
        {**a_synthesis(**LAWFUL), "position_size": "10"}, "not_the_schema", id="a size J12"
    ),
    pytest.param(
        a_synthesis(C1="wins", C2="stands"), "not_the_schema", id="a disposition of its own"
    ),
    pytest.param({**a_synthesis(**LAWFUL), "summary": ""}, "not_the_schema", id="no summary"),
]


def dispositions(scene: Scene) -> dict[str, tuple[str, bool]]:
    """Say of each claim its disposition, and whether a request stands behind it."""
    found = Disposition.objects.filter(root=scene.root).select_related("claim")
    return {f"C{one.claim.number}": (one.disposition, one.request_id is not None) for one in found}


@pytest.mark.usefixtures("database")
class TestRecordSynthesis:
    """A valid synthesis."""

    def test_disposes_of_each_claim_once(self, opened: OpenScene) -> None:
        """Dispositions, reasons and evidence are on record, with the answer they came from."""
        scene = opened(says(SYNTHESIS, a_synthesis(**LAWFUL, evidence=["M1", "C2", "S1"])))
        root = scene.end()
        [request] = scene.requests(Role.MAIN, "synthesis")
        assert dispositions(scene) == {"C1": ("withdrawn", True), "C2": ("stands", True)}
        rows = Disposition.objects.filter(root=root)
        assert {one.request_id for one in rows} == {request.pk}
        assert {text_of(one, "reason") for one in rows} == {"As the exchange shows."}
        assert [one.evidence for one in rows] == [["M1", "C2", "S1"]] * 2
        [fact] = scene.facts("synthesis_recorded")
        assert fact["act"] == str(request.pk)
        assert fact["subjects"] == {"request": str(request.pk), "dispositions": LAWFUL}
        assert (root.state, root.result, scene.gaps()) == ("finished", "complete", [])

    def test_may_leave_a_conceded_claim_unresolved(self, opened: OpenScene) -> None:
        """It need not say `withdrawn`; it may not say that it stands."""
        scene = opened(says(SYNTHESIS, a_synthesis(C1="unresolved", C2="revised")))
        assert scene.end().result == "complete"

    def test_begins_the_end_of_the_root_with_its_seal(self, opened: OpenScene) -> None:
        """From the seal on only synthesis and report follow. D7."""
        scene = opened(says(SYNTHESIS, a_synthesis(**LAWFUL), gate="held"))
        scene.run_to_the_synthesis()
        with scene.in_call(Role.MAIN, "held"):
            scene.root.refresh_from_db()
            assert (scene.root.state, scene.root.cause) == ("finalizing", "completed")
        scene.root.refresh_from_db()
        assert scene.root.state == "finished"


@pytest.mark.usefixtures("database")
class TestInvalidSynthesis:
    """An answer that disposes of the claims in no lawful way."""

    @pytest.mark.parametrize(("answer", "worth"), INVALID)
    def test_is_asked_for_once_more(
        self, opened: OpenScene, answer: dict[str, Any], worth: str
    ) -> None:
        """Nothing of it is taken; the further attempt may be valid."""
        scene = opened(says(SYNTHESIS, answer))
        root = scene.end()
        assert scene.outcomes(Role.MAIN, "synthesis") == [
            (1, 1, "answered", worth),
            (2, 1, "answered", "valid"),
        ]
        assert dispositions(scene) == {"C1": ("withdrawn", True), "C2": ("stands", True)}
        assert root.result == "complete"

    def test_twice_leaves_the_report_to_the_host(self, opened: OpenScene) -> None:
        """Every claim unresolved, partial, and the gap: the host disposes of none otherwise."""
        scene = opened(says(SYNTHESIS, a_synthesis(C1="withdrawn"), times=2))
        root = scene.end()
        assert dispositions(scene) == {"C1": ("unresolved", False), "C2": ("unresolved", False)}
        assert (root.state, root.result) == ("finished", "partial")
        assert scene.gaps() == [("no_synthesis", "")]
        [fact] = scene.facts("synthesis_failed")
        assert fact["subjects"] == {"reason": "invalid_output"}
        assert scene.report()["result"]["type"] == "partial"


@pytest.mark.usefixtures("database")
class TestUnknownSynthesis:
    """A synthesis whose outcome nobody knows."""

    def test_is_asked_once_more_from_the_reserve(self, opened: OpenScene) -> None:
        """One new request; the unknown one stays disclosed."""
        scene = opened(fails(SYNTHESIS, status=500))
        root = scene.end()
        assert [one[2] for one in scene.outcomes(Role.MAIN, "synthesis")] == [
            "outcome_unknown",
            "answered",
        ]
        assert root.result == "complete"
        assert scene.gap_codes() == ["outcome_unknown"]
        assert root.model_calls_hand_back == 2

    @pytest.mark.parametrize(
        ("status", "times", "reason"),
        [(500, 2, "outcome_unknown"), (401, 1, "provider_unavailable")],
    )
    def test_for_good_leaves_the_report_to_the_host(
        self, opened: OpenScene, status: int, times: int, reason: str
    ) -> None:
        """A Root always ends with a report, also when no model answered."""
        scene = opened(fails(SYNTHESIS, status=status, times=times))
        root = scene.end()
        assert (root.state, root.result) == ("finished", "partial")
        [fact] = scene.facts("synthesis_failed")
        assert fact["subjects"] == {"reason": reason}
        assert "no_synthesis" in scene.gap_codes()
        assert scene.pair.end_reason == "settled"


@pytest.mark.usefixtures("database")
class TestNobodyAnswers:
    """A provider that refuses everything."""

    def test_still_ends_with_an_honest_report(self, opened: OpenScene) -> None:
        """Plan by the host, no openings, no synthesis: the report says each. Bad input."""
        scene = opened()
        scene.double.forget()
        scene.script(fails("", status=401, times=9))
        root = scene.end()
        assert (root.state, root.result, root.model_calls_spent) == ("finished", "partial", 0)
        assert scene.gap_codes() == ["no_opening", "no_opening", "no_plan", "no_synthesis"]

    def test_or_answers_html_to_everything(self, opened: OpenScene) -> None:
        """HTML with 200 is an unknown outcome, kept as it came. Scenario F09."""
        scene = opened()
        scene.double.forget()
        html = b"<html>Bad gateway</html>"
        scene.script(fails("", body=html, content_type="text/html", times=20))
        root = scene.end()
        assert (root.state, root.result) == ("finished", "partial")
        assert {one.outcome_class for one in root.requests.all()} == {"not_a_completion"}
        assert {text_of(one, "response") for one in root.requests.all()} == {html.decode()}
