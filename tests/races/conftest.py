"""States for races, and tables for their controls."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.races.naive import naive_tables
from tests.usecases.conftest import (
    asking,
    challenged,
    double,
    double_process,
    frozen_pair,
    opened,
)

__all__ = ["asking", "challenged", "double", "double_process", "frozen_pair", "opened"]  # fixtures


@pytest.fixture
def naive(database: None) -> Iterator[None]:
    """The tables of the controls."""
    with naive_tables():
        yield
