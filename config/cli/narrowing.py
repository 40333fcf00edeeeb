"""Who may see a file, and which side may read it, as `bullbear ask` is told.

Source: design.md D14: a source has a scope, and a request may narrow who of its executions reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bullbear.lifecycle import Role
from research.asking import GivenFile, QuestionRefused

SUBJECT = "subject"  # the first file, whatever its name; its domain has a word of its own for it


def narrowed(
    files: Sequence[GivenFile],
    *,
    scope_of: Iterable[str],
    readable_by: Iterable[str],
    subject_word: str,
) -> list[GivenFile]:
    """Give files the scopes and readers that the options name.

    Args:
        files: the subject first.
        scope_of: values SCOPE=FILE.
        readable_by: values ROLE[,ROLE]=FILE.
        subject_word: what the domain calls the subject.

    Raises:
        QuestionRefused: an option names no file, several, or no role.
    """
    labelled = list(files)
    for value in scope_of:
        scope, at = _named(labelled, "scope-of", value, subject_word)
        labelled[at] = replace(labelled[at], scope=scope)
    for value in readable_by:
        roles, at = _named(labelled, "readable-by", value, subject_word)
        labelled[at] = replace(labelled[at], readable_by=_roles(roles))
    return labelled


def _named(
    files: Sequence[GivenFile], option: str, value: str, subject_word: str
) -> tuple[str, int]:
    what, separator, name = value.partition("=")
    found = [
        at
        for at, one in enumerate(files)
        if name == one.name or (at == 0 and name in (SUBJECT, subject_word))
    ]
    if not (separator and what.strip()) or len(found) != 1:
        names = ", ".join([subject_word, *(one.name for one in files[1:])])
        raise QuestionRefused(
            f"--{option}",
            f"{value!r} names no one file. Write it as …=FILE, with one of: {names}.",
        )
    return what.strip(), found[0]


def _roles(names: str) -> frozenset[Role]:
    try:
        return frozenset(Role(name.strip()) for name in names.split(","))
    except ValueError as error:
        raise QuestionRefused(
            "--readable-by", f"{names!r} names no role. Write bull, bear or researcher."
        ) from error
