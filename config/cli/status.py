"""`bullbear status`: what runs now."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from config.cli.exits import Exit
from config.configuration import load
from config.embedded.processes import is_alive
from config.embedded.runtime_file import running


def status(
    *, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
) -> None:
    """Show the stack that runs in BULLBEAR_HOME: its address and its processes."""
    home = load().home
    found = running(home / "runtime.json")
    processes = found.processes if found else {}
    shown = {
        "home": str(home),
        "supervisor": found.supervisor.pid if found else None,
        "web_url": found.web_url if found else "",
        "processes": {
            name: {"pid": one.pid, "alive": is_alive(one)} for name, one in processes.items()
        },
    }
    if as_json:
        typer.echo(json.dumps(shown, indent=2))
    elif found is None:
        typer.echo(f"Nothing runs in {home}.")
    else:
        typer.echo(f"bullbear is up in {home}: {found.web_url or 'starting'}")
        for name, one in processes.items():
            typer.echo(f"  {name:<10} {one.pid:>8}  {'alive' if is_alive(one) else 'ended'}")
    if found is None:
        raise typer.Exit(Exit.TEMPORARY)
