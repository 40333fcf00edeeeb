"""What became of a dispatched call: three states, and a class that says why.

    ANSWERED          a 2xx whose body parses as a completion object
    REJECTED          nothing was generated: the write never began, 3xx, 4xx other than 408 and 409
    OUTCOME_UNKNOWN   everything else; it stays unknown

Note [The status line decides]: a 3xx, 4xx or 5xx says by its status line alone what is known, so
its class holds even where its body was cut, dripped or too large.  A 2xx needs its whole body.

Source: design.md D5; scenarios.md A03, E04, F09, F10.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from http import HTTPStatus

from bullbear.boundedjson import Bounds, JsonRefused, parse
from bullbear.lifecycle import RequestState

MAX_REPEATS = 5
LONGEST_DELAY_SECONDS = 999_999_999.0  # what nine digits can ask for: past any deadline
MAX_RESPONSE_BYTES = 8 * 1024 * 1024
_ENVELOPE = Bounds(size=MAX_RESPONSE_BYTES, keys=100_000)


class OutcomeClass(StrEnum):
    """Why a request is in its final state."""

    COMPLETION = "completion"  # a 2xx with a completion object

    CONNECT_REFUSED = "connect_refused"  # no connection: refused or unreachable
    CONNECT_TIMEOUT = "connect_timeout"  # no connection, or no TLS session, in time
    DNS = "dns"  # the host's name was not resolved
    TLS = "tls"  # the handshake failed: certificate, version, not TLS
    NOT_WRITTEN = "not_written_after_hard_end"  # connected, but the lease's hard end was passed
    REDIRECTED = "redirected"  # any 3xx; never followed
    BAD_REQUEST = "bad_request"  # 400
    UNAUTHORIZED = "unauthorized"  # 401
    FORBIDDEN = "forbidden"  # 403
    NOT_FOUND = "not_found"  # 404
    UNPROCESSABLE = "unprocessable"  # 422
    RATE_LIMITED = "rate_limited"  # 429
    OTHER_4XX = "other_4xx"  # any other 4xx except 408 and 409

    TIMEOUT_STATUS = "timeout_status"  # 408: it may have begun
    CONFLICT_STATUS = "conflict_status"  # 409: another call of this act may be running
    SERVER_ERROR = "server_error"  # any 5xx
    OTHER_STATUS = "other_status"  # a status outside 2xx to 5xx
    NOT_A_COMPLETION = "not_a_completion"  # a 2xx with HTML, broken JSON or another object
    TOO_LARGE = "too_large"  # a body past the limit; its beginning is kept
    WRITE_FAILED = "write_failed"  # the request broke off or stalled on its way out
    READ_TIMEOUT = "read_timeout"  # no byte of an answer in time
    TOTAL_TIMEOUT = "total_timeout"  # an answer began and was not whole in time
    RESET = "reset"  # the connection broke before the answer was whole
    CUT_OFF = "cut_off"  # the peer closed before the answer was whole
    PROTOCOL_ERROR = "protocol_error"  # what came is not HTTP
    WORKER_LOST = "worker_lost"  # the worker died; set by the sweeper
    LEASE_PASSED = "lease_passed"  # the lease's hard end came first; set by the sweeper


STATE_OF: Mapping[OutcomeClass, RequestState] = {
    OutcomeClass.COMPLETION: RequestState.ANSWERED,
    OutcomeClass.CONNECT_REFUSED: RequestState.REJECTED,
    OutcomeClass.CONNECT_TIMEOUT: RequestState.REJECTED,
    OutcomeClass.DNS: RequestState.REJECTED,
    OutcomeClass.TLS: RequestState.REJECTED,
    OutcomeClass.NOT_WRITTEN: RequestState.REJECTED,
    OutcomeClass.REDIRECTED: RequestState.REJECTED,
    OutcomeClass.BAD_REQUEST: RequestState.REJECTED,
    OutcomeClass.UNAUTHORIZED: RequestState.REJECTED,
    OutcomeClass.FORBIDDEN: RequestState.REJECTED,
    OutcomeClass.NOT_FOUND: RequestState.REJECTED,
    OutcomeClass.UNPROCESSABLE: RequestState.REJECTED,
    OutcomeClass.RATE_LIMITED: RequestState.REJECTED,
    OutcomeClass.OTHER_4XX: RequestState.REJECTED,
    OutcomeClass.TIMEOUT_STATUS: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.CONFLICT_STATUS: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.SERVER_ERROR: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.OTHER_STATUS: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.NOT_A_COMPLETION: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.TOO_LARGE: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.WRITE_FAILED: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.READ_TIMEOUT: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.TOTAL_TIMEOUT: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.RESET: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.CUT_OFF: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.PROTOCOL_ERROR: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.WORKER_LOST: RequestState.OUTCOME_UNKNOWN,
    OutcomeClass.LEASE_PASSED: RequestState.OUTCOME_UNKNOWN,
}

_OF_STATUS: Mapping[int, OutcomeClass] = {
    HTTPStatus.BAD_REQUEST: OutcomeClass.BAD_REQUEST,
    HTTPStatus.UNAUTHORIZED: OutcomeClass.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN: OutcomeClass.FORBIDDEN,
    HTTPStatus.NOT_FOUND: OutcomeClass.NOT_FOUND,
    HTTPStatus.REQUEST_TIMEOUT: OutcomeClass.TIMEOUT_STATUS,
    HTTPStatus.CONFLICT: OutcomeClass.CONFLICT_STATUS,
    HTTPStatus.UNPROCESSABLE_ENTITY: OutcomeClass.UNPROCESSABLE,
    HTTPStatus.TOO_MANY_REQUESTS: OutcomeClass.RATE_LIMITED,
}
_OF_HUNDRED: Mapping[int, OutcomeClass] = {
    3: OutcomeClass.REDIRECTED,
    4: OutcomeClass.OTHER_4XX,
    5: OutcomeClass.SERVER_ERROR,
}
_SUCCESS = 2
_NOT_REPEATED = frozenset(
    {
        OutcomeClass.BAD_REQUEST,
        OutcomeClass.UNAUTHORIZED,
        OutcomeClass.FORBIDDEN,
        OutcomeClass.NOT_FOUND,
        OutcomeClass.UNPROCESSABLE,
    }
)


def classify_status(status: int, body: bytes) -> tuple[RequestState, OutcomeClass]:
    """Say what a whole response means."""
    if status // 100 == _SUCCESS:
        whole = is_completion(body)
        outcome = OutcomeClass.COMPLETION if whole else OutcomeClass.NOT_A_COMPLETION
    else:
        other = _OF_HUNDRED.get(status // 100, OutcomeClass.OTHER_STATUS)
        outcome = _OF_STATUS.get(status, other)
    return STATE_OF[outcome], outcome


def classify_broken(
    status: int | None, failure: OutcomeClass
) -> tuple[RequestState, OutcomeClass]:
    """Say what an exchange that broke off means. See Note [The status line decides].

    Args:
        status: the response's status, if its head arrived.
        failure: what broke it off.
    """
    if status is not None and status // 100 in _OF_HUNDRED:
        return classify_status(status, b"")
    return STATE_OF[failure], failure


def is_completion(body: bytes) -> bool:
    """Whether `body` is a chat completion: an object whose `choices` each hold a message.

    Text that PostgreSQL cannot store is no fault here: the answer stands, a send is refused later.
    """
    try:
        value = parse(body, _ENVELOPE).value
    except JsonRefused:
        return False
    choices = value.get("choices") if isinstance(value, dict) else None
    return (
        isinstance(choices, list)
        and bool(choices)
        and all(isinstance(it, dict) and isinstance(it.get("message"), dict) for it in choices)
    )


def is_repeatable(outcome: OutcomeClass) -> bool:
    """Whether the slot of a call that ended so may be sealed again as a new request."""
    return STATE_OF[outcome] is RequestState.REJECTED and outcome not in _NOT_REPEATED


def retry_delay_seconds(rejections: int, retry_after: str | None, *, now: datetime) -> float:
    """Return how long to wait before a rejected slot is sealed again.

    Args:
        rejections: requests of the slot rejected so far, this one included: 1 to `MAX_REPEATS`.
        retry_after: the header as it came, seconds or an HTTP date; what is neither is ignored.
        now: the time of the rejection.

    Raises:
        ValueError: `rejections` is out of range: the slot is not sealed again.

    Source: RFC 9110, 10.2.3 "Retry-After".
    """
    if not 1 <= rejections <= MAX_REPEATS:
        raise ValueError(f"a slot is sealed again after 1 to {MAX_REPEATS} rejections")
    asked = _asked_seconds(retry_after.strip(), now) if retry_after else None
    return asked if asked is not None else float(2 ** (rejections - 1))


def _asked_seconds(text: str, now: datetime) -> float | None:
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    aware = then if then.tzinfo is not None else then.replace(tzinfo=UTC)
    return min(max(0.0, (aware - now).total_seconds()), LONGEST_DELAY_SECONDS)
