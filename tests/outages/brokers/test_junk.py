"""What is no hint in the queue is refused, and the worker that found it goes on, with its calls in flight."""

from __future__ import annotations

import base64
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from audit.oracle import take_census
from bullbear.lifecycle import Role
from bullbear.outbox import ADVANCE
from config.broker import LARGEST_BODY, why_no_message
from tests.outages.brokers.scripts import IN_A_CALL
from tests.outages.brokers.stack import Stack, execution
from tests.scripted import PLAN

REFUSED = '"hint_refused"'


def a_message(
    body: bytes = b"[[], {}, {}]",
    *,
    task: str = ADVANCE,
    content_type: str = "application/json",
    **changed: Any,
) -> dict[str, Any]:
    """Build what Celery puts into a queue."""
    return {
        "body": base64.b64encode(body).decode(),
        "content-encoding": "binary" if "python" in content_type else "utf-8",
        "content-type": content_type,
        "headers": {"lang": "py", "task": task, "id": str(uuid4()), "retries": 0, "eta": None},
        "properties": {
            "delivery_mode": 2,
            "delivery_info": {"exchange": "", "routing_key": "bullbear"},
            "priority": 0,
            "body_encoding": "base64",
            "delivery_tag": str(uuid4()),
        },
        **changed,
    }


def without(name: str, *path: str) -> dict[str, Any]:
    """Leave something out of a message."""
    message = a_message()
    place = message
    for one in path:
        place = place[one]
    del place[name]
    return message


