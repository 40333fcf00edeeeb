"""Take one guard after another away, and see its test fail: `make mutants`.

    python -m config.embedded.run -- python -m tests.mutants [WORDS OF A NAME…]

First the control: without a change, all named tests pass.  Exit status 0 if every mutant was killed.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.copies import Copy
from tests.mutants.guards import Mutant, mutants

_AT_ONCE = 2
_CONTROL_SECONDS = 1_200.0
_MUTANT_SECONDS = 240.0
_TOLD_OF_FAILURE = 3000


def main(words: Sequence[str]) -> int:
    """Try all guards whose names hold these words."""
    chosen = [one for one in mutants() if all(word in one.name for word in words)]
    if not chosen:
        sys.stderr.write("no guard of the list has a name with these words\n")
        return 2
    folder = Path(tempfile.mkdtemp(prefix="bullbear-mutants-"))
    try:
        return _try_all(chosen, [Copy(folder / str(n), 8 + n) for n in range(_AT_ONCE)])
    finally:
        shutil.rmtree(folder)


def _try_all(chosen: Sequence[Mutant], copies: Sequence[Copy]) -> int:
    tests = sorted({test for one in chosen for test in one.killed_by})
    sys.stdout.write(f"control: {len(tests)} named tests without a change …\n")
    control = copies[0].run(tests, seconds=_CONTROL_SECONDS)
    if not control.passed:
        sys.stdout.write(f"{control.output[-_TOLD_OF_FAILURE:]}\nthe control fails\n")
        return 1
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def is_killed(guard: Mutant) -> bool:
        copy = free.get()
        try:
            with copy.without(guard):
                outcome = copy.run(guard.killed_by, seconds=_MUTANT_SECONDS)
        finally:
            free.put(copy)
        told = f"killed by {outcome.failed}" if outcome.failed else "SURVIVED"
        sys.stdout.write(f"{guard.name}: {told}\n")
        sys.stdout.flush()
        if not (outcome.failed or outcome.passed):
            sys.stdout.write(f"{outcome.output[-_TOLD_OF_FAILURE:]}\n")
        return bool(outcome.failed)

    with ThreadPoolExecutor(len(copies)) as pool:
        killed = sum(pool.map(is_killed, chosen))
    sys.stdout.write(f"{killed} of {len(chosen)} killed\n")
    return 0 if killed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
