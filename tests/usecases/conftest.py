"""States of a Root in front of a scripted provider."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

import pytest
from django.contrib.auth.models import Group, User

from bullbear.lifecycle import Role
from bullbear.models import Worker
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider
from research.domains.registry import domain
from tests.driving import Driver
from tests.factories import FUND_FILE, PORTFOLIO_FILE, a_grant, a_root
from tests.provider_double import Behaviour, ProviderDouble
from tests.scripted import BEAR_OPENS_FIRST, a_dialogue
from tests.usecases.scene import Scene


class OpenScene(Protocol):
    """Opens a Root; the given answers are served before those of a whole dialogue."""

    def __call__(self, *answers: Behaviour, **question: Any) -> Scene: ...


@pytest.fixture(scope="session")
def double_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProviderDouble]:
    with ProviderDouble(tmp_path_factory.mktemp("double")) as double:
        yield double


@pytest.fixture
def double(double_process: ProviderDouble) -> ProviderDouble:
    """A provider without a script."""
    double_process.forget()
    return double_process


@pytest.fixture
def asking(analyst: User, desk: Group, worker_row: Worker, double: ProviderDouble) -> Driver:
    """A driver that asks the scripted provider."""
    return Driver(
        desk=desk,
        requester=analyst,
        worker=worker_row,
        provider=Provider(Endpoint.from_base_url(double.base_url), "none"),
        domain=domain("investment"),
    )


@pytest.fixture
def opened(asking: Driver, double: ProviderDouble) -> OpenScene:
    """Open a Root on a portfolio of two lines."""

    def open_scene(*answers: Behaviour, **question: Any) -> Scene:
        double.script(*answers, *a_dialogue())
        root = a_root(requester=asking.requester, desk=asking.desk, **question)
        return Scene(double, asking, root)

    return open_scene


@pytest.fixture
def narrowed(opened: OpenScene, analyst: User) -> OpenScene:
    """Open a required dialogue whose portfolio is of scope `account:7731`: Bear may read it, Bull may not."""
    a_grant(user=analyst, scope="account:7731")

    def open_scene(*answers: Behaviour, **question: Any) -> Scene:
        portfolio = replace(
            PORTFOLIO_FILE, scope="account:7731", readable_by=frozenset({Role.BEAR})
        )
        return opened(*answers, files=(portfolio, FUND_FILE), wish="require", **question)

    return open_scene


@pytest.fixture
def frozen_pair(opened: OpenScene) -> Scene:
    """Both openings stand and the pair is frozen; Bear is woken and has not begun; Bull's claim is C2."""
    scene = opened(*BEAR_OPENS_FIRST)
    for role in (Role.MAIN, Role.BEAR, Role.BULL):
        scene.step(role)
    return scene


@pytest.fixture
def challenged(opened: OpenScene) -> Scene:
    """Bear's first challenge of C1 is accepted; Bull is woken and has not begun."""
    scene = opened()
    for role in (Role.MAIN, Role.BULL, Role.BEAR):
        scene.step(role)
    return scene
