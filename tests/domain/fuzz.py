"""Damaged and random files: the readers never crash, never hang and never lose a row.

By hand: `python -m tests.domain.fuzz --minutes 10`.  `make test` runs some seconds of it (`test_fuzz.py`).
"""

from __future__ import annotations

import argparse
import dataclasses
import faulthandler
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from research.domain import Reading, Unreadable
from research.domains.investment import DOMAIN
from tests.domain.counted import records_of
from tests.domain.workbooks import Cell, pdf, xlsx

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "research/domains/investment/samples"
SLOW_SECONDS = 10.0  # of processor time, on a machine that does other things too
HANGS_SECONDS = 120.0


@dataclass
class Tally:
    """What became of the files."""

    files: int = 0
    read: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    rows_checked: int = 0
    slowest: float = 0.0


def seeds() -> dict[str, bytes]:
    """Return the files that are damaged: real ones where they are, our own always."""
    folder = Path(os.environ.get("BULLBEAR_SAMPLE_DATA") or PROJECT.parent / "shared" / "data")
    real = (
        [path for path in sorted(folder.glob("[0-9]*")) if path.is_file()]
        if folder.is_dir()
        else []
    )
    own = sorted(SAMPLES.glob("**/*.csv"))
    made = {
        "made.pdf": pdf(["Investment policy", "At most 60 percent"], [], ["The last page"]),
        "made.xlsx": xlsx(
            {"Notes": [["Words"]], "Holdings": [["ISIN", "Name", "Weight (%)"], *_HELD]}
        ),
    }
    return {path.name: path.read_bytes() for path in [*real, *own]} | made


_HELD: list[list[Cell]] = [["US0378331005", "A", 60.5], ["DE0007164600", "B", 39.5]]