class Touch:
    """Writes a file where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


RAW = {
    "nothing": b"",
    "a word": b"junk",
    "bytes": bytes(range(256)),
    "half a message": json.dumps(a_message()).encode()[:200],
    "a list": b"[]",
    "an empty object": b"{}",
    "a number": b"7",
    "nothing at all": b"null",
    "not a number": b"NaN",
    "a number of 5,000 digits": b"9" * 5_000,
    "nesting 100,000 deep": b"[" * 100_000,
    "a value of an unknown type": b'{"__type__": "x", "__value__": 1}',
    "a date that is none": b'{"__type__": "date", "__value__": 7}',
    "a pickle": pickle.dumps(Touch(Path("/nowhere"))),
    "50 MB": b"x" * 50_000_000,
}
MESSAGES = {
    "no properties": without("properties"),
    "no headers": without("headers"),
    "headers that are a list": a_message(headers=[]),
    "no body": without("body"),
    "a body that is a list": {**a_message(), "body": []},
    "a body that is not base64": {**a_message(), "body": "%%%"},
    "no delivery tag": without("delivery_tag", "properties"),
    "no delivery": without("delivery_info", "properties"),
    "no id": without("id", "headers"),
    "no task": without("task", "headers"),
    "an encoding nobody has": {
        **a_message(),
        "properties": {**a_message()["properties"], "body_encoding": "rot13"},
    },
    "an encoding that is a list": {
        **a_message(),
        "properties": {**a_message()["properties"], "body_encoding": []},
    },
    "50 MB": a_message(b"x" * 50_000_000),
}
# These are messages: Celery itself refuses them.
INSIDE = {
    "an unknown task": a_message(task="bullbear.sell_everything"),
    "no JSON inside": a_message(b"junk"),
    "an object inside": a_message(b"{}"),
    "a number inside": a_message(b"7"),
    "an unknown content type": a_message(content_type="application/x-unknown"),
    "YAML": a_message(b"!!python/object/apply:os.system [id]", content_type="application/x-yaml"),
}
# Celery takes these, and makes what it can of them.
STRANGE = {
    "a time that is none": {"eta": {"a": 1}},
    "a time far away": {"eta": "9999-12-31T23:59:59+14:00"},
    "an end that is none": {"expires": "yesterday"},
    "an end long ago": {"expires": -1e300},
    "limits that are none": {"timelimit": 7},
    "retries that are a list": {"retries": []},
    "a parent that is an object": {"root_id": {}, "parent_id": []},
    "a group that is a number": {"group": 7, "group_index": "x"},
    "a language of its own": {"lang": 7, "origin": None, "shadow": ["x"]},
    "stamps that are none": {"stamps": 7, "stamped_headers": "x"},
}


class TestWhyNoMessage:
    """`why_no_message`."""

    @pytest.mark.parametrize("item", [a_message(), {**a_message(), "headers": {}}])
    def test_lets_messages_pass(self, item: dict[str, Any]) -> None:
        assert why_no_message(item) == ""

    @pytest.mark.parametrize("item", [*INSIDE.values()], ids=[*INSIDE])
    def test_looks_at_the_outside_only(self, item: dict[str, Any]) -> None:
        assert why_no_message(item) == ""

    @pytest.mark.parametrize("size", [LARGEST_BODY, LARGEST_BODY + 1])
    def test_knows_how_large_a_hint_is(self, size: int) -> None:
        assert bool(why_no_message({**a_message(), "body": "x" * size})) == (size > LARGEST_BODY)

    @pytest.mark.parametrize(
        ("item", "why"),
        [
            (None, "no object"),
            ([], "no object"),
            ({}, "no message"),
            (MESSAGES["no body"], "no body, or a large one"),
            (MESSAGES["no delivery tag"], "no delivery"),
            (MESSAGES["an encoding nobody has"], "no encoding that is known"),
            (MESSAGES["no id"], "no task, or no id"),
            (MESSAGES["no task"], "no task, or no id"),
        ],
    )
    def test_says_what_is_missing(self, item: object, why: str) -> None:
        assert why_no_message(item) == why


CELERY_REFUSES = (
    "Received unregistered task",
    "Can't decode message body",
    "Received invalid task",
)


@pytest.fixture(scope="module", autouse=True)
def _a_call_in_flight(whole_stack: Stack) -> Iterator[None]:
    """It goes on through all tests; at the end it is answered, and recorded by the worker that began it."""
    root = whole_stack.open(IN_A_CALL)
    whole_stack.see(lambda: whole_stack.has_asked(PLAN, IN_A_CALL))
    yield
    whole_stack.double.release("in a call")
    (at_end,) = whole_stack.end(root)
    assert (at_end.result, at_end.receipts["child_rescued"]) == ("complete", 0)


def refusals(stack: Stack) -> int:
    """Count the items that the worker refused so far."""
    log = stack.log_of("worker")
    return log.count(REFUSED) + sum(log.count(one) for one in CELERY_REFUSES)


def refuses(stack: Stack, item: bytes) -> None:
    """Put an item into the queue and see the worker refuse it, and nothing else happen."""
    before, census = refusals(stack), take_census()
    stack.broker.put(item)
    stack.see(lambda: refusals(stack) > before or not stack.is_well)
    stack.heal()
    assert refusals(stack) == before + 1
    assert stack.broker.waiting() == 0
    assert take_census() == census


class TestJunkInTheQueue:
    @pytest.mark.parametrize("item", [*RAW.values()], ids=[*RAW])
    def test_that_is_no_message_is_refused(self, stack: Stack, item: bytes) -> None:
        """Scenario C09."""
        refuses(stack, item)

    @pytest.mark.parametrize("item", [*MESSAGES.values()], ids=[*MESSAGES])
    def test_that_lacks_something_is_refused(self, stack: Stack, item: dict[str, Any]) -> None:
        """Scenario C09."""
        refuses(stack, json.dumps(item).encode())

    @pytest.mark.parametrize("item", [*INSIDE.values()], ids=[*INSIDE])
    def test_inside_a_message_is_refused(self, stack: Stack, item: dict[str, Any]) -> None:
        """Scenario C09. An unknown task among them: a hint of newer code that this one does not have."""
        refuses(stack, json.dumps(item).encode())

    @pytest.mark.parametrize("headers", [*STRANGE.values()], ids=[*STRANGE])
    def test_in_a_messages_headers_stops_nobody(
        self, stack: Stack, headers: dict[str, Any]
    ) -> None:
        """Scenario C09. The worker goes past it, to the message behind."""
        message, census = a_message(), take_census()
        message["headers"] |= headers
        behind = f"bullbear.behind.{uuid4()}"
        stack.broker.put(json.dumps(message).encode())
        stack.broker.put(json.dumps(a_message(task=behind)).encode())
        stack.see(lambda: behind in stack.log_of("worker") or not stack.is_well)
        stack.heal()
        assert take_census() == census

    def test_that_would_run_when_unpickled_does_not(self, stack: Stack, tmp_path: Path) -> None:
        """Scenario C09."""
        touched = tmp_path / "touched"
        raw = pickle.dumps(([], {"execution_id": Touch(touched)}, {}))
        pickle.loads(raw)  # noqa: S301  so it does run where somebody unpickles it
        assert touched.exists()
        touched.unlink()
        message = a_message(raw, content_type="application/x-python-serialize")
        refuses(stack, json.dumps(message).encode())
        assert not touched.exists()

    def test_leaves_the_hints_behind_it_alone(self, stack: Stack) -> None:
        """Scenario C09. Junk before, between and after them; there is no sweeper here."""
        stack.stop_sweepers()
        stack.broker.put(b"junk")
        roots = [stack.open() for _ in range(2)]
        stack.broker.put(b"{}")
        for at_end in stack.end(*roots):
            assert (at_end.result, at_end.end_reason) == ("complete", "settled")
        stack.host.publish("bullbear.tomorrow", execution_id=str(execution(roots[0], Role.MAIN)))
        stack.see(lambda: "bullbear.tomorrow" in stack.log_of("worker"))
