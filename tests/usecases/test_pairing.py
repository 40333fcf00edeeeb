"""Pair formation: offer, join, freeze; or a recorded reason why there is none."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from bullbear.lifecycle import Role
from bullbear.locks import hold_root
from bullbear.models import Receipt
from bullbear.transactions import transaction
from dialogue.case import load_case
from dialogue.models import Pair, PairOffer
from dialogue.pairing import join_pair
from tests.factories import plan_a_dialogue
from tests.scripted import BEAR_OPENING, BULL_OPENING, SYNTHESIS, a_synthesis, asks_for, says
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

READ_PORTFOLIO = ("read_source", {"source": "S1", "offset": 0, "limit": 1})


def join_again(scene: Scene) -> None:
    with transaction(), hold_root(scene.root.pk) as held:
        case = load_case(held)
        case.pair = None
        join_pair(case)


@pytest.mark.usefixtures("database")
class TestOfferPair:
    """The first accepted opening proposes a pair."""

    @pytest.mark.parametrize("first", [Role.BULL, Role.BEAR])
    def test_is_made_by_whoever_is_first_and_parks_him(
        self, opened: OpenScene, first: Role
    ) -> None:
        """Either side may be first; the offer stands while the other still works. A07."""
        scene = opened()
        scene.step(Role.MAIN)
        child = scene.step(first)
        offer = PairOffer.objects.get(root=scene.root)
        assert (offer.child, child.state) == (child, "parked")
        [fact] = scene.facts("pair_offered")
        assert fact["subjects"]["offer"] == str(offer.pk)
        assert not Pair.objects.exists()

    def test_is_made_once(self, opened: OpenScene) -> None:
        """The second opening joins and offers nothing. B05."""
        scene = opened()
        scene.step(Role.MAIN)
        scene.step(Role.BEAR)
        scene.step(Role.BULL)
        assert PairOffer.objects.get(root=scene.root).child == scene.child(Role.BEAR)
        assert len(scene.facts("pair_offered")) == 1


@pytest.mark.usefixtures("database")
class TestJoinPair:
    """The second opening joins, and the pair is frozen."""

    def test_freezes_members_rounds_and_authorizations(self, opened: OpenScene) -> None:
        """What was frozen is on the row and in its receipt."""
        scene = opened(rounds=3)
        scene.step(Role.MAIN)
        scene.step(Role.BULL)
        scene.step(Role.BEAR)
        bull, bear, pair = scene.child(Role.BULL), scene.child(Role.BEAR), scene.pair
        assert (pair.bull, pair.bear, pair.max_rounds) == (bull, bear, 3)
        assert (pair.opening_order, pair.end_reason) == ("independent", "")
        assert pair.bull_authorization_digest == bull.authorization_digest
        assert pair.bear_authorization_digest == bear.authorization_digest
        [fact] = scene.facts("pair_frozen")
        assert fact["subjects"] == {
            "pair": str(pair.pk),
            "bull": str(bull.pk),
            "bear": str(bear.pk),
            "max_rounds": 3,
            "opening_order": "independent",
        }
        assert fact["digests"] == {
            "bull_authorization": bull.authorization_digest,
            "bear_authorization": bear.authorization_digest,
        }
        scene.check()

    def test_wakes_bear_alone(self, opened: OpenScene) -> None:
        """Bear has the first half-round, also where it was first to open."""
        scene = opened()
        scene.step(Role.MAIN)
        scene.step(Role.BEAR)
        scene.step(Role.BULL)
        states = {role: scene.child(role).state for role in (Role.MAIN, Role.BULL, Role.BEAR)}
        assert states == {Role.MAIN: "parked", Role.BULL: "parked", Role.BEAR: "ready"}

    def test_twice_is_refused_by_the_database(self, frozen_pair: Scene) -> None:
        """A second pair of a Root is none; nothing else is written. B06."""
        receipts = Receipt.objects.filter(root=frozen_pair.root).count()
        with pytest.raises(IntegrityError, match="a bear is in one pair"):
            join_again(frozen_pair)
        assert Pair.objects.count() == 1
        assert Receipt.objects.filter(root=frozen_pair.root).count() == receipts


@pytest.mark.usefixtures("database")
class TestNoPair:
    """A planned dialogue that cannot take place."""

    @pytest.mark.parametrize(
        ("reader", "narrowed"), [(BULL_OPENING, "bear"), (BEAR_OPENING, "bull")]
    )
    def test_is_refused_scope_where_an_opening_may_not_be_shown(
        self, opened: OpenScene, reader: str, narrowed: str
    ) -> None:
        """An opening that rests on what the other may not see refuses the pair. Scenario H14."""
        scene = opened(
            asks_for(reader, READ_PORTFOLIO),
            says(SYNTHESIS, a_synthesis(C1="stands", C2="stands")),
            wish="require",
        )
        plan_a_dialogue(scene.root, **{narrowed: ["S2"]})
        root = scene.end()
        assert (root.state, root.end_reason, root.result) == (
            "finished",
            "refused_scope",
            "complete",
        )
        assert not Pair.objects.exists()
        assert [fact["subjects"] for fact in scene.facts("no_pair")] == [
            {"reason": "refused_scope"}
        ]
        assert scene.gaps() == [("no_dialogue", "refused_scope")]
        assert scene.requests(Role.BEAR, "challenge") == []

    def test_still_lets_both_openings_reach_main(self, opened: OpenScene) -> None:
        """Main holds the Root's whole scope and sees both. Scenario H05."""
        scene = opened(
            asks_for(BULL_OPENING, READ_PORTFOLIO),
            says(SYNTHESIS, a_synthesis(C1="stands", C2="unresolved")),
            wish="require",
        )
        plan_a_dialogue(scene.root, bear=["S2"])
        scene.end()
        [request] = scene.requests(Role.MAIN, "synthesis")
        assert request.parts.filter(kind="opening").count() == 2
