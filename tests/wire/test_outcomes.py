"""What a class means: its state, whether it is repeated, and after how long."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bullbear.lifecycle import RequestState
from bullbear.outcomes import (
    STATE_OF,
    OutcomeClass,
    classify_broken,
    classify_status,
    is_repeatable,
    retry_delay_seconds,
)

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
COMPLETION = b'{"choices":[{"message":{"content":"x"}}]}'


class TestStateOf:
    def test_names_a_final_state_for_every_class(self) -> None:
        assert set(STATE_OF) == set(OutcomeClass)
        assert RequestState.SEALED not in STATE_OF.values()

    def test_calls_one_class_answered(self) -> None:
        answered = [one for one in OutcomeClass if STATE_OF[one] is RequestState.ANSWERED]
        assert answered == [OutcomeClass.COMPLETION]


class TestClassifyStatus:
    @pytest.mark.parametrize("status", range(300, 600))
    def test_calls_rejected_what_generated_nothing(self, status: int) -> None:
        state, _ = classify_status(status, COMPLETION)
        rejected = status < 500 and status not in {408, 409}
        assert (state is RequestState.REJECTED) is rejected

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"null",
            b"[]",
            b'"choices"',
            b"{}",
            b'{"choices":null}',
            b'{"choices":{}}',
            b'{"choices":[]}',
            b'{"choices":[{}]}',
            b'{"choices":[{"message":"x"}]}',
            b'{"choices":[{"message":{}},{"text":"x"}]}',
            b'{"choices":[{"message":{}}],"choices":[{"message":{}}]}',
            b"\xef\xbb\xbf" + COMPLETION,
            COMPLETION + b"}",
            b"```json\n" + COMPLETION + b"\n```",
        ],
    )
    def test_calls_a_2xx_unknown_whose_body_is_no_completion(self, body: bytes) -> None:
        assert classify_status(200, body) == (
            RequestState.OUTCOME_UNKNOWN,
            OutcomeClass.NOT_A_COMPLETION,
        )


class TestClassifyBroken:
    @pytest.mark.parametrize("status", [None, 200, 202, 101, 700])
    def test_takes_the_failure_where_the_status_line_says_nothing(
        self, status: int | None
    ) -> None:
        assert classify_broken(status, OutcomeClass.RESET) == (
            RequestState.OUTCOME_UNKNOWN,
            OutcomeClass.RESET,
        )

    @pytest.mark.parametrize(
        ("status", "outcome"),
        [
            (307, "redirected"),
            (429, "rate_limited"),
            (409, "conflict_status"),
            (500, "server_error"),
        ],
    )
    def test_lets_the_status_line_decide(self, status: int, outcome: str) -> None:
        assert classify_broken(status, OutcomeClass.TOTAL_TIMEOUT)[1] == outcome


class TestIsRepeatable:
    def test_holds_for_rejections_that_may_pass(self) -> None:
        assert {one.value for one in OutcomeClass if is_repeatable(one)} == {
            "connect_refused",
            "connect_timeout",
            "dns",
            "tls",
            "not_written_after_hard_end",
            "redirected",
            "rate_limited",
            "other_4xx",
        }


class TestRetryDelaySeconds:
    @pytest.mark.parametrize(
        ("rejections", "seconds"), [(1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (5, 16.0)]
    )
    def test_doubles(self, rejections: int, seconds: float) -> None:
        assert retry_delay_seconds(rejections, None, now=NOW) == seconds

    @pytest.mark.parametrize(
        ("header", "seconds"),
        [
            ("0", 0.0),
            (" 30 ", 30.0),
            ("Wed, 04 Mar 2026 05:06:37 GMT", 30.0),
            ("Wed, 04 Mar 2026 05:06:00 GMT", 0.0),
        ],
    )
    def test_does_as_the_provider_asks(self, header: str, seconds: float) -> None:
        assert retry_delay_seconds(3, header, now=NOW) == seconds

    @pytest.mark.parametrize("header", ["", "soon", "-1", "1.5", "1e9", "NaN", "9" * 30, "²"])
    def test_ignores_what_it_cannot_read(self, header: str) -> None:
        assert retry_delay_seconds(3, header, now=NOW) == 4.0

    @pytest.mark.parametrize("rejections", [0, 6])
    def test_refuses_a_sixth(self, rejections: int) -> None:
        with pytest.raises(ValueError, match="1 to 5"):
            retry_delay_seconds(rejections, None, now=NOW)
