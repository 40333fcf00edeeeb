"""Wrap the functions of `kill_points.py` in this process, which then dies or stops at the one it was told.

Imported by the tests' own entries only, in processes that hold no test.
"""

from __future__ import annotations

import functools
import importlib
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from bullbear.models import Child
from tests.crash.kill_points import POINTS, STEPS

PACKAGES = ("audit", "bullbear", "config", "dialogue", "research", "tests")
FEW_BYTES = 40


@dataclass(frozen=True)
class Kill:
    """Where, and how.

    Args:
        point: of `POINTS`.
        step: of `STEPS`, whose call the point must be reached in; "" anywhere.
        role: whose step it is; "" anybody's.
        nth: which step of that kind of that role, counted in this process.
        hit: which time the point is reached there.
        sign: the signal that the process sends itself.
        root: only in steps of this Root, where several are under way.
    """

    point: str
    step: str = ""
    role: str = ""
    nth: int = 1
    hit: int = 1
    sign: str = "SIGKILL"
    root: str = ""


@dataclass
class _Here:
    """What this thread is doing."""

    root: str = ""
    role: str = ""
    steps: list[tuple[str, int]] = field(default_factory=list)


class Armed:
    """This process's kill, and how far it is."""

    def __init__(self, kill: Kill) -> None:
        self._kill = kill
        self._local = threading.local()
        self._lock = threading.Lock()
        self._steps: Counter[tuple[str, str, str]] = Counter()
        self._hits = 0

    def install(self) -> None:
        """Wrap what is needed, once all modules are imported."""
        point = POINTS[self._kill.point]
        _replace(point.target, functools.partial(self._dying, point.when))
        for step, target in STEPS.items():  # around the point, where both are the same function
            _replace(target, functools.partial(self._stepping, step))
        _replace("dialogue.steps.advance", self._advancing)

    @property
    def _here(self) -> _Here:
        if not hasattr(self._local, "here"):
            self._local.here = _Here()
        here: _Here = self._local.here
        return here

    def _advancing(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def advance(execution_id: UUID, **rest: Any) -> Any:
            child = Child.objects.get(pk=execution_id)
            self._here.root, self._here.role = str(child.root_id), str(child.role)
            return function(execution_id, **rest)

        return advance

    def _stepping(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def stepping(*args: Any, **rest: Any) -> Any:
            with self._within(step):
                return function(*args, **rest)

        return stepping

    @contextmanager
    def _within(self, step: str) -> Iterator[None]:
        here = self._here
        key = (here.root, here.role, step)
        with self._lock:
            self._steps[key] += 1
            here.steps.append((step, self._steps[key]))
        try:
            yield
        finally:
            here.steps.pop()

    def _dying(self, when: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def dying(*args: Any, **rest: Any) -> Any:
            if when == "before":
                self._reached()
            elif when == "half" and self._is_due():
                args = _halved(args)
            result = function(*args, **rest)
            if when != "before":
                self._reached()
            return result

        return dying

    def _matches(self) -> bool:
        kill, here = self._kill, self._here
        if kill.root and kill.root != here.root:
            return False
        if kill.role and kill.role != here.role:
            return False
        return not kill.step or (kill.step, kill.nth) in here.steps

    def _is_due(self) -> bool:
        return self._matches() and self._hits + 1 == self._kill.hit

    def _reached(self) -> None:
        if not self._matches():
            return
        with self._lock:
            self._hits += 1
            due = self._hits == self._kill.hit
        if due:
            # To this very thread: it does not run one instruction of the product further.
            signal.pthread_kill(threading.get_ident(), signal.Signals[self._kill.sign])


def _halved(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Write half of what was to be written, or read a few bytes of what is to be read."""
    stream, what = args
    return (stream, what[: len(what) // 2] if isinstance(what, bytes) else FEW_BYTES)


def _replace(target: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Wrap a function wherever it was imported to, or a method in its class."""
    owner, name = _owner_of(target)
    found = getattr(owner, name)
    wrapped = wrap(found)
    setattr(owner, name, wrapped)
    for module in list(sys.modules.values()):
        if module.__name__.partition(".")[0] in PACKAGES:
            for alias, value in list(vars(module).items()):
                if value is found:
                    setattr(module, alias, wrapped)


def _owner_of(target: str) -> tuple[Any, str]:
    parts = target.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            owner: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:-1]:
            owner = getattr(owner, part)
        return owner, parts[-1]
    raise LookupError(target)


def arm(kill: Mapping[str, Any] | None) -> None:
    """Arm this process, if it is to die."""
    if kill is not None:
        Armed(Kill(**kill)).install()
