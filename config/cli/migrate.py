"""`bullbear migrate`: bring the database, its roles and its tables up to date."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from django.conf import settings

from config.accounts import make_accounts
from config.migration import migrate as bring_up_to_date


def migrate(
    *,
    accounts: Annotated[
        bool,
        typer.Option(
            help="Also make the desk `demo`, its member `analyst` and the superuser `admin`, with "
            "the passwords in ANALYST_PASSWORD and ADMIN_PASSWORD; existing ones stay as they are."
        ),
    ] = False,
) -> None:
    """Make the database, its two roles, its tables and their rights; safe to repeat."""
    done = bring_up_to_date(settings.BULLBEAR)
    if accounts:
        make_accounts(
            admin_password=os.environ.get("ADMIN_PASSWORD", ""),
            analyst_password=os.environ.get("ANALYST_PASSWORD", ""),
        )
    how = "made and migrated" if done.created else "migrated"
    typer.echo(f"Database {done.database} {how}.", err=True)
