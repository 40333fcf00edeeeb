"""Find the command's file, prepare Django where it needs it, and turn problems into exit codes."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from importlib import import_module

import django
import psycopg
import typer
from django.db import InterfaceError, OperationalError

from config.cli.exits import Exit, Problem
from config.configuration import ConfigurationProblem
from config.embedded.folders import AlreadyRunning, StackProblem


@dataclass(frozen=True, slots=True)
class Command:
    """A command; its module `config.cli.<name>` holds a function of the same name."""

    name: str
    needs_django: bool = True


COMMANDS = (
    Command("demo", needs_django=False),
    Command("up", needs_django=False),
    Command("status", needs_django=False),
    Command("migrate"),
    Command("doctor"),
    Command("ask"),
    Command("watch"),
    Command("show"),
    Command("verify"),
    Command("cancel"),
    Command("decide"),
    Command("release"),
    Command("sweeper"),
    Command("chaos", needs_django=False),
)


def run() -> None:
    """Run `bullbear` with this process's arguments."""
    try:
        build(sys.argv[1:])()
    except ConfigurationProblem as problem:
        _end(problem, Exit.USAGE)
    except AlreadyRunning as problem:
        _end(problem, Exit.TEMPORARY)
    except Problem as problem:
        _end(problem, problem.status)
    except StackProblem as problem:
        _end(problem, Exit.FAILURE)
    except (OperationalError, InterfaceError, psycopg.OperationalError) as error:
        typer.echo(f"The database does not answer: {error}".strip(), err=True)
        sys.exit(Exit.TEMPORARY)


def build(arguments: list[str]) -> typer.Typer:
    """Make the application with the command that is asked for, or with all for the help."""
    app = typer.Typer(
        name="bullbear",
        help="Structured, provable disagreement between two separate model executions.",
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    app.callback()(_group)
    asked = [command for command in COMMANDS if command.name in arguments[:1]]
    for command in asked or COMMANDS:
        if command.needs_django:
            _prepare_django()
        module = import_module(f"config.cli.{command.name}")
        app.command(command.name)(getattr(module, command.name))
    return app


def _group() -> None:
    """Structured, provable disagreement between two separate model executions."""


def _prepare_django() -> None:
    """Set Django up for one thread: a pool of connections would only have to be stopped."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("BULLBEAR_DATABASE_POOL_SIZE", "0")
    django.setup()
    import_module("config.celery")  # connects the hints


def _end(problem: Exception, status: Exit) -> None:
    typer.echo(str(problem), err=True)
    sys.exit(status)


if __name__ == "__main__":
    run()
