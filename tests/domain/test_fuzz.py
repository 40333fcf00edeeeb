"""Some seconds of the fuzz test; `python -m tests.domain.fuzz --minutes 10` runs as long as one likes."""

from __future__ import annotations

from tests.domain.fuzz import run

SECONDS = 5


def test_damaged_files_never_crash_hang_or_lose_a_row() -> None:
    tally = run(SECONDS, seed=2026)
    assert tally.files > 20
    assert tally.read
    assert tally.refused
