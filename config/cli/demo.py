"""`bullbear demo`: a fresh stack, the sample question, its report and proof, and nothing left running."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
                status = Demo(stack, kept).run()
            except Stopping:
                status = Exit.FAILURE
    typer.echo("Everything is stopped.", err=True)
    if status != Exit.OK:
        raise typer.Exit(status)


@contextmanager
def _fresh_home() -> Iterator[Path]:
    home = Path(tempfile.mkdtemp(prefix="bullbear-demo-"))
    home.chmod(0o711)
    try:
        yield home
    finally:
        shutil.rmtree(home)


@dataclass(frozen=True, slots=True)
class Demo:
    """What a person would type, typed for him: ask, show, verify."""

    stack: Stack
    kept: Path

    def run(self) -> int:
        """Ask the sample question, keep what comes of it, and verify it."""
        self.kept.mkdir(parents=True, exist_ok=True)
        result = self.kept / "result.json"
        others = sorted(path for path in SAMPLES.glob("*.csv") if path.stem != "portfolio")
        sources = [part for path in others for part in ("--source", str(path))]
        portfolio = str(SAMPLES / "portfolio.csv")
        typer.echo(f"Question · {QUESTION}", err=True)
        asked = ("ask", QUESTION, "--portfolio", portfolio, *sources, "--json")
        status = self._bullbear(*asked, output=result)
        if status != Exit.OK:
            return status
        root = json.loads(result.read_text())["root"]
        report, receipts = self.kept / f"{root}.md", self.kept / f"{root}.receipts.json"
        return (
            self._bullbear("show", root, output=report)
            or self._bullbear("show", root, "--receipts", output=receipts)
            or self._bullbear("verify", root)
            or self._tell(report, receipts)
        )

    def _tell(self, report: Path, receipts: Path) -> int:
        typer.echo(f"Report    {report}")
        typer.echo(f"Receipts  {receipts}")
        return Exit.OK

    def _bullbear(self, *arguments: str, output: Path | None = None) -> int:
        own = OwnProcesses(self.stack.env, self.stack.folders, self.stack.settings)
        command, environment = own.client(*arguments)
        return self.stack.supervisor.attend(Command(command, environment, output))
