"""The files of a question: read from the disk, or fetched from an allow-listed host.

Source: design.md D14, D19.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from django.conf import settings

from research.allowed_hosts import UrlRefused
from research.asking import GivenFile, QuestionRefused
from research.fetching import fetched


def given_files(
    subject: str, sources: Sequence[str], urls: Sequence[str], *, word: str, most_bytes: int
) -> list[GivenFile]:
    """Read the subject and the sources, then fetch the addresses; the subject comes first.

    Args:
        subject: its file, perhaps with `LINE=` before it as the sources have it.
        sources: their files.
        urls: further sources.
        word: the domain's word for the subject, which names its option.
        most_bytes: what is fetched of one address at most.

    Raises:
        QuestionRefused: a file cannot be read or fetched; nothing was written.
    """
    of_subject = replace(_read(word, subject), is_subject=True)
    files = [of_subject, *(_read("source", one) for one in sources)]
    return [*files, *(_fetched(one, most_bytes) for one in urls)]


def _read(option: str, value: str) -> GivenFile:
    """Read a file; `LINE=FILE` names the line of the subject it belongs to."""
    line, separator, name = value.partition("=")
    if not separator or Path(value).exists():
        line, name = "", value
    try:
        raw = Path(name).read_bytes()
    except OSError as error:
        raise QuestionRefused(
            f"--{option}", f"{name} cannot be read: {error.strerror}. Name a file."
        ) from error
    return GivenFile(name=Path(name).name, raw=raw, assigned_to=line)


def _fetched(value: str, most_bytes: int) -> GivenFile:
    """Fetch a file; `LINE=URL` names the line of the subject it belongs to."""
    line, separator, url = value.partition("=")
    if not separator or "://" in line:
        line, url = "", value
    try:
        found = fetched(url, hosts=settings.BULLBEAR.url_hosts, most_bytes=most_bytes)
    except UrlRefused as error:
        raise QuestionRefused("--source-url", str(error)) from error
    return GivenFile(name=found.name, raw=found.raw, assigned_to=line)
