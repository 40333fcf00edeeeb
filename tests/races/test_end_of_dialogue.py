"""B08 and B10: a response, or a seal, against the end of the dialogue.

Bull's response is recorded, or Bear's next request is sealed, while an operator cancels.  Either came first,
and counts; or the end came first, and then nothing of it has an effect.
"""

from __future__ import annotations

from functools import partial

import pytest

from bullbear.lifecycle import Role
from dialogue.cancel import cancel
from dialogue.models import PeerMessage
from tests.races.explorer import Outcomes
from tests.races.naive import nothing_behind, race, run, say, transaction, value
from tests.races.stage import Stage
from tests.usecases.scene import Scene


@pytest.mark.usefixtures("database")
class TestOurs:
    """Whose turn it is, is asked again under the lock in which the answer takes effect."""

    def test_a_response_counts_or_is_late(self, challenged: Scene) -> None:
        """Accepted before the pair ended, or billed, kept and no message. Scenario B08."""
        stage = Stage(challenged)
        response = stage.answered(Role.BULL)

        def holds(_: Outcomes) -> None:
            [ended] = challenged.facts("pair_ended")
            accepted = challenged.facts("message_accepted")[1:]
            [(*_rest, worth)] = challenged.outcomes(Role.BULL, "response")
            assert PeerMessage.objects.count() == 1 + len(accepted)
            if accepted:
                assert (accepted[0]["seq"] < ended["seq"], worth) == (True, "valid")
                assert challenged.pair.end_reason == "settled"
            else:
                assert (challenged.pair.end_reason, worth) == ("cancelled", "late")

        explored = stage.race(
            holds,
            {"bull": stage.records(response), "operator": partial(cancel, challenged.root.pk)},
        )
        assert explored.held() == 4

    def test_a_seal_comes_before_the_cancel_or_not_at_all(self, frozen_pair: Scene) -> None:
        """A sealed request keeps its lease; after the cancel none is sealed. Scenario B10."""
        stage = Stage(frozen_pair)

        def holds(_: Outcomes) -> None:
            [cancelled] = frozen_pair.facts("root_finalizing")
            sealed = [
                fact
                for fact in frozen_pair.facts("request_sealed")
                if fact["subjects"]["purpose"] == "challenge"
            ]
            state = "running" if sealed else "stopped"
            assert all(fact["seq"] < cancelled["seq"] for fact in sealed)
            assert frozen_pair.child(Role.BEAR).state == state
            assert len(frozen_pair.halves()) == len(sealed)

        explored = stage.race(
            holds,
            {"bear": stage.begins(Role.BEAR), "operator": partial(cancel, frozen_pair.root.pk)},
        )
        assert explored.held() == 7


def act_if_open() -> None:
    """A child: the Root is open; then respond, or seal."""
    with transaction():
        if value("SELECT state FROM naive.root") == "open":
            say("effect", "child")


def end() -> None:
    """The operator: end it."""
    with transaction():
        run("UPDATE naive.root SET state = 'cancelled'")
        say("end", "operator")


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Ask whether the Root is open, then act."""

    def test_acts_after_the_end(self) -> None:
        """Scenarios B08 and B10, control: the end is on record, and behind it an effect."""
        explored = race(
            lambda: nothing_behind("end", "effect"), {"child": act_if_open, "operator": end}
        )
        assert explored.figures == (20, 9)
