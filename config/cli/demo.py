"""`bullbear demo`: a fresh stack, the sample question, its report and proof, and nothing left running."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from config.cli.exits import Exit, Problem
from config.configuration import load
from config.embedded.own_processes import OwnProcesses
from config.embedded.processes import Command
from config.embedded.stack import Stack, prepared_stack
from config.embedded.supervisor import Stopping
from research.domain import Domain
from research.domains.registry import UnknownDomain
from research.domains.registry import domain as domain_named


def demo(
    *,
    domain: Annotated[
        str, typer.Option(help="Whose sample files; BULLBEAR_DOMAIN by default.")
    ] = "",
) -> None:
    """Run one dialogue on the sample files, from question to report, and stop everything.

    The stack is a fresh one on free ports; servers and provider that settings name are used as they
    are. Report and receipts stay in BULLBEAR_HOME/demo.
    """
    env = load()
    try:
        of_domain = domain_named(domain or env.domain)
    except UnknownDomain as refused:
        raise Problem(Exit.USAGE, str(refused)) from refused
    kept = env.home / "demo"
    with _fresh_home() as home:
        os.environ["BULLBEAR_HOME"] = str(home)
        with prepared_stack(load()) as stack:
            typer.echo("Starting PostgreSQL, Valkey, model, web, worker and sweeper …", err=True)
            try:
                stack.start()
                status = _ask(stack, of_domain, kept)
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


def _ask(stack: Stack, of_domain: Domain, kept: Path) -> int:
    """Type what a person would type, and return its status."""
    sample = of_domain.sample
    sources = [part for name in sample.sources for part in ("--source", str(sample.folder / name))]
    typer.echo(f"Question · {sample.question}", err=True)
    own = OwnProcesses(stack.env, stack.folders, stack.settings)
    command, environment = own.client(
        "ask",
        sample.question,
        *("--domain", of_domain.name),
        *(f"--{of_domain.subject_kind}", str(sample.folder / sample.subject)),
        *sources,
        *("--keep", str(kept)),
    )
    return stack.supervisor.attend(Command(command, environment))
