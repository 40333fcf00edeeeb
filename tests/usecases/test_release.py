"""Human release of a source or a number: who may, what readers then see, and how it is taken back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from audit.reader_copy import WITHHELD, reader_copy
from audit.verify import load_record, verify, verify_root
from audit.viewer import viewer_of
from bullbear.locks import UnknownRoot
from bullbear.models import Child, Receipt
from dialogue.report.compile import read_document
from research.models import Release
from research.release import CannotRelease, release
from tests.factories import FUND_FILE, PORTFOLIO_FILE, a_grant, a_user
from tests.scripted import CHALLENGE_TEXT, asks_for, challenge_in
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

PREMIUM = "research:premium"
LOOK = {"dimension": "sector", "fund": "", "points": "", "funding": "", "bucket": ""}


@pytest.fixture
def premium(opened: OpenScene, analyst: User) -> Scene:
    """Bear's challenge, and all after it, rests on a fund of scope `research:premium`."""
    a_grant(user=analyst, scope=PREMIUM)
    scene = opened(
        asks_for(challenge_in(1), ("look_through", LOOK)),
        files=(PORTFOLIO_FILE, replace(FUND_FILE, scope=PREMIUM)),
    )
    scene.run()
    return scene


def copy_for(scene: Scene, user: User) -> dict[str, object]:
    return reader_copy(read_document(scene.root.reports.get()), scene.root, viewer_of(user))


def first_message(copy: dict[str, object]) -> str:
    return str(
        json.loads(json.dumps(copy))["exchange"]["half_rounds"][0]["message"]["text"]["text"]
    )


@pytest.mark.usefixtures("database")
class TestRelease:
    """A person who holds the scope lets the Root's other readers see."""

    def test_of_a_source_shows_what_rests_on_it(self, premium: Scene, analyst: User) -> None:
        """A record of its own, with its receipt in the desk chain; the ended Root still verifies. D15."""
        colleague = a_user(desks=[premium.root.desk])
        assert first_message(copy_for(premium, colleague)) == WITHHELD
        row = release(premium.root.pk, "S2", reason="The vendor agreed.", by=analyst)
        assert first_message(copy_for(premium, colleague)) == CHALLENGE_TEXT
        assert copy_for(premium, colleague)["withheld"] == 0
        receipt = Receipt.objects.get(root=premium.root, chain="desk")
        assert (receipt.seq, receipt.kind, receipt.act) == (1, "release_recorded", str(row.pk))
        premium.check()

    def test_of_a_number_shows_that_number_alone(self, premium: Scene, analyst: User) -> None:
        """The figures stand; the message that argues from them stays withheld."""
        colleague = a_user(desks=[premium.root.desk])
        release(premium.root.pk, "T1", reason="It was published.", by=analyst)
        copy = json.loads(json.dumps(copy_for(premium, colleague)))
        assert copy["numbers"][0]["rows"]
        assert first_message(copy) == WITHHELD
        premium.check()

    def test_can_be_taken_back(self, premium: Scene, analyst: User) -> None:
        """By a further record: nothing is deleted, and from then on it is withheld again."""
        colleague = a_user(desks=[premium.root.desk])
        row = release(premium.root.pk, "S2", reason="The vendor agreed.", by=analyst)
        back = release(premium.root.pk, "S2", reason="No more.", by=analyst, withdraw=True)
        assert back.withdraws == row
        assert first_message(copy_for(premium, colleague)) == WITHHELD
        again = release(premium.root.pk, "S2", reason="Agreed again.", by=analyst)
        assert first_message(copy_for(premium, colleague)) == CHALLENGE_TEXT
        assert Release.objects.count() == 3
        assert again.withdraws is None
        premium.check()

    def test_widens_no_execution(self, premium: Scene, analyst: User) -> None:
        """Authorizations are frozen; a release is for people. Scenario G04."""
        before = list(Child.objects.order_by("pk").values_list("authorization", flat=True))
        release(premium.root.pk, "S2", reason="The vendor agreed.", by=analyst)
        after = list(Child.objects.order_by("pk").values_list("authorization", flat=True))
        assert before == after

    def test_is_not_for_who_lacks_the_scope(self, premium: Scene) -> None:
        """What he may not see, what is not there, and what cannot be released, answer alike. Scenario H12."""
        colleague, outsider = a_user(desks=[premium.root.desk]), a_user()
        problems = set()
        for person, handle in (
            (colleague, "S2"),
            (colleague, "T1"),
            (colleague, "S9"),
            (colleague, "M1"),
            (outsider, "S1"),
        ):
            with pytest.raises(CannotRelease) as refused:
                release(premium.root.pk, handle, reason="Please.", by=person)
            problems.add(str(refused.value).replace(handle, "it").replace(person.username, "he"))
        assert problems == {"there is no it of this research that he may release"}
        assert Release.objects.count() == 0

    @pytest.mark.parametrize("reason", ["", " \n", "x" * 1_001, "\x00"])
    def test_needs_a_reason(self, premium: Scene, analyst: User, reason: str) -> None:
        with pytest.raises(CannotRelease, match="a reason is needed"):
            release(premium.root.pk, "S2", reason=reason, by=analyst)
        assert not Receipt.objects.filter(chain="desk").exists()

    def test_stands_once(self, premium: Scene, analyst: User) -> None:
        release(premium.root.pk, "S2", reason="Agreed.", by=analyst)
        with pytest.raises(CannotRelease, match="released already"):
            release(premium.root.pk, "S2", reason="Agreed.", by=analyst)
        with pytest.raises(CannotRelease, match="T1 is not released"):
            release(premium.root.pk, "T1", reason="No more.", by=analyst, withdraw=True)

    @pytest.mark.usefixtures("premium")
    def test_is_of_a_root_that_is_there(self, analyst: User) -> None:
        with pytest.raises(UnknownRoot):
            release(a_grant().pk, "S2", reason="Agreed.", by=analyst)


@pytest.mark.usefixtures("database")
class TestVerification:
    """The desk chain is recomputed like the research chain."""

    def test_names_the_first_bad_place(self, premium: Scene, analyst: User) -> None:
        """A row without its receipt, a cut chain, another person, a withdrawal of nothing."""
        release(premium.root.pk, "S2", reason="Agreed.", by=analyst)
        release(premium.root.pk, "S2", reason="No more.", by=analyst, withdraw=True)
        assert verify_root(premium.root.pk).place == ""
        record = load_record(premium.root.pk)
        first, second = record.releases
        lies = {
            "it has no receipt": replace(record, desk=record.desk[:1]),
            "it is missing": replace(record, desk=record.desk[1:]),
            "it has no row on record": replace(record, releases=record.releases[:1]),
            "its receipt says something else": replace(
                record, releases=(replace(first, released_by_id=999), second)
            ),
            "its receipt is of another kind": replace(
                record, releases=(first, replace(second, withdraws_id=None))
            ),
        }
        assert {problem: verify(lie).problem for problem, lie in lies.items()} == {
            problem: problem for problem in lies
        }
