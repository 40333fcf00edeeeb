"""`bullbear demo`: a fresh stack, the sample question, its report and proof, and nothing left running."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from config.cli.exits import Exit
from config.configuration import load
from config.embedded.own_processes import OwnProcesses
from config.embedded.processes import Command
from config.embedded.stack import Stack, prepared_stack
from config.embedded.supervisor import Stopping
from config.env import PROJECT

SAMPLES = PROJECT / "research" / "domains" / "investment" / "samples"
QUESTION = (
    "I want to move 10 points of my portfolio into the Technology ETF, because one more fund means "
    "more diversification. Does it?"
)


def demo() -> None:
    """Run one dialogue on the sample files, from question to report, and stop everything.

    The stack is a fresh one on free ports; servers and provider that settings name are used as they
    are. Report and receipts stay in BULLBEAR_HOME/demo.
    """
    kept = load().home / "demo"
    with _fresh_home() as home:
        os.environ["BULLBEAR_HOME"] = str(home)
        with prepared_stack(load()) as stack:
            typer.echo("Starting PostgreSQL, Valkey, model, web, worker and sweeper …", err=True)
            try:
                stack.start()
                status = _ask(stack, kept)
            except Stopping:
                status = Exit.FAILURE
        if status != Exit.OK:
            raise typer.Exit(status)
    typer.echo("Everything is stopped.", err=True)


@contextmanager
def _fresh_home() -> Iterator[Path]:
    """Make a home and take it away again; after a failure its logs stay."""
    home = Path(tempfile.mkdtemp(prefix="bullbear-demo-"))
    home.chmod(0o711)
    try:
        yield home
    except BaseException:
        shutil.rmtree(home / "servers", ignore_errors=True)
        typer.echo(f"The logs are in {home / 'logs'}.", err=True)
        raise
    shutil.rmtree(home)


def _ask(stack: Stack, kept: Path) -> int:
    """Type what a person would type, and return its status."""
    others = sorted(path for path in SAMPLES.glob("*.csv") if path.stem != "portfolio")
    sources = [part for path in others for part in ("--source", str(path))]
    portfolio = str(SAMPLES / "portfolio.csv")
    typer.echo(f"Question · {QUESTION}", err=True)
    own = OwnProcesses(stack.env, stack.folders, stack.settings)
    command, environment = own.client(
        "ask", QUESTION, "--portfolio", portfolio, *sources, "--keep", str(kept)
    )
    return stack.supervisor.attend(Command(command, environment))
