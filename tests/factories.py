"""Rows for tests, built the way the product builds them.

A Root comes from `open_root`, never from an INSERT: what it rests on, its receipts and its Main come with it.
"""

# factory-boy declares no types of its own
# mypy: disable-error-code="no-untyped-call, untyped-decorator"

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Group, User
from factory.base import Factory
from factory.declarations import LazyFunction, Sequence, SubFactory, Trait
from factory.django import DjangoModelFactory
from factory.helpers import post_generation

from bullbear import receipts
from bullbear.lifecycle import Role
from bullbear.locks import hold_root
from bullbear.models import Root, Worker
from bullbear.options import Options, options
from bullbear.queries import database_now
from bullbear.transactions import transaction
from dialogue.case import load_case
from dialogue.settle import wake_next
from research.asking import GivenFile, Question
from research.children import create_child
from research.domains.registry import domain
from research.kinds import ResearchKind
from research.models import Plan, RootSource, ScopeGrant
from research.open_root import open_root

TINY_PORTFOLIO = b"""Portfolio,Two lines
As of,2026-10-30

Name,ISIN,Ticker,Weight (%),Asset Class
World Fund,ZZ0WORLDFND6,ZWLD,60.0,Equity fund
Cash account,,,40.0,Cash
"""
TINY_FUND = b"""Fund,World Fund
ISIN,ZZ0WORLDFND6
Ticker,ZWLD
As of,2026-09-30

Name,ISIN,Ticker,Sector,Asset Class,Weight (%)
NVIDIA Corp,US67066G1040,NVDA,Information Technology,Equity,60.0
Siemens AG,DE0007236101,SIE,Industrials,Equity,40.0
"""
PORTFOLIO_FILE = GivenFile("portfolio.csv", TINY_PORTFOLIO)
FUND_FILE = GivenFile("world.csv", TINY_FUND)
QUESTION = "Does one more fund spread the risk?"


@dataclass(frozen=True)
class Limited:
    """The options of this process, but for a few."""

    base: Options
    changed: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        """Look among the changed ones first."""
        return self.changed[name] if name in self.changed else getattr(self.base, name)


def limited(**changed: Any) -> Any:
    """Change limits for one Root."""
    return Limited(options(), changed)


class _Desks(DjangoModelFactory[Group]):
    class Meta:
        model = Group

    name = Sequence(lambda number: f"desk {number}")


class _Users(DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    username = Sequence(lambda number: f"user{number}")

    @post_generation
    def desks(self: Any, _create: Any, extracted: Collection[Group] | None, **_: Any) -> None:
        self.groups.add(*(extracted or ()))


class _Grants(DjangoModelFactory[ScopeGrant]):
    class Meta:
        model = ScopeGrant

    scope = "account:7731"
    user = SubFactory(_Users)


class _Workers(DjangoModelFactory[Worker]):
    class Meta:
        model = Worker

    class Params:
        dead = Trait(alive_until=LazyFunction(lambda: database_now() - timedelta(seconds=1)))

    name = "test"
    started_at = LazyFunction(database_now)
    alive_until = LazyFunction(lambda: database_now() + timedelta(days=1))


class _Roots(Factory[Root]):
    class Meta:
        model = Root

    text = QUESTION
    files = (PORTFOLIO_FILE, FUND_FILE)

    @classmethod
    def _create(cls, model_class: Any, *_args: Any, **given: Any) -> Root:  # noqa: ARG003  its name
        requester, desk = given.pop("requester"), given.pop("desk")
        of_process = given.pop("options", None) or options()
        return open_root(
            Question(**given),
            domain=domain("investment"),
            desk=desk,
            requester=requester,
            options=of_process,
        )


def a_desk(**given: Any) -> Group:
    """Make a desk."""
    return _Desks.create(**given)


def a_user(**given: Any) -> User:
    """Make a user, a member of `desks`."""
    return _Users.create(**given)


def a_grant(**given: Any) -> ScopeGrant:
    """Grant a scope to `user`, or with `user=None` to `group`."""
    return _Grants.create(**given)


def a_worker(**given: Any) -> Worker:
    """Make a worker that is alive as long as any test runs; with `dead=True` one that did not renew."""
    return _Workers.create(**given)


def a_root(**given: Any) -> Root:
    """Open a Root on a portfolio of two lines for `requester` at `desk`."""
    return _Roots.create(**given)


def plan_a_dialogue(
    root: Root,
    *,
    bull: Collection[str] = ("S1", "S2"),
    bear: Collection[str] = ("S1", "S2"),
    tools: Collection[str] = ("list_sources", "look_through", "read_source"),
) -> None:
    """Plan the dialogue that was required, each side issued only the sources named by handle.

    The product's plan issues both sides the whole snapshot of the Root; this is the narrower issue that a
    request may ask for.  Main, which has planned, parks at its next step.
    """
    snapshot = {
        f"S{one.number}": str(one.source_id) for one in RootSource.objects.filter(root=root)
    }
    with transaction(), hold_root(root.pk) as held:
        case = load_case(held)
        case.plan = held.add(
            Plan(root=held.root, wished="require", pattern="dialogue", decided_by="user")
        )
        receipts.append(
            held,
            ResearchKind.PLAN_RECORDED,
            act=str(root.pk),
            child=case.child_of(Role.MAIN),
            subjects={
                "wished": "require",
                "proposed": "",
                "pattern": "dialogue",
                "decided_by": "user",
                "request": "",
            },
        )
        for role, handles in ((Role.BULL, bull), (Role.BEAR, bear)):
            sources = [snapshot[handle] for handle in handles]
            case.children.append(create_child(held, role, sources=sources, tools=tools))
        wake_next(case, "plan")
