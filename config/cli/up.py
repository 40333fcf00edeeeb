"""`bullbear up`: run everything in the foreground until Ctrl-C."""

from __future__ import annotations

import typer

from config.configuration import load
from config.embedded.stack import prepared_stack
from config.embedded.supervisor import Stopping

_TEND_SECONDS = 0.1


def up() -> None:
    """Start PostgreSQL, Valkey, model, web, worker and sweeper, as far as no setting names others.

    Runs until Ctrl-C or SIGTERM, starts again what ends, and leaves nothing behind.
    """
    with prepared_stack(load()) as stack:
        typer.echo(f"Starting in {stack.folders.home} …", err=True)
        try:
            stack.start()
        except Stopping:
            return
        typer.echo(f"bullbear is up: {stack.runtime.web_url}", err=True)
        typer.echo(f"Flower, with the same login: {stack.runtime.flower_url}", err=True)
        typer.echo(
            f"Log in as `admin`; the password is in {stack.folders.runtime_file}. "
            "Ctrl-C stops everything.",
            err=True,
        )
        while not stack.supervisor.stopping.wait(_TEND_SECONDS):
            stack.supervisor.tend()
        typer.echo("Stopping; calls in flight are awaited. Ctrl-C again does not wait.", err=True)
    typer.echo("Stopped.", err=True)
