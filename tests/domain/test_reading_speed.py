"""How long a file may take, in processor time, and how much memory a large one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

import pytest

from research.domains.investment import DOMAIN

RealFile = Callable[[str], bytes]
PROJECT = Path(__file__).resolve().parents[2]
MEGABYTE = 1024 * 1024
READ_AND_MEASURE = """
import sys
from research.domain import Unreadable
from research.domains.investment import DOMAIN
with open(sys.argv[1], "rb") as file:
    raw = file.read()
print(len(DOMAIN.read(raw, "").rows))
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


@pytest.mark.parametrize(("number", "rows", "seconds"), [("06", 500, 0.3), ("08", 2_300, 1.5)])
def test_a_workbook(real_file: RealFile, number: str, rows: int, seconds: float) -> None:
    raw = real_file(number)
    assert len(DOMAIN.read(raw, "").rows) > rows
    taken = []
    for _ in range(5):
        began = process_time()
        DOMAIN.read(raw, "")
        taken.append(process_time() - began)
    assert median(taken) < seconds


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_file_of_50_megabytes_takes_less_than_200(tmp_path: Path) -> None:
    rows, note = 12_000, ",".join(["x" * 980] * 4)
    path = tmp_path / "large"
    header = "Name,ISIN,Ticker,Sector,Asset Class,Weight (%),Market Value,A,B,C,D"
    with path.open("w", encoding="utf-8") as file:
        file.write(f"Fund,Large\n{header}\n")
        for number in range(rows):
            file.write(
                f"公司 {number},US{number:09d}0,T{number},Energy,Equity,0.008,{number}.5,{note}\n"
            )
    assert 45 * MEGABYTE < path.stat().st_size < 50 * MEGABYTE
    told = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", READ_AND_MEASURE, str(path)],
        cwd=PROJECT, check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    assert int(told[0]) == rows
    assert int(told[1]) < 200 * 1024
