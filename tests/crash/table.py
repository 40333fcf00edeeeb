"""Scenario: the crash table, every row of it that a chosen test names.

python -m tests.crash.table FOLDER      the rows stand in its file `crashes`
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from config.database_roles import create_database, drop_database
from tests.crash.stage import end_when_told, play, private_database
from tests.provider_double import ProviderDouble

if TYPE_CHECKING:  # they import models, which need the set-up
    from tests.crash.crashes import Crash
    from tests.crash.story import Told

_ROWS = "crashes"


def write_rows(folder: Path, crashes: Collection[Crash]) -> None:
    """Say which rows are to be played."""
    with (folder / _ROWS).open("wb") as file:
        pickle.dump(list(crashes), file)


def scenario(folder: Path, double: ProviderDouble) -> Told:
    """Play the rows."""
    from tests.crash.fleet import Fleet  # noqa: PLC0415  models need the set-up
    from tests.crash.processes import StepEntry  # noqa: PLC0415  so does this

    with (folder / _ROWS).open("rb") as file:
        crashes = pickle.load(file)  # noqa: S301  the test's own process has just written it
    environment = {"OPENAI_BASE_URL": double.base_url}
    with StepEntry(environment, folder / "entry.log") as entry:
        return Fleet(folder, double, entry).run(crashes)


def main() -> None:
    """Play it on a database of its own."""
    end_when_told()
    address = private_database(f"table_{os.getpid()}")
    create_database(address)
    try:
        play(address, 4, scenario)
    finally:
        drop_database(address)


if __name__ == "__main__":
    main()