def damaged(raw: bytes, other: bytes, chance: random.Random) -> bytes:
    """Return a file with some damage of a random kind."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        raw = chance.choice(_DAMAGE)(raw, other, chance)
    return raw


def _cut(raw: bytes, other: bytes, chance: random.Random) -> bytes:
    return raw[: chance.randrange(len(raw) + 1)]


def _flip(raw: bytes, other: bytes, chance: random.Random) -> bytes:
    changed = bytearray(raw)
    for _ in range(chance.choice((1, 3, 20, 200)) if changed else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _drop(raw: bytes, other: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + raw[at + chance.choice((1, 10, 500)) :]


def _repeat(raw: bytes, other: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + raw[at : at + chance.choice((1, 50, 3_000))] * 3 + raw[at:]


def _splice(raw: bytes, other: bytes, chance: random.Random) -> bytes:
    return raw[: chance.randrange(len(raw) + 1)] + other[chance.randrange(len(other) + 1) :]


def _noise(raw: bytes, other: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + chance.randbytes(chance.choice((1, 4, 64))) + raw[at:]


def _swap(raw: bytes, other: bytes, chance: random.Random) -> bytes:
    one, two = chance.choice(_SWAPS)
    return raw.replace(one, two, chance.choice((1, 5, 10_000)))


def _lines(raw: bytes, other: bytes, chance: random.Random) -> bytes:
    lines = raw.splitlines(keepends=True)
    start = chance.randrange(len(lines) + 1)
    part = lines[start : start + chance.choice((2, 10, 100))]
    chance.shuffle(part)
    return b"".join([*lines[:start], *part, *lines[start + len(part) :]])


_DAMAGE: tuple[Callable[[bytes, bytes, random.Random], bytes], ...] = (
    _cut, _flip, _drop, _repeat, _splice, _noise, _swap, _lines,
)  # fmt: skip
_SWAPS = (
    (b",", b";"), (b'"', b""), (b".", b","), (b"\n", b"\r"), (b"\n", b"\r\n"), (b"0", b"9"), (b"-", b"("),
    (b"<", b"&lt;"), (b"Weight", b"Price"), (b"Name", b"Weight"), (b"Ticker", b""), (b"100", b"1e309"),
    (b" ", b"\t"),
    (b"}", b""), (b"[", b"[["), (b"1", b"<0.01%"), (b"ISIN", b"CUSIP"), (b"value", b"weight"),
    (b"\n", b"\n\n"),
)  # fmt: skip


def cases(chance: random.Random, files: dict[str, bytes]) -> Iterator[bytes]:
    """Yield one damaged or random file after another."""
    names = sorted(files)
    while True:
        if chance.random() < 0.1:
            raw = chance.randbytes(chance.choice((0, 1, 10, 1_000, 20_000)))
            start = chance.choice(
                (
                    b"",
                    b"PK\x03\x04",
                    b"%PDF-1.7\n",
                    b"<",
                    b"{",
                    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
                )
            )
            yield start + raw
            continue
        yield damaged(files[chance.choice(names)], files[chance.choice(names)], chance)


def check(raw: bytes, tally: Tally) -> None:
    """Read one file and hold it against what must be true of any.

    Raises:
        AssertionError: a row is lost, a class is missing, a reason is not given, or it took too long.
    """
    began = time.process_time()
    tally.files += 1
    try:
        reading = DOMAIN.read(raw, "")
    except Unreadable as refused:
        tally.refused[" ".join(refused.problem.split()[:5])] += 1
    else:
        tally.read[reading.reader] += 1
        tally.rows_checked += accounted(raw, reading)
    took = time.process_time() - began
    tally.slowest = max(tally.slowest, took)
    assert took < SLOW_SECONDS, f"reading took {took:.1f} s"


def accounted(raw: bytes, reading: Reading) -> int:
    """Check that every row of the file stands somewhere in its reading, and return how many there are.

    Raises:
        AssertionError: one does not.
    """
    assert len(reading.rows) == sum(reading.counts.values()), reading.counts
    classes = Counter(row["class"] for row in reading.rows)
    assert all(reading.counts[name] == count for name, count in classes.items())
    assert all(row.get("reason") for row in reading.rows if row["class"] == "rejected")
    json.dumps(dataclasses.asdict(reading), ensure_ascii=False, allow_nan=False).encode()
    known = records_of(raw, reading)
    if known is not None:
        assert known.total == _placed(reading), (
            known,
            dict(reading.summary),
            dict(reading.counts),
        )
        assert int(reading.summary.get("blank_rows", "0")) <= known.blank, (
            known,
            dict(reading.summary),
        )
    return len(reading.rows)


def _placed(reading: Reading) -> int:
    if "header_row" not in reading.summary or reading.kind == "covariance":
        return len(reading.rows)
    said = reading.summary
    return len(reading.rows) + int(said["preamble_rows"]) + int(said["blank_rows"]) + 1


def run(seconds: float, seed: int) -> Tally:
    """Read damaged files for some time."""
    chance, tally = random.Random(seed), Tally()  # noqa: S311 - the same files for the same seed
    files = seeds()
    until = time.monotonic() + seconds
    for raw in files.values():
        check(raw, tally)
    for number, raw in enumerate(cases(chance, files)):
        if time.monotonic() > until:
            return tally
        try:
            check(raw, tally)
        except BaseException:
            place = Path(f"fuzz_{seed}_{number}.bin")
            place.write_bytes(raw)
            sys.stderr.write(f"case {number} of seed {seed} failed; its bytes are in {place}\n")
            raise
    return tally


def main() -> None:
    """Run for the minutes asked for and print what became of the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    faulthandler.enable()
    faulthandler.dump_traceback_later(given.minutes * 60 + HANGS_SECONDS, exit=True)
    tally = run(given.minutes * 60, given.seed)
    shown: dict[str, Any] = {
        "files": tally.files,
        "read": dict(tally.read.most_common()),
        "refused": sum(tally.refused.values()),
        "refusals": dict(tally.refused.most_common(25)),
        "rows_checked": tally.rows_checked,
        "slowest_seconds": round(tally.slowest, 2),
    }
    sys.stdout.write(json.dumps(shown, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
