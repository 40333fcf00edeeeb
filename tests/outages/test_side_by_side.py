"""Old and new code on one database: what a newer release wrote stops nobody, and nobody says he checked it.

A hint with arguments that this release does not know reaches a real worker in `rolling`.

Source: design.md D18; style.md, rule 7.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from audit.oracle import look_at
from audit.proof.vocabulary import RECEIPT_KINDS
from audit.verify import Result, verify_root
from bullbear import receipts
from bullbear.lifecycle import Role
from bullbear.locks import hold_root
from bullbear.models import Receipt, Root
from bullbear.transactions import transaction
from config.configuration import load, unknown_variables
from research import open_root as opening
from tests.admin.conftest import member
from tests.admin.pages import row_url, verify_url, words
from tests.crash.snapshot import Snapshot
from tests.crash.stage import Facts
from tests.outages.rolling import HINTED
from tests.usecases.conftest import OpenScene, asking, double, double_process, opened
from tests.usecases.scene import Scene

pytest_plugins = ["tests.outages.scenarios"]
pytestmark = pytest.mark.usefixtures("played")  # from the first test on
__all__ = ["asking", "double", "double_process", "member", "opened"]  # fixtures
NEWER = 2
NEWER_KIND = "side_note_kept"


def a_newer_release_appends(root: Root, monkeypatch: pytest.MonkeyPatch, version: int) -> Receipt:
    """Append a fact in the middle of a Root's chain, as a writer of another release does."""
    with monkeypatch.context() as newer, transaction(), hold_root(root.pk) as held:
        newer.setattr(receipts, "VERSION", version)
        return receipts.append(held, NEWER_KIND, act="note 1", subjects={"weight": "heavy"})


def a_newer_release_opens(
    opened: OpenScene, monkeypatch: pytest.MonkeyPatch, **more: object
) -> Scene:
    """Open a Root whose configuration holds what only a newer release writes."""
    of_this_release = opening._configuration

    def of_a_newer(*given: Any) -> dict[str, Any]:
        return of_this_release(*given) | more

    with monkeypatch.context() as newer:
        newer.setattr(opening, "_configuration", of_a_newer)
        return opened()


class TestAHint:
    def test_with_arguments_of_a_newer_release_is_followed(self, rolling: Facts) -> None:
        """The worker heard of this Root by that hint alone, took what it knows, and advanced it."""
        assert rolling.complaints.get(HINTED, "") == ""
        end = rolling.roots[HINTED]
        assert isinstance(end, Snapshot)
        assert (end.state, end.result) == ("finished", "complete")


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("version", [receipts.VERSION, NEWER], ids=["its kind", "its version"])
class TestAReceipt:
    """One that this release does not know, by its kind or by its version."""

    def test_stops_no_writer(
        self, opened: OpenScene, monkeypatch: pytest.MonkeyPatch, version: int
    ) -> None:
        """The chain goes on over it, and the Root ends as ever."""
        scene = opened()
        scene.step(Role.MAIN)
        foreign = a_newer_release_appends(scene.root, monkeypatch, version)
        root = scene.run()
        assert (root.state, root.result) == ("finished", "complete")
        assert scene.pair.end_reason == "settled"
        following = Receipt.objects.get(root=root, seq=foreign.seq + 1)
        assert bytes(following.previous) == bytes(foreign.digest)
        assert root.receipts_seq > foreign.seq

    def test_cannot_be_checked_and_that_is_said(
        self, opened: OpenScene, monkeypatch: pytest.MonkeyPatch, version: int
    ) -> None:
        """Neither skipped nor called a mismatch: the place and the reason are named."""
        scene = opened()
        scene.step(Role.MAIN)
        foreign = a_newer_release_appends(scene.root, monkeypatch, version)
        scene.run()
        verdict = verify_root(scene.root.pk)
        assert verdict.result is Result.CANNOT_BE_CHECKED
        assert f"#{foreign.seq}" in verdict.place
        assert (str(version) if version == NEWER else NEWER_KIND) in verdict.problem
        complaints = look_at(scene.root.pk, scene.double.hits())
        assert [one.problem for one in complaints] == [str(verdict)]

    def test_is_shown_to_a_reader(
        self,
        opened: OpenScene,
        member: Client,
        monkeypatch: pytest.MonkeyPatch,
        version: int,
    ) -> None:
        """The Root's page shows it under its own name, and the verdict says why it is no verdict."""
        scene = opened()
        scene.step(Role.MAIN)
        a_newer_release_appends(scene.root, monkeypatch, version)
        root = scene.run()
        page = member.get(row_url(root))
        assert page.status_code == 200
        assert NEWER_KIND in words(page)
        verdict = member.get(verify_url(root))
        assert verdict.status_code == 200
        assert "cannot be checked" in words(verdict)


def test_the_kind_of_these_tests_is_unknown() -> None:
    """A control: once this release knows it, the tests above say nothing."""
    assert NEWER_KIND not in RECEIPT_KINDS
    assert receipts.VERSION != NEWER


@pytest.mark.usefixtures("database")
class TestAConfiguration:
    """Frozen by a newer release, gone on with by this one."""

    def test_with_a_further_key_is_used_and_verified(
        self, opened: OpenScene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What this release does not know it leaves alone; the digest is over all of it."""
        scene = a_newer_release_opens(opened, monkeypatch, stability_check={"swap": True})
        assert scene.root.configuration["stability_check"] == {"swap": True}
        root = scene.end()
        assert (root.state, root.result) == ("finished", "complete")

    def test_of_a_newer_version_cannot_be_checked(
        self, opened: OpenScene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing crashes, the Root ends, and nobody says that it is verified."""
        scene = a_newer_release_opens(opened, monkeypatch, v=NEWER)
        root = scene.run()
        assert root.state == "finished"
        verdict = verify_root(root.pk)
        assert verdict.result is Result.CANNOT_BE_CHECKED
        assert (verdict.place, verdict.problem) == ("configuration", f"its version is {NEWER}")


class TestASetting:
    def test_of_a_newer_release_is_named_and_stops_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """During a rolling change of the environment; `doctor` shows it."""
        monkeypatch.setenv("BULLBEAR_STABILITY_CHECK", "yes")
        load()
        assert unknown_variables(["BULLBEAR_STABILITY_CHECK"]) == ["BULLBEAR_STABILITY_CHECK"]
