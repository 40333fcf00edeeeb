"""Who may read what in the admin, and that nobody may change anything."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib.admin import AdminSite
from django.contrib.auth.models import Group, User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from audit.admin.base import ReadOnlyAdmin
from audit.transcript import load_transcript
from audit.viewer import Viewer
from bullbear.models import Root, Worker
from dialogue.models import Claim, PeerMessage
from research.models import ScopeGrant, Source
from tests.admin.conftest import Scripted, logged_in
from tests.admin.pages import OURS, list_url, row_url, shown, verify_url, words
from tests.driving import Driver

pytestmark = pytest.mark.usefixtures("database")
OF_NO_ROOT = {Worker}


def test_every_model_is_shown_by_the_read_only_base() -> None:
    """No model of ours is without a page, and none has another base."""
    labels = ("bullbear", "research", "dialogue")
    models = {model for label in labels for model in apps.get_app_config(label).get_models()}
    assert set(OURS) == models
    assert all(isinstance(site, ReadOnlyAdmin) for site in OURS.values())


class TestAMember:
    """Staff of the desk, without any permission of Django's."""

    @pytest.mark.usefixtures("finished")
    def test_reads_every_list_and_every_row(self, member: Client) -> None:
        ScopeGrant.objects.create(scope="public", user=User.objects.get(username="member"))
        for model in OURS:
            assert member.get(list_url(model)).status_code == 200, model
            for row in model._default_manager.all()[:3]:
                page = member.get(row_url(row))
                assert page.status_code == 200, row
                assert "Save" not in shown(page), row

    def test_finds_by_id_act_and_filter(self, finished: Root, member: Client) -> None:
        message = PeerMessage.objects.filter(root=finished).earliest("number")
        found = member.get(list_url(PeerMessage), {"q": message.act})
        assert "1 result" in words(found)
        assert "0 results" in words(member.get(list_url(Root), {"happened": "refused"}))
        for model, site in OURS.items():
            for one in site.list_filter:
                name = one.parameter_name  # type: ignore[union-attr]
                for key in one.conditions:  # type: ignore[union-attr]
                    page = member.get(list_url(model), {name: key})
                    assert page.status_code == 200, (model, name, key)

    def test_changes_nothing(self, finished: Root, member: Client, superuser: Client) -> None:
        Group.objects.get(name="demo").user_set.add(User.objects.get(username="root"))
        for client in (member, superuser):
            for model in OURS:
                row: Model = model._default_manager.all()[:1].get() if model in FULL else finished
                name = model._meta.label_lower.replace(".", "_")
                assert client.post(list_url(model)).status_code == 403, model
                assert client.post(row_url(row)).status_code == 403, model
                assert client.get(reverse(f"admin:{name}_add")).status_code == 403, model
                assert client.post(reverse(f"admin:{name}_add")).status_code == 403, model
                if model in FULL:
                    deleting = reverse(f"admin:{name}_delete", args=[row.pk])
                    assert client.get(deleting).status_code == 403, model
                    assert client.post(deleting).status_code == 403, model
            assert client.post(verify_url(finished)).status_code == 403
            assert client.delete(row_url(finished)).status_code == 403


FULL = {Root, Claim, PeerMessage, Source, Worker}


class TestSomebodyElse:
    """Staff of another desk, and a superuser of none: neither is exempt."""

    @pytest.mark.parametrize("who", ["outsider", "superuser"])
    def test_finds_nothing(self, finished: Root, who: str, request: pytest.FixtureRequest) -> None:
        """A foreign row answers as one that is not there. Scenario H12."""
        client: Client = request.getfixturevalue(who)
        for model in OURS:
            if model in OF_NO_ROOT:
                continue
            page = client.get(list_url(model))
            assert page.status_code == 200, model
            assert f"0 {model._meta.verbose_name_plural}" in words(page).lower(), model
            for row in model._default_manager.all()[:3]:
                assert client.get(row_url(row)).status_code == 404, row
        assert client.get(verify_url(finished)).status_code == 404

    def test_who_lacks_one_scope_of_the_root_finds_nothing(
        self, scripted: Scripted, desk: Group, analyst: User
    ) -> None:
        ScopeGrant.objects.create(scope="account:7731", user=analyst)
        root = scripted(scopes=("account:7731",))
        colleague = logged_in("colleague", desk)
        assert colleague.get(row_url(root)).status_code == 404
        assert "0 roots" in words(colleague.get(list_url(Root)))
        ScopeGrant.objects.create(
            scope="account:7731", user=User.objects.get(username="colleague")
        )
        assert colleague.get(row_url(root)).status_code == 200

    def test_who_is_no_staff_is_sent_to_the_login(
        self, finished: Root, analyst: User, client: Client
    ) -> None:
        client.force_login(analyst)
        page = client.get(row_url(finished))
        assert page.status_code == 302
        assert "/admin/login/" in page["Location"]


class TestWithheld:
    """A text whose lineage is not covered is withheld, whole, and said to be."""

    def test_what_rests_on_a_source_out_of_reach(self, finished: Root, driver: Driver) -> None:
        opened = PeerMessage.objects.filter(root=finished).earliest("number")
        of_root = frozenset(finished.scopes) - {"public"}
        reader = Viewer(frozenset({driver.desk.pk}), of_root)
        page = load_transcript(Root.objects.using("audit").get(pk=finished.pk), reader)
        assert page.question.withheld
        message = next(one.message for one in page.turns if one.message)
        assert message.handle == f"M{opened.number}"
        assert message.text.withheld
        assert message.text.words == ""
        assert all(claim.quote.withheld for claim in page.claims)
        assert all(tool.result.withheld for tool in page.tools)
        assert page.withheld > 20


def test_the_site_itself_has_no_action() -> None:
    """Not even Django's own for deleting many."""
    assert isinstance(OURS[Root].admin_site, AdminSite)
    assert all(not site.actions for site in OURS.values())
