"""`bullbear show`: the report of a Root, or its receipts."""

from __future__ import annotations

import json
from typing import Annotated
from uuid import UUID

import typer

from audit.viewer import READER
from bullbear.models import Receipt
from config.cli.following import root_for
from config.cli.results import print_result
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
        typer.echo(json.dumps(_receipts(root), ensure_ascii=False, indent=2))
    else:
        print_result(root, viewer, as_json=as_json)


def _receipts(root: UUID) -> list[dict[str, object]]:
    """Return both chains; `body` is the exact text that the digest covers."""
    rows = Receipt.objects.using(READER).filter(root=root).order_by("chain", "seq")
    return [
        {
            "chain": row.chain,
            "seq": row.seq,
            "kind": row.kind,
            "body": bytes(row.body).decode(),
            "previous": bytes(row.previous).hex(),
            "digest": bytes(row.digest).hex(),
        }
        for row in rows
    ]
