"""`bullbear chaos`: hurt a private stack at random under load, and prove that nothing is lost."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from config.chaos.play import Wish, play
from config.cli.exits import Exit
from config.configuration import load
from config.embedded.supervisor import Stopping


def chaos(
    *,
    roots: Annotated[int, typer.Option(min=1, help="How many Roots are opened.")] = 60,
    minutes: Annotated[
        float, typer.Option(min=0.1, max=600, help="For how long faults are injected.")
    ] = 5,
    seed: Annotated[int, typer.Option(help="Which Roots and faults: the same, the same.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Open Roots while workers, broker, database, sweepers and model are killed and stopped.

    Everything runs in a private stack on free ports in a temporary folder. Then all is healed, every
    Root must end, and the oracle is asked about each. Status 1: it complains, something was lost or
    invented, or a Root did not end; data and logs are then kept.
    """
    wish = Wish(roots, minutes, seed, tell=lambda line: typer.echo(line, err=True))
    try:
        figures = play(wish, load())
    except Stopping:
        typer.echo("Stopped before the end; nothing was judged.", err=True)
        raise typer.Exit(Exit.FAILURE) from None
    if as_json:
        typer.echo(json.dumps(asdict(figures) | {"sound": figures.sound}, indent=2))
    else:
        typer.echo("\n".join(figures.lines()))
    if not figures.sound:
        raise typer.Exit(Exit.FAILURE)
