"""`bullbear watch`: follow a Root that somebody opened."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from config.cli.following import Follower
from config.cli.results import print_result
from config.cli.users import DEFAULT_USER, As, viewer_named


def watch(
    root: Annotated[UUID, typer.Argument(help="The Root's id.")],
    *,
    as_user: As = DEFAULT_USER,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Tell on stderr what happened and what happens, until the Root has ended; print its report."""
    viewer = viewer_named(as_user)
    Follower(root, viewer).follow()
    print_result(root, viewer, as_json=as_json)
