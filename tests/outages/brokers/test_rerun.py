"""Flower's stock API runs any step again, as often as anybody likes: one effect. Tasks carry ids only."""

from __future__ import annotations

import base64
import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from audit.oracle import take_census
from bullbear.lifecycle import Role
from bullbear.models import Child
from bullbear.outbox import ADVANCE
from tests.crash.snapshot import take
from tests.factories import FUND_FILE, QUESTION
from tests.outages.brokers.stack import Stack, execution

PASSWORD = "flower-password"
TIMES = 20
RERUN = f"api/task/async-apply/{ADVANCE}"


@dataclass
class Watched:
    """A stack and its Flower."""

    stack: Stack
    flower: str

    def ask(self, path: str, keys: dict[str, str] | None = None, *, password: str = "") -> bytes:
        """Ask Flower; with `keys` it is a POST that runs a task."""
        data = None if keys is None else json.dumps({"kwargs": keys}).encode()
        request = urllib.request.Request(self.flower + path, data)  # noqa: S310  loopback
        if password:
            token = base64.b64encode(f"admin:{password}".encode()).decode()
            request.add_header("Authorization", f"Basic {token}")
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            body: bytes = answer.read()
        return body

    def rerun(self, child: UUID) -> str:
        """Run a step again; return the task's id."""
        answer = self.ask(RERUN, {"execution_id": str(child)}, password=PASSWORD)
        return str(json.loads(answer)["task-id"])

    def tasks(self) -> dict[str, dict[str, Any]]:
        """Return the tasks that Flower knows, by id."""
        found: dict[str, dict[str, Any]] = json.loads(self.ask("api/tasks", password=PASSWORD))
        return found


@pytest.fixture(scope="module")
def all_watched(whole_stack: Stack) -> Watched:
    """The same Flower for all tests."""
    return Watched(whole_stack, whole_stack.flower(PASSWORD))


@pytest.fixture
def watched(stack: Stack, all_watched: Watched) -> Watched:
    """It runs, and so does everybody."""
    return all_watched


class TestFlower:
    @pytest.mark.parametrize(
        ("path", "keys"),
        [
            ("", None),
            ("tasks", None),
            ("api/tasks", None),
            ("api/workers", None),
            (RERUN, {"execution_id": "0"}),
        ],
    )
    @pytest.mark.parametrize("password", ["", "guessed"])
    def test_lets_nobody_in_without_its_password(
        self, watched: Watched, path: str, keys: dict[str, str] | None, password: str
    ) -> None:
        """Scenario C08."""
        with pytest.raises(urllib.error.HTTPError) as refused:
            watched.ask(path, keys, password=password)
        refused.value.close()
        assert refused.value.code == 401

    def test_runs_no_task_of_another_name(self, watched: Watched) -> None:
        """Scenario C08. There is none that does anything else."""
        with pytest.raises(urllib.error.HTTPError) as refused:
            watched.ask("api/task/async-apply/bullbear.sell", {}, password=PASSWORD)
        refused.value.close()
        assert refused.value.code == 404


class TestRunningAStepAgain:
    def test_twenty_times_after_the_end_changes_nothing(self, watched: Watched) -> None:
        """Scenario C08. Every execution of the Root."""
        stack = watched.stack
        root = stack.open()
        (at_end,) = stack.end(root)
        census = take_census()
        children = [child.pk for child in Child.objects.filter(root=root)]
        with ThreadPoolExecutor(4) as threads:
            tasks = set(threads.map(watched.rerun, children * TIMES))
        assert len(tasks) == TIMES * len(children)
        stack.see(lambda: tasks <= set(stack.steps_taken()))
        assert take(root.pk, stack.double.hits()) == at_end
        assert take_census() == census

    def test_twenty_times_at_once_takes_it_once(self, watched: Watched) -> None:
        """Scenario C08. A step that stands still, because its hint was lost and no sweeper runs."""
        stack = watched.stack
        stack.stop_sweepers()
        stack.stop_workers()
        root = stack.open()
        stack.see(lambda: stack.broker.waiting() >= 1)
        stack.broker.empty()
        stack.start_workers()
        main = execution(root, Role.MAIN)
        assert Child.objects.get(pk=main).state == "ready"
        with ThreadPoolExecutor(TIMES) as threads:
            tasks = set(threads.map(watched.rerun, [main] * TIMES))
        assert len(tasks) == TIMES
        (at_end,) = stack.end(root)
        assert (at_end.result, at_end.end_reason) == ("complete", "settled")
        assert len(at_end.calls) == 6
        assert set(at_end.hits.values()) == {1}

    def test_shows_ids_only(self, watched: Watched) -> None:
        """Scenario C08. No text of a question, source or answer reaches the broker or Flower."""
        stack = watched.stack
        root = stack.open("a question nobody may read here")
        (_,) = stack.end(root)
        children = {str(child.pk) for child in Child.objects.filter(root=root)}

        def known() -> set[str]:
            return {one["kwargs"] for one in watched.tasks().values()}

        wanted = {repr({"execution_id": child}) for child in children}
        end = time.monotonic() + 30
        while not wanted <= known() and time.monotonic() < end:
            time.sleep(0.2)
        told = watched.tasks()
        assert wanted <= known()
        assert {one["args"] for one in told.values()} <= {"()", "[]"}
        assert {one["result"] for one in told.values()} <= {None, "None"}
        everything = json.dumps(told)
        secrets = (QUESTION, "nobody may read", FUND_FILE.raw.decode()[:20])
        assert not [text for text in secrets if text in everything]
