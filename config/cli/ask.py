"""`bullbear ask`: put a question about a subject, and see it through to the report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from django.conf import settings
from django.contrib.auth.models import User

from audit.viewer import viewer_of
from bullbear import hints
from bullbear.models import Root
from bullbear.options import options
from config.cli.exits import Exit, Problem
from config.cli.following import Follower
from config.cli.giving import given_files
from config.cli.keeping import keep_and_verify
from config.cli.narrowing import narrowed
from config.cli.results import print_result
from config.cli.users import DEFAULT_USER, As, user_named
from config.configuration import require
from research.asking import Question, QuestionRefused, UnknownPolicy
from research.domain import Domain
from research.domains.registry import DOMAINS, UnknownDomain
from research.domains.registry import domain as domain_named
from research.grants import desk_of
from research.open_root import open_root
from research.rules import Wish

_SUBJECTS = {each.subject_kind: each.name for each in DOMAINS.values()}
_SUBJECT_WORDS = ", ".join(f"a {kind} ({name})" for kind, name in _SUBJECTS.items())


def ask(
    question: Annotated[str, typer.Argument(help="What to look into.")],
    subject: Annotated[
        Path,
        typer.Option(
            "--subject",
            *(f"--{kind}" for kind in _SUBJECTS),
            metavar="FILE",
            help=f"What the question is about: {_SUBJECT_WORDS}.",
        ),
    ],
    *,
    source: Annotated[
        list[str],
        typer.Option(
            metavar="[LINE=]FILE",
            help="A file of evidence; LINE is the line of the subject it belongs to, where its "
            "content does not say so. May be repeated.",
        ),
    ] = [],  # noqa: B006 - typer copies it
    source_url: Annotated[
        list[str],
        typer.Option(
            metavar="[LINE=]URL",
            help="Such a file, fetched from a host that BULLBEAR_URL_HOSTS names. Its name is the URL's "
            "host and path. May be repeated.",
        ),
    ] = [],  # noqa: B006
    as_user: As = DEFAULT_USER,
    desk: Annotated[str, typer.Option(help="The desk it belongs to, if you have several.")] = "",
    scope: Annotated[
        list[str], typer.Option(help="A scope that the research has. May be repeated.")
    ] = [],  # noqa: B006
    scope_of: Annotated[
        list[str],
        typer.Option(
            metavar="SCOPE=FILE",
            help="The scope of one file: its name, or `subject`. May be repeated.",
        ),
    ] = [],  # noqa: B006
    readable_by: Annotated[
        list[str],
        typer.Option(
            metavar="ROLE[,ROLE]=FILE",
            help="Who may read one file, of bull, bear and researcher: its name, or `subject`. What "
            "only one side may read, it looks into in private, for Main alone. May be repeated.",
        ),
    ] = [],  # noqa: B006
    rounds: Annotated[int | None, typer.Option(help="Rounds of exchange, at most.")] = None,
    dialogue: Annotated[Wish, typer.Option(help="Whether Bull and Bear debate.")] = Wish.AUTO,
    unknown: Annotated[
        UnknownPolicy | None,
        typer.Option(help="What follows a half-round whose outcome is unknown."),
    ] = None,
    domain: Annotated[
        str,
        typer.Option(help=f"The domain, {' or '.join(DOMAINS)}; BULLBEAR_DOMAIN by default."),
    ] = "",
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep report, result and receipts there, print their paths, and verify the record.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Open a Root for QUESTION, tell on stderr what happens, and print the report.

    Status 0: complete; 5: a call's outcome is unknown, which ended it; 6: it ended early.
    """
    require(settings.BULLBEAR, "database_url", "broker_url")
    user = user_named(as_user)
    try:
        of_domain = domain_named(domain or settings.BULLBEAR.domain)
        word = of_domain.subject_kind
        files = given_files(
            str(subject), source, source_url, word=word, most_bytes=of_domain.largest_file
        )
        asked = Question(
            text=question,
            files=narrowed(files, scope_of=scope_of, readable_by=readable_by, subject_word=word),
            wish=dialogue,
            rounds=rounds,
            unknown_policy=unknown,
            scopes=scope,
        )
        root = _open(asked, user, of_domain, desk_name=desk)
    except (QuestionRefused, UnknownDomain) as refused:
        raise Problem(Exit.USAGE, str(refused)) from refused
    hints.flush()
    viewer = viewer_of(user)
    Follower(root.pk, viewer).follow()
    if keep is None:
        print_result(root.pk, viewer, as_json=as_json)
    else:
        keep_and_verify(root.pk, viewer, keep)


def _open(asked: Question, user: User, of_domain: Domain, *, desk_name: str) -> Root:
    desk = desk_of(user, desk_name)
    if desk is None:
        raise QuestionRefused(
            "desk", f"{user.username} belongs to no desk {desk_name}".rstrip() + "."
        )
    return open_root(
        asked,
        domain=of_domain,
        desk=desk,
        requester=user,
        options=options(),
    )
