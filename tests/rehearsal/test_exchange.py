"""The outcome follows from the figures and the claims: change them, and it changes."""

from __future__ import annotations

import re

import pytest

from research.answers import OpeningAnswer
from tests.rehearsal import asking, exchange, toy
from tests.rehearsal.asking import Client
from tests.rehearsal.toy import Fund

MIXED = {"Alpha": "40", "Beta": "30", "Gamma": "30"}
WIDER = "Move 20 points into the Nordic ETF, because one more fund spreads the weight more evenly?"


def portfolio(candidate: dict[str, str]) -> list[Fund]:
    return [
        Fund("Wide World ETF", "60", MIXED),
        Fund("Home Market ETF", "40", MIXED),
        Fund("Nordic ETF", "0", candidate),
    ]


class TestConcession:
    def test_follows_from_a_rising_index(self, client: Client) -> None:
        played = exchange.play(client, WIDER, portfolio({"Alpha": "100"}))
        assert played.challenge is not None
        assert played.response is not None
        assert played.challenge.kind == "challenge"
        assert "from 40.00 % to 52.00 %" in played.challenge.counter_quote
        assert [one.action for one in played.response.answers] == ["concede"]
        assert played.dispositions == {
            "C1": "withdrawn",  # the premise
            "C2": "stands",  # figures of the lines
            "C3": "unresolved",  # an expectation without a figure
            "C4": "stands",
            "C5": "stands",
            "C6": "stands",
        }
        assert played.synthesis is not None
        assert played.synthesis.open_questions == [toy.DOES_NOT_SHOW]
        assert "[[T4.before_pct]] % to [[T4.after_pct]] %" in played.synthesis.summary
        assert not re.search(r"\d", re.sub(r"\[\[.*?\]\]", "", played.synthesis.summary))

    def test_reports_other_figures_for_other_files(self, client: Client) -> None:
        played = exchange.play(client, WIDER, portfolio({"Alpha": "90", "Delta": "10"}))
        assert played.challenge is not None
        assert "from 40.00 % to 50.00 %" in played.challenge.counter_quote


class TestDefence:
    def test_follows_from_a_falling_index(self, client: Client) -> None:
        played = exchange.play(client, WIDER, portfolio({"Delta": "100"}))
        assert played.challenge is not None
        assert played.response is not None
        assert played.second is not None
        assert played.challenge.kind == "challenge"
        assert [one.action for one in played.response.answers] == ["defend"]
        assert played.second.kind == "no_further"
        assert played.dispositions["C1"] == "stands"

    def test_turns_round_with_the_premise(self, client: Client) -> None:
        question = (
            "Move 20 points into the Nordic ETF, because it makes the bet more concentrated?"
        )
        played = exchange.play(client, question, portfolio({"Alpha": "100"}))
        assert played.response is not None
        assert [one.action for one in played.response.answers] == ["defend"]


class TestRevision:
    def test_follows_from_a_premise_that_no_index_tests(self, client: Client) -> None:
        question = "Move 20 points into the Nordic ETF, because its fees are modest?"
        played = exchange.play(client, question, portfolio({"Alpha": "100"}))
        assert played.response is not None
        assert [one.action for one in played.response.answers] == ["revise"]
        assert played.dispositions["C1"] == "revised"


class TestNoFurther:
    def test_follows_from_a_fund_that_adds_nothing(self, client: Client) -> None:
        """Scenario J01."""
        played = exchange.play(client, WIDER, portfolio(MIXED))
        assert played.challenge is not None
        assert played.challenge.kind == "no_further"
        assert any("look-through: By sector" in line for line in played.challenge.checked)
        assert played.challenge.unknown == [toy.DOES_NOT_SHOW]
        assert played.dispositions["C1"] == "stands"

    @pytest.mark.parametrize(
        "funds",
        [
            pytest.param(portfolio({"Alpha": "100"})[:2], id="the fund is not listed"),
            pytest.param([], id="no portfolio"),
        ],
    )
    def test_follows_from_missing_figures(self, client: Client, funds: list[Fund]) -> None:
        """Scenario J11."""
        played = exchange.Played(WIDER)
        for role in ("bull", "bear"):
            if funds:
                exchange.opening(client, funds, played, role)
            else:
                _opening_on_errors(client, played, role)
        answer = exchange.challenge(client, played)
        assert answer.kind == "no_further"
        assert answer.checked
        assert answer.unknown


