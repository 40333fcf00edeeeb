"""What an end is worth.  design.md D13."""

from __future__ import annotations

import pytest

from bullbear.lifecycle import Cause, ResultType
from dialogue.report.result import reason_of, result_type
from dialogue.rules import EndReason

PARTIAL = {
    EndReason.CANCELLED,
    EndReason.DEADLINE,
    EndReason.BUDGET,
    EndReason.PARTICIPANT_ENDED,
    EndReason.OUTCOME_UNKNOWN,
    EndReason.CONTEXT_FULL,
    EndReason.PROVIDER_UNAVAILABLE,
    EndReason.EXTRACTION_FAILED,
    EndReason.MUTUAL_WAIT,
}


class TestResultType:
    @pytest.mark.parametrize("reason", list(EndReason))
    def test_follows_the_end_reason_where_all_else_is_well(self, reason: EndReason) -> None:
        expected = ResultType.PARTIAL if reason in PARTIAL else ResultType.COMPLETE
        assert result_type(reason, synthesis_valid=True, failed_execution=False) is expected

    def test_is_complete_without_a_dialogue(self) -> None:
        assert (
            result_type(None, synthesis_valid=True, failed_execution=False) is ResultType.COMPLETE
        )

    @pytest.mark.parametrize(
        ("synthesis_valid", "failed_execution"),
        [
            pytest.param(False, False, id="no valid synthesis"),
            pytest.param(True, True, id="a failed execution"),
            pytest.param(False, True, id="neither"),
        ],
    )
    @pytest.mark.parametrize("reason", [None, EndReason.SETTLED, EndReason.MAX_ROUNDS])
    def test_is_partial_where_a_part_is_missing(
        self, reason: EndReason | None, *, synthesis_valid: bool, failed_execution: bool
    ) -> None:
        found = result_type(
            reason, synthesis_valid=synthesis_valid, failed_execution=failed_execution
        )
        assert found is ResultType.PARTIAL


class TestReasonOf:
    def test_prefers_the_stored_reason(self) -> None:
        assert reason_of(EndReason.SETTLED, Cause.CANCELLED) is EndReason.SETTLED

    @pytest.mark.parametrize(
        ("cause", "reason"),
        [
            (Cause.CANCELLED, EndReason.CANCELLED),
            (Cause.DEADLINE, EndReason.DEADLINE),
            (Cause.BUDGET, EndReason.BUDGET),
            (Cause.COMPLETED, None),
            (Cause.NONE, None),
        ],
    )
    def test_else_reads_it_off_the_cause(self, cause: Cause, reason: EndReason | None) -> None:
        assert reason_of(None, cause) is reason
