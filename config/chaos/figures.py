"""What came of a run, for a person or a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Recovery:
    """What became of a worker's kill, from the kill until nothing of it was under way any more.

    Args:
        second: of the run, when it was killed.
        executions: how many it ran.
        seconds: counted from the return of the database, or of a sweeper where none was left, if that was
            later: nothing can recover without both.
        seconds_with_outages: counted from the kill.
    """

    worker: str
    second: float
    executions: int
    seconds: float
    seconds_with_outages: float


@dataclass(frozen=True, slots=True)
class Seen:
    """What the witness found.

    Shape:
        ended: "state, result, reason" → how many Roots
        not_ended: one line for each Root that did not end in time
        unknown: class → how many requests
        problems: what the oracle complains of
        outages: from which until which second of the run the database did not answer
    """

    opened: int
    ended: dict[str, int]
    not_ended: list[str]
    cancelled: int
    provider_hits: int
    most_hits_of_one_request: int
    requests: int
    unknown: dict[str, int]
    receipts: int
    receipts_lost: int
    messages: int
    messages_invented: int
    recoveries: list[Recovery]
    outages: list[tuple[float, float]]
    settled_seconds: float
    problems: list[str]

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Seen:
        """Read what the witness printed."""
        recoveries = [Recovery(**one) for one in told["recoveries"]]
        outages = [(began, ended) for began, ended in told["outages"]]
        return cls(**{**told, "recoveries": recoveries, "outages": outages})


@dataclass(frozen=True, slots=True)
class Figures:
    """A whole run.

    Shape:
        faults: kind → how often it was injected
        omitted: faults that met nobody
        too_slow: workers that had to be killed after SIGTERM
    """

    seed: int
    roots: int
    minutes: float
    faults: dict[str, int]
    omitted: int
    too_slow: list[str]
    seen: Seen
    kept: str = ""

    @property
    def sound(self) -> bool:
        """Whether every Root ended, nothing was lost or invented, and the oracle is content."""
        seen = self.seen
        return not (
            seen.not_ended
            or seen.opened != self.roots
            or seen.receipts_lost
            or seen.messages_invented
            or seen.problems
        )

    def kept_in(self, folder: str) -> Figures:
        """Say where data and logs were kept."""
        return replace(self, kept=folder)

    def lines(self) -> Iterator[str]:
        """Tell it to a person."""
        seen = self.seen
        yield _line("seed", f"{self.seed} ({self.roots} Roots, {self.minutes:g} minutes)")
        yield _line("faults injected", f"{sum(self.faults.values())} ({self.omitted} met nobody)")
        yield from (_line(f"  {kind}", count) for kind, count in sorted(self.faults.items()))
        yield _line("workers too slow to drain", len(self.too_slow))
        yield _line("Roots ended", f"{sum(seen.ended.values())} of {seen.opened}")
        yield from (_line(f"  {how}", count) for how, count in sorted(seen.ended.items()))
        yield _line("Roots cancelled by request", seen.cancelled)
        yield _line("provider hits", f"{seen.provider_hits} ({seen.requests} requests sealed)")
        yield _line("most hits of one sealed request", seen.most_hits_of_one_request)
        yield _line("unknown outcomes", sum(seen.unknown.values()))
        yield from (_line(f"  {name}", count) for name, count in sorted(seen.unknown.items()))
        yield _line("acknowledged receipts lost", f"{seen.receipts_lost} of {seen.receipts}")
        yield _line("messages invented", f"{seen.messages_invented} of {seen.messages}")
        yield _line("longest recovery after a worker kill", _longest(seen.recoveries))
        yield _line("all Roots ended after healing", f"{seen.settled_seconds:.1f} s")
        yield _line("oracle", f"{len(seen.problems)} findings" if seen.problems else "clean")
        yield from (f"  {problem}" for problem in (*seen.problems, *seen.not_ended))
        if self.kept:
            yield _line("kept for a look", self.kept)


def _longest(recoveries: list[Recovery]) -> str:
    if not recoveries:
        return "no worker was killed with calls under way"
    longest = max(one.seconds for one in recoveries)
    with_outages = max(one.seconds_with_outages for one in recoveries)
    return (
        f"{longest:.1f} s ({len(recoveries)} kills with calls under way; {with_outages:.1f} s where "
        "outages of database and sweepers count)"
    )


def _line(name: str, value: object) -> str:
    return f"{name:<44} {value}"
