"""`bullbear show`: the report of a Root, or its receipts."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from config.cli.following import root_for
from config.cli.results import print_result, receipts_json
from config.cli.users import DEFAULT_USER, As, viewer_named


def show(
    root: Annotated[UUID, typer.Argument(help="The Root's id.")],
    *,
    as_user: As = DEFAULT_USER,
    receipts: Annotated[bool, typer.Option("--receipts", help="Print its receipts.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Print the report of a Root as Markdown or JSON, or its chain of receipts as JSON."""
    viewer = viewer_named(as_user)
    if receipts:
        root_for(root, viewer)
        typer.echo(receipts_json(root))
    else:
        print_result(root, viewer, as_json=as_json)
