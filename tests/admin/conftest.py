"""Readers of the admin, and Roots for them to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Protocol

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from bullbear.lifecycle import Role
from bullbear.models import Root
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider
from tests.driving import Driver
from tests.factories import FUND_FILE, PORTFOLIO_FILE
from tests.provider_double import Behaviour, ProviderDouble
from tests.scripted import a_dialogue

Holds = Callable[[Root], bool]


def never(_root: Root) -> bool:
    """Run to the end."""
    return False


class Scripted(Protocol):
    """Opens and runs a Root; the given answers are served before those of a whole dialogue."""

    def __call__(
        self,
        *answers: Behaviour,
        until: Holds = never,
        plan: Callable[[Root], None] | None = None,
        **question: Any,
    ) -> Root: ...


def logged_in(name: str, *desks: Group, superuser: bool = False) -> Client:
    """Return the browser of a member of the staff."""
    make = User.objects.create_superuser if superuser else User.objects.create_user
    user = make(name, is_staff=True)
    user.groups.set(desks)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def member(desk: Group) -> Client:
    """Staff of the desk, with no other right."""
    return logged_in("member", desk)


@pytest.fixture
def outsider(desk: Group) -> Client:
    """Staff of another desk."""
    return logged_in("outsider", Group.objects.create(name="other"))


@pytest.fixture
def superuser(desk: Group) -> Client:
    """A superuser who is no member of the desk."""
    return logged_in("root", superuser=True)


@pytest.fixture
def finished(driver: Driver) -> Root:
    """A Root whose dialogue ended settled, by the rehearsal model."""
    return driver.run(driver.open())


@pytest.fixture(scope="session")
def double_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProviderDouble]:
    with ProviderDouble(tmp_path_factory.mktemp("double")) as double:
        yield double


@pytest.fixture
def scripted(driver: Driver, double_process: ProviderDouble) -> Scripted:
    """Run Roots in front of a scripted provider."""
    double_process.forget()
    provider = Provider(Endpoint.from_base_url(double_process.base_url), "none")
    asking = replace(driver, provider=provider)

    def run(
        *answers: Behaviour,
        until: Holds = never,
        plan: Callable[[Root], None] | None = None,
        **question: Any,
    ) -> Root:
        double_process.script(*answers, *a_dialogue())
        files = question.pop("files", [PORTFOLIO_FILE, FUND_FILE])
        root = asking.open(files=files, **question)
        if plan is not None:
            plan(root)
        while (owed := asking.owed(root)) and not until(root):
            asking.step(min(owed, key=lambda child: child.role != Role.BULL))  # C1 is Bull's
        root.refresh_from_db()
        return root

    return run
