"""Measure what a broker costs that is frozen with SIGSTOP, on private servers.

    python -m tests.outages.frozen_broker --seconds 60

It opens a Root a second and reads a page of the admin four times a second: for half as long with a live
broker, for so long with a frozen one, and with the live one again.  Then every Root must end.  Ratios compare
phases of one run.  Commits per second count every session and fall while the broker is frozen, because steps
that need a hint wait until the sweeper brings them on; what the API commits does not.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from tests.outages.brokers.frozen_load import Felt, Figures

EVERY_SECONDS = 1.0
_PRIVATE = "_test_"


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description="Freeze the broker under load.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long it is frozen")
    seconds = parser.parse_args().seconds
    if _PRIVATE not in os.environ.get("BULLBEAR_DATABASE_URL", ""):
        _again_on_private_servers()
    django.setup()
    from django.conf import settings  # noqa: PLC0415  it needs the set-up

    from config.embedded.folders import prepare  # noqa: PLC0415
    from config.migration import migrate  # noqa: PLC0415
    from tests import oracle  # noqa: PLC0415
    from tests.outages.brokers.frozen_load import Freezing  # noqa: PLC0415
    from tests.outages.brokers.scripts import SCRIPT  # noqa: PLC0415
    from tests.outages.brokers.stack import Stack  # noqa: PLC0415

    migrate(settings.BULLBEAR, verbosity=0)
    home = Path(tempfile.mkdtemp(prefix="bullbear-frozen-"))
    home.chmod(0o711)
    try:
        with Stack(prepare(home), SCRIPT) as stack:
            stack.worker()
            stack.sweeper()
            stack.wait_for_workers()
            freezing = Freezing(stack)
            figures = freezing.measure(
                before=seconds / 2, frozen=seconds, after=seconds / 2, every=EVERY_SECONDS
            )
            hits = stack.double.hits()
            for root in figures.roots:
                oracle.check(root, hits)
            for line in lines(figures):
                sys.stdout.write(f"{line}\n")
    finally:
        shutil.rmtree(home)


def lines(figures: Figures) -> Iterator[str]:
    """Say what was measured."""
    felt = figures.felt
    before, frozen = felt["before"], felt["frozen"]
    yield "phase     seconds   open a Root: n p50 p95 ms     admin page: n p50 p95 ms     commits/s"
    for phase, one in felt.items():
        yield (
            f"{phase:<8} {one.seconds:>8.1f}   {_row(one.opens)}   {_row(one.pages)}"
            f"   {one.commits_per_second:>8.1f}"
        )
    yield (
        f"ratio frozen / before of p95: opening {_ratio(before, frozen, 'opens'):.2f}, "
        f"page {_ratio(before, frozen, 'pages'):.2f}"
    )
    rates = [len(one.opens) / one.seconds for one in (before, frozen)]
    yield (
        f"Roots committed by the API per second: {rates[0]:.2f} before, {rates[1]:.2f} frozen, "
        f"ratio {rates[1] / rates[0]:.2f}"
    )
    yield (
        "answers in flight recorded after their release: "
        f"{before.recording * 1000:.0f} ms before, {frozen.recording * 1000:.0f} ms frozen"
    )
    yield (
        f"a publisher that waits gives up after {figures.publishing.seconds:.1f} s "
        f"({figures.publishing.error or 'it was taken'}); nobody waits for it"
    )
    results = Counter(str(root.result) for root in figures.roots)
    yield (
        f"Roots opened {len(figures.roots)}, ended {sum(results.values())} {dict(results)}, "
        f"all within {figures.until_the_end:.1f} s of SIGCONT; the oracle is content"
    )


def _row(values: list[float]) -> str:
    from tests.outages.brokers.frozen_load import percentile  # noqa: PLC0415  it needs the set-up

    return f"{len(values):>6} {percentile(0.5, values) * 1000:>9.1f} {percentile(0.95, values) * 1000:>9.1f}"


def _ratio(before: Felt, frozen: Felt, what: str) -> float:
    from tests.outages.brokers.frozen_load import percentile  # noqa: PLC0415

    return percentile(0.95, getattr(frozen, what)) / percentile(0.95, getattr(before, what))


def _again_on_private_servers() -> None:
    """Start this measurement anew beside servers of its own."""
    given = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "BULLBEAR_DATABASE_POOL_SIZE": "0",
        "BULLBEAR_MODEL": "bullbear-rehearsal",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    }
    again = [sys.executable, "-m", "tests.outages.frozen_broker", *sys.argv[1:]]
    command = [sys.executable, "-m", "config.embedded.run", "--", *again]
    os.execve(sys.executable, command, os.environ | given)  # noqa: S606  our own


if __name__ == "__main__":
    main()
