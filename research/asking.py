"""What is asked for, checked before anything is written.

Source: design.md D10, D11, D14, D17.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bullbear.boundedjson import holds_unstorable_text
from bullbear.budget import Amounts
from bullbear.lifecycle import Role
from bullbear.options import Options
from research.authority import NARROWED, PUBLIC, desk_scope
from research.domain import Domain, Reading, Unreadable
from research.limits import (
    HAND_BACK,
    ONE_ROUND,
    PRIVATE_RESEARCH,
    QUESTION_CHARACTERS,
    TWO_OPENINGS,
)
from research.rules import Wish

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")  # it stands in a line of the host's
_LONGEST_LANGUAGE = 35
_LONGEST_NAME = 200


class UnknownPolicy(StrEnum):
    """What follows a half-round's request whose outcome is unknown: frozen with the Root."""

    END = "end"  # the dialogue ends
    HOLD = "hold"  # an operator decides, until the peers' time is over
    REASK = "reask"  # the last request again, once


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file as somebody gave it.

    Args:
        name: what he calls it; never used to recognise it.
        raw: its bytes.
        assigned_to: the part of the subject it belongs to, or "".
        scope: who may see it, or "" for the default of its kind.
        readable_by: the roles whose executions may read it, Main's apart; None for all.
        is_subject: whether it is given as what the question is about.
    """

    name: str
    raw: bytes
    assigned_to: str = ""
    scope: str = ""
    readable_by: Collection[Role] | None = None
    is_subject: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A request to open a Root."""

    text: str
    files: Sequence[GivenFile]
    wish: Wish = Wish.AUTO
    rounds: int | None = None
    language: str = "en"
    scopes: Sequence[str] = ()
    purpose: str = ""
    external_id: str = ""
    unknown_policy: UnknownPolicy | None = None


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A given file with what the domain's reader made of it."""

    given: GivenFile
    reading: Reading
    scope: str
    sha256: str


class QuestionRefused(ValueError):
    """A Root cannot be opened as asked; nothing was written.

    The message says what is wrong, names the file, row or setting, and what to do.
    """

    def __init__(self, field: str, problem: str) -> None:
        """Name the field of the request and the problem."""
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


def check_question(question: Question, options: Options) -> None:
    """Check the words and limits of a request.

    Raises:
        QuestionRefused: with the first problem.
    """
    text = question.text
    if not text.strip():
        raise QuestionRefused("question", "it is empty. Ask something.")
    if len(text) > QUESTION_CHARACTERS:
        raise QuestionRefused(
            "question",
            f"it has {len(text):,} characters and {QUESTION_CHARACTERS:,} are taken. Shorten it, or "
            "give the material as a file.",
        )
    if holds_unstorable_text([text]):
        raise QuestionRefused("question", "it holds a NUL or half a surrogate pair. Remove it.")
    _check_names(question)
    rounds = question.rounds
    if rounds is not None and not 1 <= rounds <= options.rounds_limit:
        raise QuestionRefused(
            "rounds",
            f"{rounds} was asked for and 1 to {options.rounds_limit} are possible "
            "(BULLBEAR_ROUNDS_LIMIT). To have no exchange, exclude the dialogue.",
        )
    narrowed = [one for one in question.files if one.readable_by is not None]
    check_affordable(question.wish, options, narrowed=bool(narrowed))
    for given in narrowed:
        _check_readers(given)


def _check_readers(given: GivenFile) -> None:
    if set(given.readable_by or ()) <= set(NARROWED):
        return
    raise QuestionRefused(
        "readable_by",
        f"{given.name} was narrowed to {', '.join(sorted(map(str, given.readable_by or ())))}, and only "
        f"{', '.join(map(str, NARROWED))} can be named: Main, registrar and critic hold the whole scope.",
    )


def _check_names(question: Question) -> None:
    language = question.language
    if len(language) > _LONGEST_LANGUAGE or not _LANGUAGE.fullmatch(language):
        raise QuestionRefused(
            "language", "it is no language tag. Write one such as en or zh-Hans."
        )
    for field, name in (("purpose", question.purpose), ("external_id", question.external_id)):
        if len(name) > _LONGEST_NAME or holds_unstorable_text([name]):
            raise QuestionRefused(
                field, f"it has more than {_LONGEST_NAME} characters, or a NUL. Shorten it."
            )


