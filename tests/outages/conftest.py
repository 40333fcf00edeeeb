"""Homes, and a stack for each module: its processes run while any of its tests does.

A worker's row must not be taken away under it, so the rows of a module's tests stay until its stack ends.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

from config.embedded.folders import Folders, prepare
from tests.conftest import _take_rows_away
from tests.outages.stack import Stack


@pytest.fixture(scope="module")
def module_folders() -> Iterator[Folders]:
    """A home outside pytest's own folder, which root's `nobody` may not enter."""
    folder = Path(tempfile.mkdtemp(prefix="bullbear-test-"))
    folder.chmod(0o711)
    yield prepare(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def module_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A migrated database without rows, for all tests of a module."""
    with django_db_blocker.unblock():
        yield
        _take_rows_away()


@pytest.fixture(scope="module")
def stack(
    request: pytest.FixtureRequest, module_folders: Folders, module_database: None
) -> Iterator[Stack]:
    """A stack without workers and sweepers; the module's `SCRIPT` is what its provider says first."""
    with Stack(module_folders, getattr(request.module, "SCRIPT", ())) as running:
        yield running
    connections.close_all()
