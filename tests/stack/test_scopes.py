"""`bullbear ask` on a running stack, with a portfolio of `account:7731` that Bear may read and Bull may not.

The rehearsal model does by itself what it can: it researches in private, argues from the portfolio, is
refused and puts a public substitute.  The rest is said by a scripted provider behind OPENAI_BASE_URL;
everything else is the product's own: command line, workers, sweeper, database and broker.

Source: design.md D14; scenarios.md, group H.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bullbear.ids import new_id
from config.cli.exits import Exit
from config.database_roles import DatabaseAddress
from tests.driving import QUESTION, SAMPLES
from tests.factories import TINY_FUND, TINY_PORTFOLIO
from tests.provider_double import Behaviour, ProviderDouble
from tests.scripted import (
    BEAR_CLAIM,
    BEAR_OPENING,
    BEAR_RESEARCH,
    BULL_CLAIM,
    BULL_OPENING,
    COUNTER_QUOTE,
    PLAN,
    RESPONSE,
    SYNTHESIS,
    a_challenge,
    a_finding,
    a_plan,
    a_response,
    a_synthesis,
    an_opening,
    asks_for,
    challenge_in,
    response_in,
    says,
)
from tests.stack.running import Up, bullbear, stack_up

SCOPE = "account:7731"
SECRET = "Sixty points of client 7731 lie in the World Fund"
PARAPHRASED = f"{COUNTER_QUOTE}: more than half of what this client owns is in it."
REFUSED = "it rests on material that the other side may not see"
PORTFOLIO = ("read_source", {"source": "S1", "offset": 0, "limit": 5})
FUND = ("read_source", {"source": "S2", "offset": 0, "limit": 5})
OPENED = (
    says(PLAN, a_plan()),
    asks_for(BEAR_RESEARCH, PORTFOLIO),
    says(BEAR_RESEARCH, a_finding(SECRET, evidence=["T1"])),
    says(BULL_OPENING, an_opening(BULL_CLAIM)),
    says(BEAR_OPENING, an_opening(BEAR_CLAIM)),
)


def of_bulls(when: str, answer: Callable[[str, str], dict[str, Any]]) -> list[Behaviour]:
    """Answer with Bull's claim and Bear's, whichever opening was accepted first."""
    return [
        says(when, answer(bulls, bears), also=f"claim {bulls} | bull")
        for bulls, bears in (("C1", "C2"), ("C2", "C1"))
    ]


def challenged(when: str, **changed: Any) -> list[Behaviour]:
    return of_bulls(when, lambda bulls, _: a_challenge(bulls, **changed))


def conceded(when: str, **changed: Any) -> list[Behaviour]:
    return of_bulls(when, lambda bulls, _: a_response(bulls, **changed))


WITHDRAWN = of_bulls(
    SYNTHESIS, lambda bulls, bears: a_synthesis(**{bulls: "withdrawn", bears: "stands"})
)


@dataclass(frozen=True)
class Asked:
    """What one `bullbear ask` printed, and what stands in the database of its Root."""

    up: Up
    result: dict[str, Any]

    @property
    def report(self) -> str:
        told = bullbear(self.up.home, "show", self.result["root"])
        assert told.returncode == Exit.OK, told.stderr
        return told.stdout

    @property
    def verified(self) -> str:
        return bullbear(self.up.home, "verify", self.result["root"]).stdout

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with owner_of(self.up).connect() as connection:
            return connection.execute(query, [self.result["root"]]).fetchall()

    def sources(self) -> dict[int, str]:
        found = self.rows("SELECT number, source_id FROM research_rootsource WHERE root_id = %s")
        return {number: str(source) for number, source in found}


def owner_of(up: Up) -> DatabaseAddress:
    return DatabaseAddress.parse(up.runtime.settings["BULLBEAR_DATABASE_URL"])


def grant(up: Up) -> None:
    """Grant the scope to the analyst, as the owner of a database does."""
    with owner_of(up).connect() as connection:
        connection.execute(
            "INSERT INTO research_scopegrant (id, scope, user_id) "
            "SELECT %s, %s, id FROM auth_user WHERE username = 'analyst'",
            [new_id(), SCOPE],
        )


def ask(up: Up, portfolio: Path, *sources: Path) -> Asked:
    told = bullbear(
        up.home,
        *("ask", QUESTION, "--portfolio", str(portfolio)),
        *(word for source in sources for word in ("--source", str(source))),
        *("--scope-of", f"{SCOPE}=portfolio", "--readable-by", "bear=portfolio"),
        *("--dialogue", "require", "--rounds", "2", "--json"),
    )
    assert told.returncode == Exit.OK, told.stderr
    return Asked(up, json.loads(told.stdout))


class TestTheRehearsalModel:
    def test_is_refused_what_bull_may_not_see_and_puts_a_public_substitute(self) -> None:
        """Refusal, gap, finding to Main, substitute: by its own rules. Scenarios H01, H03, H04, H05."""
        with stack_up() as up:
            grant(up)
            funds = [*sorted(SAMPLES.glob("*_etf.csv")), SAMPLES / "multi_asset_fund.csv"]
            asked = ask(up, SAMPLES / "portfolio.csv", *funds)
            exchange = asked.result["report"]["exchange"]
            assert halves(asked) == [
                (1, "challenge", "refused"),
                (2, "challenge", "accepted"),
                (2, "response", "accepted"),
            ]
            assert [one["code"] for one in asked.result["report"]["gaps"]] == ["send_refused"]
            [refused], [private] = exchange["refused"], exchange["private_research"]
            assert "goes from 15.00 % to 23.00 %" in refused["text"]["text"]
            assert "goes from 15.00 % to 23.00 %" in private["text"]["text"]
            said = messages(asked)
            assert "from the files that both sides read" in said[0]
            assert not any("15.00" in one for one in said)
            assert REFUSED in asked.report
            assert asked.verified.startswith("verified")


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProviderDouble]:
    with ProviderDouble(tmp_path_factory.mktemp("double")) as double:
        yield double


@pytest.fixture(scope="module")
def up(scripted: ProviderDouble) -> Iterator[Up]:
    """A stack that asks the scripted provider."""
    settings = {
        "OPENAI_BASE_URL": scripted.base_url,
        "OPENAI_API_KEY": "none",
        "BULLBEAR_MODEL": "scripted",
    }
    with stack_up(settings) as running:
        grant(running)
        yield running


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    portfolio, fund = tmp_path / "portfolio.csv", tmp_path / "world.csv"
    portfolio.write_bytes(TINY_PORTFOLIO)
    fund.write_bytes(TINY_FUND)
    return portfolio, fund


class TestAParaphrase:
    """Bear reads the portfolio in round 1 and tells of it in his own words, citing nothing."""

    def test_is_refused_like_the_reference_and_the_public_substitute_passes(
        self, up: Up, scripted: ProviderDouble, files: tuple[Path, Path]
    ) -> None:
        """Its request rests on the portfolio, whatever its words. Scenarios H02, H03, H05."""
        scripted.forget()
        scripted.script(
            *OPENED,
            asks_for(challenge_in(1), PORTFOLIO),
            *challenged(challenge_in(1), text=PARAPHRASED, counter_quote=COUNTER_QUOTE),
            asks_for(challenge_in(2), FUND),
            *challenged(challenge_in(2), evidence=["T3"]),
            *conceded(response_in(2)),
            *WITHDRAWN,
        )
        asked = ask(up, *files)
        report = asked.result["report"]
        assert halves(asked) == [
            (1, "challenge", "refused"),
            (2, "challenge", "accepted"),
            (2, "response", "accepted"),
        ]
        assert [one["code"] for one in report["gaps"]] == ["send_refused"]
        assert report["gaps"][0]["sentence"].endswith(f"reached the other side: {REFUSED}.")
        assert [one["text"]["text"] for one in report["exchange"]["refused"]] == [PARAPHRASED]
        assert [one["text"]["text"] for one in report["exchange"]["private_research"]] == [SECRET]
        assert (asked.result["result"], asked.result["end_reason"]) == ("complete", "settled")
        fund = asked.sources()[2]
        [lineage] = asked.rows(
            "SELECT lineage FROM dialogue_peermessage WHERE root_id = %s AND kind = 'challenge'"
        )
        assert sorted(lineage[0]) == sorted([f"root:{asked.result['root']}", fund])
        assert asked.verified.startswith("verified")

        bulls = bodies(scripted, BULL_OPENING, RESPONSE)
        mains = bodies(scripted, SYNTHESIS)
        assert (len(bulls), len(mains)) == (2, 1)
        for protected in (PARAPHRASED, SECRET, "Cash account", "portfolio.csv"):
            assert not any(protected.encode() in one for one in bulls)
        assert PARAPHRASED.encode() in mains[0]
        assert SECRET.encode() in mains[0]


class TestAFigureOfAMessage:
    """Bear reads the fund, which both may, and names a figure; Bull's tool takes it from the message."""

    def test_brings_the_lineage_of_the_canonical_record(
        self, up: Up, scripted: ProviderDouble, files: tuple[Path, Path]
    ) -> None:
        """The call rests on all that Bear's message rests on, and on nothing protected. Scenario H13."""
        scripted.forget()
        figure = "NVIDIA Corp alone is 60.0 of it"
        scripted.script(
            *OPENED,
            asks_for(challenge_in(1), FUND),
            *challenged(challenge_in(1), text=f"{figure}.", counter_quote=figure),
            asks_for(
                response_in(1),
                ("search_sources", {"query": "[[M1:60.0]]", "source": "S2", "limit": 5}),
            ),
            *conceded(response_in(1), evidence=["T3"]),
            *WITHDRAWN,
        )
        asked = ask(up, *files)
        own, sources = f"root:{asked.result['root']}", asked.sources()
        [message] = asked.rows(
            "SELECT lineage FROM dialogue_peermessage WHERE root_id = %s AND kind = 'challenge'"
        )
        [call] = asked.rows(
            "SELECT name, refusal, lineage FROM research_toolcall WHERE root_id = %s AND number = 3"
        )
        assert sorted(message[0]) == sorted([own, sources[2]])
        assert call[:2] == ("search_sources", "")
        assert sorted(call[2]) == sorted(message[0])
        assert sources[1] not in call[2]
        assert halves(asked) == [(1, "challenge", "accepted"), (1, "response", "accepted")]
        assert asked.result["report"]["gaps"] == []
        assert asked.verified.startswith("verified")
        after = bodies(scripted, RESPONSE)[-1]
        assert b"NVIDIA Corp" in after
        assert b"Cash account" not in after


def halves(asked: Asked) -> list[tuple[int, str, str]]:
    found = asked.result["report"]["exchange"]["half_rounds"]
    return [(one["round"], one["kind"], one["outcome"]) for one in found]


def messages(asked: Asked) -> list[str]:
    found = asked.result["report"]["exchange"]["half_rounds"]
    return [one["message"]["text"]["text"] for one in found if one["message"]]


def bodies(double: ProviderDouble, *tasks: str) -> list[bytes]:
    """What the provider was sent for these tasks, in order."""
    sent = [double.body(hit) for hit in double.hits()]
    return [one for one in sent if any(task.encode() in one for task in tasks)]
