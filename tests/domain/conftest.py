"""Files for the readers: real ones where the sample folder is present, our own ones always."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def real_file() -> Callable[[str], bytes]:
    """Return a function that reads the real file of this number, or skips by its name."""
    folder = Path(
        os.environ.get("BULLBEAR_SAMPLE_DATA") or PROJECT.parent / "shared" / "data"
    ).resolve()

    def of_number(number: str) -> bytes:
        found = sorted(folder.glob(f"{number}_*"))
        if not found:
            pytest.skip(f"real file {number}_* is not in {folder} (BULLBEAR_SAMPLE_DATA)")
        return found[0].read_bytes()

    return of_number
