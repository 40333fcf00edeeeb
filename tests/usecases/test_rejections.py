"""Rejected calls: nothing was generated, so they are refunded, and repeated when a timer fires."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from bullbear.lifecycle import Role
from bullbear.models import Receipt, Timer
from bullbear.queries import due_timers
from bullbear.sweep import fire_timer
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider
from tests.scripted import (
    BULL_OPENING,
    CHALLENGE,
    PLAN,
    RESPONSE,
    SYNTHESIS,
    a_challenge,
    a_response,
    a_synthesis,
    challenge_in,
    fails,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

NOBODY_LISTENS = "http://127.0.0.1:9/v1"
AT_ONCE = {"Retry-After": "0"}
HOUR = {"Retry-After": "3600"}
MINUTE = {"Retry-After": "60"}


def fire(scene: Scene) -> int:
    """Fire what is due, as the sweeper does; say how many timers that were."""
    due = due_timers()
    for root_id, timer_id in due:
        fire_timer(root_id, timer_id)
    return len(due)


def wait_for_timer() -> None:
    end = time.monotonic() + 10
    while not due_timers():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.usefixtures("database")
class TestSetRetry:
    """A rejected call waits for its timer, parked."""

    @pytest.mark.parametrize(
        ("headers", "seconds"),
        [
            pytest.param({"Retry-After": "30"}, 30, id="the provider says when"),
            pytest.param({}, 1, id="else one second"),
            pytest.param({"Retry-After": "soon"}, 1, id="what is no time is ignored"),
        ],
    )
    def test_refunds_the_call_and_sets_a_timer(
        self, opened: OpenScene, headers: dict[str, str], seconds: int
    ) -> None:
        """429: no attempt, no debit, and a timer as a fact."""
        scene = opened(fails(PLAN, status=429, headers=headers))
        main = scene.step(Role.MAIN)
        assert scene.outcomes(Role.MAIN) == [(1, 1, "rejected", "rate_limited")]
        assert (main.state, main.lease_token) == ("parked", None)
        timer = Timer.objects.get(child=main)
        [fact] = scene.facts("timer_set")
        recorded_at = Receipt.objects.get(kind="timer_set").recorded_at
        assert timer.fires_at - recorded_at == timedelta(seconds=seconds)
        assert (fact["act"], fact["subjects"]["cause"]) == (str(timer.pk), "retry")
        scene.root.refresh_from_db()
        assert (scene.root.model_calls_spent, scene.root.model_calls_reserved) == (0, 0)
        assert (scene.root.tokens_spent, scene.root.tokens_reserved) == (0, 0)
        scene.check()

    def test_lets_nobody_begin_before_it_fires(self, opened: OpenScene) -> None:
        """A hint that comes early finds a parked execution. Scenario C01."""
        scene = opened(fails(PLAN, status=429, headers=MINUTE))
        scene.step(Role.MAIN)
        scene.step(Role.MAIN)
        assert due_timers() == []
        assert len(scene.requests(Role.MAIN)) == 1
        assert scene.driver.owed(scene.root) == []

    def test_does_not_end_in_a_mutual_wait(self, opened: OpenScene) -> None:
        """All are parked and one waits for its timer: nobody is stuck. Scenario B18."""
        scene = opened(fails(challenge_in(1), status=429, headers=MINUTE))
        scene.run()
        assert scene.pair.end_reason == ""
        states = {scene.child(role).state for role in (Role.MAIN, Role.BULL, Role.BEAR)}
        assert states == {"parked"}

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
    def test_is_not_done_for_what_will_not_change(self, opened: OpenScene, status: int) -> None:
        """These are not repeated: the turn is over as provider_unavailable."""
        scene = opened(fails(BULL_OPENING, status=status))
        scene.step(Role.MAIN)
        bull = scene.step(Role.BULL)
        assert (bull.state, bull.end_reason) == ("failed", "provider_unavailable")
        assert not Timer.objects.exists()

    def test_is_not_done_past_the_deadline(self, opened: OpenScene) -> None:
        """A Retry-After beyond the time of peers ends the turn now."""
        scene = opened(fails(BULL_OPENING, status=429, headers=HOUR))
        scene.step(Role.MAIN)
        bull = scene.step(Role.BULL)
        assert (bull.state, bull.end_reason) == ("failed", "provider_unavailable")
        assert not Timer.objects.exists()

    def test_is_not_taken_from_an_earlier_rejection(self, opened: OpenScene) -> None:
        """A timer that has fired does not stand for a repeat that was never set."""
        scene = opened(
            fails(BULL_OPENING, status=429, headers=AT_ONCE),
            fails(BULL_OPENING, status=429, headers=HOUR),
        )
        scene.step(Role.MAIN)
        scene.step(Role.BULL)
        assert fire(scene) == 1
        bull = scene.step(Role.BULL)
        assert [one[2:] for one in scene.outcomes(Role.BULL)] == [("rejected", "rate_limited")] * 2
        assert (bull.state, bull.end_reason) == ("failed", "provider_unavailable")


@pytest.mark.usefixtures("database")
class TestFireTimer:
    """The sweeper's part."""

    def test_seals_the_slot_again_as_a_new_request(self, opened: OpenScene) -> None:
        """The same attempt, the next n; the half-round is spent once."""
        scene = opened(fails(challenge_in(1), status=429))
        scene.run()
        wait_for_timer()
        assert fire(scene) == 1
        timer = Timer.objects.get()
        assert [fact["act"] for fact in scene.facts("timer_fired")] == [str(timer.pk)]
        scene.end()
        assert scene.outcomes(Role.BEAR, "challenge") == [
            (1, 1, "rejected", "rate_limited"),
            (1, 2, "answered", "valid"),
        ]
        assert scene.halves()[0] == (1, "challenge", "accepted", 1)

    def test_happens_once(self, opened: OpenScene) -> None:
        """Several sweepers find it due: one receipt, one wake. Scenario C07."""
        scene = opened(fails(PLAN, status=429, headers=AT_ONCE))
        scene.step(Role.MAIN)
        [(root_id, timer_id)] = due_timers()
        fire_timer(root_id, timer_id)
        fire_timer(root_id, timer_id)
        assert due_timers() == []
        assert len(scene.facts("timer_fired")) == 1
        assert scene.child(Role.MAIN).wakes == 1

    def test_is_repeated_five_times_at_most(self, opened: OpenScene) -> None:
        """The sixth rejection ends the turn; all six were refunded.  `Retry-After: 0` is now."""
        scene = opened(
            fails(BULL_OPENING, status=429, headers=AT_ONCE, times=9),
            says(SYNTHESIS, a_synthesis(C1="unresolved")),
        )
        scene.end()
        assert [one[:3] for one in scene.outcomes(Role.BULL)] == [
            (1, n, "rejected") for n in range(1, 7)
        ]
        bull = scene.child(Role.BULL)
        assert (bull.state, bull.end_reason) == ("failed", "provider_unavailable")
        assert len(scene.facts("timer_set")) == 5
        assert scene.root.model_calls_spent == 3  # plan, Bear's opening, synthesis

    def test_follows_a_redirect_never(self, opened: OpenScene) -> None:
        """A redirect is a rejection: one call arrived, at the sealed endpoint. Scenario F09."""
        scene = opened(fails(PLAN, status=307, headers={"Location": "http://127.0.0.1:9/"}))
        scene.step(Role.MAIN)
        assert scene.outcomes(Role.MAIN) == [(1, 1, "rejected", "redirected")]
        assert len(scene.double.hits()) == 1


