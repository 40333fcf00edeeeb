"""One running stack for all tests of this folder: a broker of its own, and the product's processes around it.

A worker's row must not be taken away under it, so all rows stay until the stack has ended.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

from config.embedded.folders import prepare
from tests.conftest import _take_rows_away
from tests.outages.brokers.scripts import SCRIPT
from tests.outages.brokers.stack import Stack


@pytest.fixture(scope="package")
def whole_stack(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Stack]:
    """A stack with one worker and one sweeper."""
    home = Path(tempfile.mkdtemp(prefix="bullbear-test-"))
    home.chmod(0o711)
    with django_db_blocker.unblock():
        with Stack(prepare(home), SCRIPT) as running:
            running.worker()
            running.sweeper()
            running.wait_for_workers()
            yield running
        connections.close_all()
        _take_rows_away()
    shutil.rmtree(home)


@pytest.fixture
def stack(whole_stack: Stack) -> Iterator[Stack]:
    """Everybody is there and well, before and afterwards, and nobody was started anew."""
    yield whole_stack
    whole_stack.heal()