def check_affordable(wish: Wish, options: Options, *, narrowed: bool = False) -> None:
    """Refuse a Root that cannot afford what it must do, private research of `narrowed` material included.

    Raises:
        QuestionRefused: naming the limits.
    """
    needed = HAND_BACK + TWO_OPENINGS
    if wish is Wish.REQUIRE:
        needed += ONE_ROUND
    if narrowed and wish is not Wish.EXCLUDE:
        needed += PRIVATE_RESEARCH
    limit = Amounts(options.model_calls, options.tokens, options.tool_calls)
    if not needed.within(limit):
        raise QuestionRefused(
            "budget",
            f"{limit.model_calls} model calls and {limit.tokens:,} tokens are allowed, and the openings"
            f"{', a round' if wish is Wish.REQUIRE else ''} and the hand-back reserve need "
            f"{needed.model_calls} and {needed.tokens:,}. Raise BULLBEAR_MODEL_CALLS or BULLBEAR_TOKENS.",
        )


def read_files(question: Question, domain: Domain, *, desk: str) -> list[ReadFile]:
    """Read all files of a request with the domain's readers.

    Raises:
        QuestionRefused: a file is unreadable or given twice; it is named, with the row or its first bytes.
    """
    read: list[ReadFile] = []
    for given in question.files:
        sha256 = hashlib.sha256(given.raw).hexdigest()
        twin = next((one for one in read if one.sha256 == sha256), None)
        if twin is not None:
            raise QuestionRefused(
                given.name, f"it has the same bytes as {twin.given.name}. Give it once."
            )
        reading = _reading(given, domain)
        _check_given_as(given, reading, domain)
        default = PUBLIC if reading.kind in domain.public_kinds else desk_scope(desk)
        read.append(ReadFile(given, reading, given.scope or default, sha256))
    if sum(given.is_subject for given in question.files) > 1:
        raise QuestionRefused(
            "files", f"several are given as the {domain.subject_kind}. Name one."
        )
    if not any(one.reading.kind == domain.subject_kind for one in read):
        raise QuestionRefused("files", f"none of them is a {domain.subject_kind}. Give one.")
    return read


def _check_given_as(given: GivenFile, reading: Reading, domain: Domain) -> None:
    if given.is_subject and reading.kind != domain.subject_kind:
        raise QuestionRefused(
            given.name,
            f"it is given as the {domain.subject_kind} and reads as {reading.kind}. Give it as a source, and "
            f"name the {domain.subject_kind}.",
        )
    if given.assigned_to and not domain.part:
        raise QuestionRefused(
            given.name,
            f"it is given for {given.assigned_to!r}, and a {domain.subject_kind} has no parts that a source "
            "could belong to. Give the file alone.",
        )


def _reading(given: GivenFile, domain: Domain) -> Reading:
    try:
        reading = domain.read(given.raw, given.name)
        return domain.as_subject(reading) if given.is_subject else reading
    except Unreadable as error:
        where = f" (row {error.row})" if error.row else ""
        begins = f" It begins with {error.first_bytes!r}." if error.first_bytes else ""
        raise QuestionRefused(given.name, f"{error.problem}{where}.{begins}") from error


def check_scopes(
    question: Question, read: Sequence[ReadFile], held: Collection[str], *, subject_kind: str
) -> list[str]:
    """Return the Root's own scopes: those it names, and its subject's; other sources keep their own.

    Raises:
        QuestionRefused: the requester does not hold one of them.
    """
    subjects = [one.scope for one in read if one.reading.kind == subject_kind]
    scopes = sorted({PUBLIC, *question.scopes, *subjects})
    needed = sorted({*scopes, *(one.scope for one in read)})
    missing = [scope for scope in needed if scope not in held]
    if missing:
        raise QuestionRefused(
            "scope",
            f"the requester does not hold {', '.join(missing)}. Ask for a grant, or leave out what needs "
            "it.",
        )
    return scopes
