"""Scopes and desks: what a person holds, and what of a Root's snapshot an execution sees."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User

from bullbear.lifecycle import Role
from bullbear.models import Child
from research.grants import desk_of, scopes_of
from research.models import Source
from research.snapshot import source_views
from tests.factories import a_desk, a_grant, a_root, a_user, plan_a_dialogue


@pytest.mark.usefixtures("database")
class TestScopesOf:
    """Which scopes a person holds."""

    def test_are_public_and_his_desks(self, analyst: User) -> None:
        """Nothing needs to be granted for one's own desk."""
        assert scopes_of(analyst) == {"public", "desk:demo"}

    def test_include_what_was_granted_to_him(self, analyst: User) -> None:
        """A grant to a user is his alone."""
        a_grant(user=analyst, scope="account:7731")
        a_grant(user=a_user(), scope="account:1")
        assert scopes_of(analyst) == {"public", "desk:demo", "account:7731"}

    def test_include_what_was_granted_to_a_desk_of_his(self, analyst: User, desk: Group) -> None:
        """A grant to a group holds for its members and nobody else."""
        a_grant(user=None, group=desk, scope="account:7731")
        a_grant(user=None, group=a_desk(), scope="account:1")
        assert scopes_of(analyst) == {"public", "desk:demo", "account:7731"}

    def test_are_no_more_for_a_superuser(self) -> None:
        """Nobody is exempt."""
        assert scopes_of(a_user(is_superuser=True)) == {"public"}


@pytest.mark.usefixtures("database")
class TestDeskOf:
    """The desk a person works at."""

    def test_is_the_first_by_name_unless_named(self) -> None:
        """Without a name the choice does not depend on chance."""
        second, first = a_desk(name="b"), a_desk(name="a")
        user = a_user(desks=[second, first])
        assert (desk_of(user), desk_of(user, "b")) == (first, second)

    @pytest.mark.usefixtures("desk")
    def test_is_none_where_he_does_not_belong(self) -> None:
        """Another desk's name gives nothing."""
        assert desk_of(a_user(), "demo") is None


@pytest.mark.usefixtures("database")
class TestSourceViews:
    """The sources an execution may read."""

    def test_are_those_of_its_authorization(self, analyst: User, desk: Group) -> None:
        """What an authorization does not list is not there. Scenario H01."""
        root = a_root(requester=analyst, desk=desk, wish="require")
        plan_a_dialogue(root, bear=["S2"])
        seen = {
            child.role: [view.handle for view in source_views(child)]
            for child in Child.objects.filter(root=root)
        }
        assert seen == {Role.MAIN: ["S1", "S2"], Role.BULL: ["S1", "S2"], Role.BEAR: ["S2"]}

    def test_never_include_one_without_a_scope(self, analyst: User, desk: Group) -> None:
        """A source without a label is seen by nobody, whatever an authorization says. Scenario H06."""
        root = a_root(requester=analyst, desk=desk)
        portfolio = root.sources.get(number=1).source
        unlabelled = Source.objects.create(
            desk=desk,
            scope="",
            title=portfolio.title,
            raw=portfolio.raw,
            raw_sha256=portfolio.raw_sha256,
            added_by=analyst,
            added_at=portfolio.added_at,
        )
        root.sources.create(source=unlabelled, number=3)
        main = Child.objects.get(root=root)
        main.authorization["labels"].append(str(unlabelled.pk))
        assert [view.handle for view in source_views(main)] == ["S1", "S2"]
