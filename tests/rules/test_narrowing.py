"""What `bullbear ask` is told of a file's scope and readers."""

from __future__ import annotations

import pytest

from bullbear.lifecycle import Role
from config.cli.narrowing import narrowed
from research.asking import GivenFile, QuestionRefused

FILES = (GivenFile("mine.csv", b"p"), GivenFile("fund=1.csv", b"f"), GivenFile("other.csv", b"o"))


def told(*, scope_of: tuple[str, ...] = (), readable_by: tuple[str, ...] = ()) -> list[GivenFile]:
    return narrowed(FILES, scope_of=scope_of, readable_by=readable_by, subject_word="portfolio")


def test_the_subject_goes_by_its_word_or_name() -> None:
    for name in ("portfolio", "subject", "mine.csv"):
        files = told(scope_of=(f"account:7731={name}",), readable_by=(f"bear={name}",))
        assert files[0] == GivenFile("mine.csv", b"p", "", "account:7731", frozenset({Role.BEAR}))
        assert files[1:] == list(FILES[1:])


def test_several_roles_and_files() -> None:
    files = told(readable_by=("bull, bear=fund=1.csv", "researcher=other.csv"))
    assert [one.readable_by for one in files] == [
        None,
        frozenset({Role.BULL, Role.BEAR}),
        frozenset({Role.RESEARCHER}),
    ]


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        pytest.param("readable_by", "bear=nothing.csv", "names no one file", id="no such file"),
        pytest.param("readable_by", "bear", "names no one file", id="no file"),
        pytest.param("readable_by", "=portfolio", "names no one file", id="nobody"),
        pytest.param("readable_by", "judge=portfolio", "names no role", id="no role"),
        pytest.param("scope_of", "account:7731", "names no one file", id="a scope alone"),
    ],
)
def test_what_is_wrong_is_named(option: str, value: str, says: str) -> None:
    with pytest.raises(QuestionRefused, match=says):
        told(**{option: (value,)})
