"""How long a rejected call waits, whatever its provider says: design.md D5; RFC 9110, 10.2.3."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullbear.outcomes import LONGEST_DELAY_SECONDS, MAX_REPEATS, retry_delay_seconds

NOW = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
dates = st.datetimes(timezones=st.just(UTC)).map(
    lambda at: at.strftime("%a, %d %b %Y %H:%M:%S GMT")
)
headers = st.text(max_size=40) | st.integers().map(str) | dates


def delay(header: str | None, rejections: int = 1) -> float:
    return retry_delay_seconds(rejections, header, now=NOW)


@pytest.mark.parametrize(("rejections", "seconds"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16)])
def test_without_a_word_of_the_provider_waits_double(rejections: int, seconds: int) -> None:
    assert delay(None, rejections) == seconds


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("Fri, 31 Dec 9999 23:59:59 -0500", id="the last day there is, further west"),
        pytest.param("Fri, 31 Dec 9999 23:59:59 GMT", id="the last day there is"),
        pytest.param("999999999", id="nine digits"),
    ],
)
def test_a_date_beyond_any_deadline_can_still_be_added(header: str) -> None:
    assert delay(header) == LONGEST_DELAY_SECONDS
    assert NOW + timedelta(seconds=delay(header)) > NOW + timedelta(days=365)


@given(headers, st.integers(1, MAX_REPEATS))
def test_whatever_stands_there_the_wait_is_finite_and_not_negative(
    header: str, rejections: int
) -> None:
    assert 0 <= delay(header, rejections) <= LONGEST_DELAY_SECONDS