@pytest.mark.usefixtures("database")
class TestConnectRefused:
    """Nobody listens at the provider's address."""

    def test_waits_and_goes_on_when_it_is_back(self, opened: OpenScene) -> None:
        """Nothing arrived; the next try is a new request to the same endpoint's successor."""
        scene = opened()
        nobody = Provider(Endpoint.from_base_url(NOBODY_LISTENS), "none")
        scene.driver.with_provider(nobody).step(scene.child(Role.MAIN))
        assert scene.outcomes(Role.MAIN) == [(1, 1, "rejected", "connect_refused")]
        assert scene.double.hits() == []
        [first] = scene.requests(Role.MAIN)
        assert (first.host, first.port, first.path) == ("127.0.0.1", 9, "/v1/chat/completions")
        assert (first.response, first.status_code) == (None, None)
        assert len(scene.facts("timer_set")) == 1


@pytest.mark.usefixtures("database")
class TestLastSlot:
    """A half-round whose every request was rejected."""

    def test_ends_the_pair_only_as_the_last_one(self, opened: OpenScene) -> None:
        """Earlier slots lost to the provider do not name the end. D10."""
        scene = opened(
            fails(challenge_in(1), status=404),
            says(CHALLENGE, a_challenge("C1")),
            says(RESPONSE, a_response("C1", action="defend")),
            says(SYNTHESIS, a_synthesis(C1="stands", C2="stands")),
        )
        scene.end()
        assert scene.pair.end_reason == "max_rounds"
