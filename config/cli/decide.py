"""`bullbear decide`: say what follows an unknown outcome that holds a dialogue."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from bullbear import hints
from config.cli.exits import Exit, Problem
from config.cli.following import root_for
from config.cli.users import DEFAULT_USER, As, user_named, viewer_named
from dialogue.decide import NothingHeld
from dialogue.decide import decide as record_decision
from dialogue.rules import DecisionKind


def decide(
    root: Annotated[UUID, typer.Argument(help="The Root's id.")],
    decision: Annotated[DecisionKind, typer.Argument(help="Ask again, or let it end.")],
    *,
    as_user: As = DEFAULT_USER,
) -> None:
    """Decide about the model call of ROOT whose outcome is unknown, where its policy is `hold`.

    `reask` sends the same bytes once more, as a call of its own that is paid again; `abandon` lets the
    dialogue end there.
    """
    root_for(root, viewer_named(as_user))
    try:
        request = record_decision(root, decision, decided_by=user_named(as_user))
    except NothingHeld as nothing:
        raise Problem(Exit.TEMPORARY, f"{nothing}. Nothing was changed.".capitalize()) from nothing
    hints.flush()
    typer.echo(
        f"Decided: {decision} of request {request.pk}. `bullbear watch {root}` shows what follows.",
        err=True,
    )
