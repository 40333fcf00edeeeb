"""`bullbear doctor`: every setting, every version, and whether everything answers."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer
from django.conf import settings

from config.cli.exits import Exit
from config.diagnosis import Finding, findings, settings_shown, versions

_MARKS = {True: "ok", False: "PROBLEM", None: "-"}


def doctor(
    *, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
) -> None:
    """Show all settings and limits, versions, and what database, broker and provider answer."""
    env = settings.BULLBEAR
    shown, installed, found = settings_shown(env), versions(), findings(env)
    if as_json:
        everything = {
            "settings": shown,
            "versions": installed,
            "findings": list(map(asdict, found)),
        }
        typer.echo(json.dumps(everything, indent=2))
    else:
        _print(shown, installed, found)
    if any(one.ok is False for one in found):
        raise typer.Exit(Exit.FAILURE)


def _print(shown: dict[str, str], installed: dict[str, str], found: list[Finding]) -> None:
    typer.echo("Settings")
    for name, value in shown.items():
        typer.echo(f"  {name:<48} {value}")
    typer.echo("Versions")
    for name, value in installed.items():
        typer.echo(f"  {name:<48} {value}")
    typer.echo("Checks")
    for one in found:
        typer.echo(f"  {one.subject:<24} {_MARKS[one.ok]:<8} {one.detail}")
