"""The 0600 file by which other commands find the running stack, and the passwords it keeps.

The runtime file stands while the stack runs and is believed only while the process that wrote it
lives.

Source: design.md D20.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from config.embedded.folders import StackProblem, write_private
from config.embedded.processes import Identity, is_alive


@dataclass(frozen=True, slots=True)
class Credentials:
    """The generated passwords of one stack; they live as long as its data."""

    database: str
    broker: str
    secret_key: str
    admin: str
    analyst: str


@dataclass(frozen=True, slots=True)
class Runtime:
    """A running stack.

    Shape:
        settings: environment variable → value, for every command that attaches
        web_url: where the admin answers, or ""
        flower_url: where Flower answers, or ""
        accounts: user name → password of the accounts that `up` made
        processes: name → its identity
    """

    supervisor: Identity
    settings: dict[str, str] = field(default_factory=dict)
    web_url: str = ""
    flower_url: str = ""
    accounts: dict[str, str] = field(default_factory=dict)
    processes: dict[str, Identity] = field(default_factory=dict)


def load_credentials(path: Path) -> Credentials:
    """Return the stored passwords, or make them."""
    try:
        return Credentials(**json.loads(path.read_text()))
    except FileNotFoundError:
        made = Credentials(*(secrets.token_urlsafe(size) for size in (32, 32, 48, 12, 12)))
    except (ValueError, TypeError) as broken:
        raise StackProblem(
            f"{path} cannot be read as this stack's passwords. Restore it, or remove the folder "
            "it lies in, with all data of this stack."
        ) from broken
    write_private(path, json.dumps(asdict(made), indent=2) + "\n")
    return made


def write(path: Path, runtime: Runtime) -> None:
    """Publish the running stack to other commands of the same user."""
    write_private(path, json.dumps(asdict(runtime), indent=2) + "\n")


def read(path: Path) -> Runtime | None:
    """Return what the file says, whoever wrote it, or None where there is none."""
    try:
        stored: dict[str, Any] = json.loads(path.read_text())
        return Runtime(
            supervisor=Identity(**stored["supervisor"]),
            settings=stored["settings"],
            web_url=stored["web_url"],
            flower_url=stored.get("flower_url", ""),
            accounts=stored["accounts"],
            processes={name: Identity(**one) for name, one in stored["processes"].items()},
        )
    except (FileNotFoundError, PermissionError):
        return None
    except (ValueError, KeyError, TypeError) as broken:
        raise StackProblem(f"{path} is not a runtime file of bullbear. Remove it.") from broken


def running(path: Path) -> Runtime | None:
    """Return the stack that runs now, or None."""
    stored = read(path)
    return stored if stored is not None and is_alive(stored.supervisor) else None
