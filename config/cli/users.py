"""As whom a command acts."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer
from django.contrib.auth.models import User

from audit.viewer import Viewer, viewer_of
from config.accounts import ANALYST
from config.cli.exits import Exit, Problem

As: TypeAlias = Annotated[str, typer.Option("--as", metavar="USER", help="Act as this user.")]
DEFAULT_USER = ANALYST


def user_named(name: str) -> User:
    """Return an active user.

    Raises:
        Problem: there is none.
    """
    user = User.objects.filter(username=name, is_active=True).first()
    if user is None:
        raise Problem(Exit.NOT_FOUND, f"There is no user {name!r}. Name another with --as.")
    return user


def viewer_named(name: str) -> Viewer:
    """Return a user as a reader."""
    return viewer_of(user_named(name))
