"""B11: the final report against the last reply.

Main is woken and looks whether it can conclude, while Bull's last response is being recorded.  What Main
concludes from, and what the report tells, must hold that response.
"""

from __future__ import annotations

import pytest

from bullbear.lifecycle import Role
from dialogue.cancel import cancel
from dialogue.models import PeerMessage, Report
from tests.races.explorer import Outcomes
from tests.races.naive import race, run, said, say, transaction, value
from tests.races.stage import Stage
from tests.usecases.scene import Scene


@pytest.mark.usefixtures("database")
class TestOurs:
    """Main concludes only where, under the lock, no other execution has anything left to do."""

    def test_a_synthesis_rests_on_the_last_reply(self, challenged: Scene) -> None:
        """Main waits for it, or finds it on record. Scenario B11."""
        stage = Stage(challenged)
        response = stage.answered(Role.BULL)
        stage.look_again(Role.MAIN)

        def holds(outcomes: Outcomes) -> None:
            said_all = {str(one.pk) for one in PeerMessage.objects.all()}
            assert len(said_all) == 2
            assert challenged.child(Role.MAIN).state in {"ready", "running"}
            assert stage.end(outcomes).result == "complete"
            [synthesis] = challenged.requests(Role.MAIN, "synthesis")
            assert (
                set(synthesis.parts.filter(kind="message").values_list("record", flat=True))
                == said_all
            )

        explored = stage.race(
            holds, {"main": stage.begins(Role.MAIN), "bull": stage.records(response)}
        )
        assert explored.held() == 7

    def test_a_report_waits_for_a_late_reply(self, challenged: Scene) -> None:
        """The Root is cancelled: no report is compiled before Bull's answer is booked. Scenario B11."""
        stage = Stage(challenged)
        response = stage.answered(Role.BULL)
        cancel(challenged.root.pk)

        def holds(outcomes: Outcomes) -> None:
            [answered] = [
                fact
                for fact in challenged.facts("request_answered")
                if fact["child"] == str(challenged.child(Role.BULL).pk)
            ][1:]
            ended = challenged.facts("root_ended")
            assert all(fact["seq"] > answered["seq"] for fact in ended)
            root = stage.end(outcomes)
            assert (root.state, Report.objects.count()) == ("cancelled", 1)

        explored = stage.race(
            holds, {"main": stage.begins(Role.MAIN), "bull": stage.records(response)}
        )
        assert explored.held() == 7


def reply() -> None:
    """Bull: there is no report yet; then respond."""
    with transaction():
        if value("SELECT state FROM naive.root") == "open":
            say("response", "bull")


def conclude() -> None:
    """Main: tell how many responses there are, and end."""
    with transaction():
        responses = said("response")
        run("UPDATE naive.root SET state = 'ended'")
        say("report", f"{responses} responses")


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Read what there is, then report it."""

    def test_leaves_a_reply_out(self) -> None:
        """Scenario B11, control: the response stands, and the report says there is none."""
        explored = race(
            lambda: (
                value("SELECT said_by FROM naive.fact WHERE kind = 'report'")
                == f"{said('response')} responses"
            ),
            {"main": conclude, "bull": reply},
        )
        assert explored.figures == (35, 33)