def _opening_on_errors(client: Client, played: exchange.Played, role: str) -> None:
    blocks = [
        asking.block("question | requester", played.question),
        asking.tool_block("T1", "list_sources", {"lines": [], "candidates": [], "sources": []}),
        asking.tool_block("T2", "look_through", {"error": "no_portfolio"}),
    ]
    request = asking.body("opening", role, blocks, tools=True)
    answer = OpeningAnswer.model_validate_json(client.text(request))
    assert "no data" in answer.statement.lower()
    assert "no_portfolio" in answer.statement
    played.openings[role] = answer
    played.results[role] = {"error": "no_portfolio"}
    for claim in answer.claims:
        handle = f"C{len(played.claims) + 1}"
        played.claims[handle] = (role, claim.quote)
        played.status[handle] = "OPEN"


class TestFiguresWithheld:
    """A look-through that covers too little for a figure is told as what it is, and argued from by nobody."""

    RESULT = {
        "bucket": "Energy",
        "before_pct": "60.00 to 100.00",
        "after_pct": "64.00 to 100.00",
        "coverage": {"classified_pct": "60.00"},
    }

    @pytest.mark.parametrize("role", ["bull", "bear"])
    def test_are_told_with_their_bounds(self, client: Client, role: str) -> None:
        blocks = [
            asking.block("question | requester", WIDER),
            asking.tool_block("T1", "list_sources", {"lines": [], "candidates": []}),
            asking.tool_block("T2", "look_through", self.RESULT),
        ]
        request = asking.body("opening", role, blocks, tools=True)
        answer = OpeningAnswer.model_validate_json(client.text(request))
        assert (
            "The look-through covers too little for a figure: 60.00 % of the weight is classified; "
            "Energy is given as 60.00 to 100.00 before and 64.00 to 100.00 after."
        ) in answer.statement
        assert all(claim.evidence == [] for claim in answer.claims)


class TestBonds:
    def test_are_looked_through_by_asset_class(self, client: Client) -> None:
        funds = [
            Fund("Aggregate Bond ETF", "70", {"Bond": "100"}, "Bond"),
            Fund("World Equity ETF", "30", {"Equity": "100"}),
        ]
        question = "Raise the bond ETF by 15 points since more bonds balance the portfolio better?"
        played = exchange.play(client, question, funds)
        assert played.arguments["bear"]["dimension"] == "asset_class"
        assert played.challenge is not None
        assert "from 70.00 % to 74.50 %" in played.challenge.counter_quote
        assert played.dispositions["C1"] == "withdrawn"


class TestLaterRounds:
    @pytest.mark.parametrize(
        ("candidate", "answer", "kind"),
        [
            pytest.param(
                {"Alpha": "100"}, "I defend claim C1: it is so.", "challenge", id="again"
            ),
            pytest.param(
                {"Delta": "100"}, "I defend claim C1: it is so.", "proposition", id="propose"
            ),
            pytest.param(
                {"Alpha": "100"}, "I revise claim C1 to less.", "no_further", id="narrowed"
            ),
        ],
    )
    def test_go_on_only_where_figures_are_unanswered(
        self, client: Client, candidate: dict[str, str], answer: str, kind: str
    ) -> None:
        played = exchange.Played(WIDER)
        funds = portfolio(candidate)
        exchange.opening(client, funds, played, "bull")
        exchange.opening(client, funds, played, "bear")
        played.status["C1"] = "CONTESTED"
        messages = [
            asking.block("message M1 | bear | challenge | round 1", "I challenge claim C1."),
            asking.block("message M2 | bull | response | round 1", answer),
        ]
        second = exchange.challenge(client, played, messages)
        assert second.kind == kind
        if kind == "proposition":
            proposal = asking.block("message M3 | bear | proposition | round 2", second.text)
            response = exchange.respond(client, played, proposal)
            assert [(one.claim, one.action) for one in response.answers] == [("C1", "revise")]

    def test_call_the_tools_where_no_figure_is_on_record(self, client: Client) -> None:
        blocks = [asking.block("question | requester", WIDER)]
        request = asking.body("challenge", "bear", blocks, tools=True)
        assert client.call(request) == ("list_sources", {})


class TestPlan:
    @pytest.mark.parametrize(
        ("question", "wished", "pattern"),
        [
            (WIDER, "auto", "dialogue"),
            (WIDER, "exclude", "parallel"),
            ("Add 5 points of the Nordic ETF?", "auto", "dialogue"),
            ("What are my largest positions?", "auto", "parallel"),
            ("What are my largest positions?", "require", "dialogue"),
        ],
    )
    def test_follows_wish_and_premise(
        self, client: Client, question: str, wished: str, pattern: str
    ) -> None:
        answer = exchange.plan(client, question, wished)
        assert answer.pattern == pattern
        assert answer.reason
