"""`bullbear release`: let readers of a Root see a source or a number whose scope they do not hold."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from config.cli.exits import Exit, Problem
from config.cli.following import root_for
from config.cli.users import DEFAULT_USER, As, user_named, viewer_named
from research.release import CannotRelease
from research.release import release as record_release


def release(
    root: Annotated[UUID, typer.Argument(help="The Root's id.")],
    handle: Annotated[str, typer.Argument(help="A source, S2, or a tool result, T2.")],
    reason: Annotated[str, typer.Option(help="Why; it is kept with the record.")],
    *,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take the release back.")] = False,
    as_user: As = DEFAULT_USER,
) -> None:
    """Release HANDLE of ROOT to all who may read the research, or withdraw that.

    A released source no longer withholds what rests on it; a released number is shown alone. No model reads
    more for it.
    """
    root_for(root, viewer_named(as_user))
    user = user_named(as_user)
    try:
        row = record_release(root, handle, reason=reason, by=user, withdraw=withdraw)
    except CannotRelease as refused:
        message = f"{refused}. Nothing was changed."
        raise Problem(Exit.NOT_FOUND, message[:1].upper() + message[1:]) from refused
    typer.echo(f"Recorded: {row}.", err=True)
