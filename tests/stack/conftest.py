"""Homes of throw-away stacks, in a folder that root's `nobody` may enter."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded.folders import Folders, prepare


@pytest.fixture
def home() -> Iterator[Path]:
    """Give a home outside pytest's own folder, which only its owner may enter."""
    folder = Path(tempfile.mkdtemp(prefix="bullbear-test-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def folders(home: Path) -> Folders:
    """Give the prepared folders of a home."""
    return prepare(home)
