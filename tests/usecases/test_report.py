"""The report of a Root, for every kind of ending.  design.md D13."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from bullbear.content import load_bytes
from bullbear.identity import canonical
from bullbear.ids import new_id
from bullbear.lifecycle import Role
from bullbear.locks import hold_root
from bullbear.models import Receipt, Root
from bullbear.transactions import transaction
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider
from dialogue.cancel import cancel
from dialogue.case import load_case
from dialogue.models import Disposition, PeerMessage, Report
from dialogue.report.compile import read_document, result_of
from dialogue.report.document import build_document
from dialogue.report.markdown import render_markdown
from dialogue.report.material import load
from research.rules import Wish
from tests.driving import Driver, Rehearsal, sample_files
from tests.provider_double.behaviour import Behaviour
from tests.provider_double.double import ProviderDouble

pytestmark = pytest.mark.usefixtures("database")
SYNTHESIS = '"name":"synthesis"'
CHALLENGE = '"name":"challenge"'
OPENING = '"name":"opening"'


@pytest.fixture
def double(tmp_path: Path) -> Iterator[ProviderDouble]:
    with ProviderDouble(tmp_path) as running:
        yield running


@pytest.fixture
def faulty(driver: Driver, double: ProviderDouble, rehearsal: Rehearsal) -> Driver:
    """A driver whose provider does what is scripted, and else passes calls on to the rehearsal model."""
    double.otherwise(Behaviour(forward=rehearsal.base_url))
    return driver.with_provider(Provider(Endpoint.from_base_url(double.base_url), "none"))


def document_of(root: Root) -> dict[str, Any]:
    return read_document(Report.objects.select_related("document").get(root=root))


def gap_codes(document: dict[str, Any]) -> set[str]:
    return {gap["code"] for gap in document["gaps"]}


class TestCompileReport:
    def test_keeps_canonical_bytes_that_the_chain_names(self, driver: Driver) -> None:
        """The receipts of report and Root hold the document's digest."""
        root = driver.run(driver.open())
        report = Report.objects.get(root=root)
        raw = load_bytes(report.document)
        assert raw == canonical(json.loads(raw))
        assert report.document_sha256 == hashlib.sha256(raw).hexdigest()
        compiled = json.loads(bytes(Receipt.objects.get(root=root, kind="report_compiled").body))
        assert compiled["act"] == str(report.pk)
        assert compiled["subjects"] == {"report": str(report.pk), "version": 1}
        assert compiled["digests"] == {"document": report.document_sha256}
        ended = json.loads(bytes(Receipt.objects.get(root=root, kind="root_ended").body))
        assert ended["digests"] == {"report": report.document_sha256}

    def test_begins_with_the_three_questions(self, driver: Driver) -> None:
        """The running example: challenged, withdrawn, and volatility stays open."""
        root = driver.run(driver.open())
        document = document_of(root)
        assert next(iter(document)) == "answers"
        answers = document["answers"]
        assert len(answers["claimed"]) == root.claims.count()
        said = " ".join(line["line"] for line in answers["challenged"])
        assert "Round 1: Bear challenged C" in said
        assert "withdrawn by its author" in said
        assert "every challenged claim was withdrawn by its author" in said
        open_points = " ".join(line["quote"]["text"] for line in answers["unresolved"])
        assert "volatility" in open_points

    def test_shows_the_figures_of_the_tools(self, driver: Driver) -> None:
        (table,) = document_of(driver.run(driver.open()))["numbers"]
        assert table["columns"] == ["before", "after", "change"]
        assert table["rows"][0]["name"] == "Information Technology"
        assert table["rows"][0]["values"] == ["15.00", "23.00", "8.00"]
        assert {one["by"] for one in table["results"]} == {"bull", "bear"}
        assert [one["of"] for one in table["coverage"]] == [
            "looked through",
            "classified",
            "fresh",
        ]

    def test_renders_the_figures_that_main_cites(self, driver: Driver) -> None:
        summary = document_of(driver.run(driver.open()))["synthesis"]["summary"]
        assert ".after_pct]]" in summary["text"]
        assert "from 15.00 % to 23.00 %" in summary["with_figures"]

    def test_tells_delivery_from_the_requests(self, driver: Driver) -> None:
        """A last response after which its recipient has no turn is no gap."""
        root = driver.run(driver.open())
        document = document_of(root)
        challenge, response = (half["message"] for half in document["exchange"]["half_rounds"])
        assert challenge["delivery"]["state"] == "yes"
        bulls = PeerMessage.objects.get(root=root, number=2).request_id
        assert challenge["delivery"]["request"] <= str(bulls)
        assert response["delivery"] == {
            "state": "no further turn",
            "means": "the other side had no further turn in which to receive it",
            "request": "",
        }
        assert [one["state"] for one in response["in_synthesis"]] == ["answered"]
        assert (response["reply_to"], document["gaps"]) == (challenge["handle"], [])

    def test_says_of_evidence_that_its_support_is_not_checked(self, driver: Driver) -> None:
        claims = document_of(driver.run(driver.open()))["claimed"]["claims"]
        evidence = [one for claim in claims for one in claim["evidence"]]
        assert evidence
        assert all(one["cited"] and one["shown"] for one in evidence)
        assert {one["supporting"] for one in evidence} == {"not checked"}

    def test_tells_which_model_it_was(self, driver: Driver) -> None:
        run = document_of(driver.run(driver.open()))["how_it_ran"]
        assert run["models"]["rehearsal"] is True
        assert run["models"]["same_model"] is True
        assert "It is not a language model." in run["models"]["notes"][0]
        assert {one["role"] for one in run["calls"]} == {"main", "bull", "bear"}
        spent = run["budget"]["tokens"]["spent"]
        assert spent == sum(one["tokens"] for one in run["calls"]) > 0
        assert run["budget"]["model_calls"]["spent"] == sum(one["calls"] for one in run["calls"])

    def test_follows_from_the_record_alone_with_three_queries_however_long_it_was(
        self, driver: Driver
    ) -> None:
        counts = []
        for wish in (Wish.EXCLUDE, Wish.REQUIRE):
            root = driver.run(driver.open(wish=wish))
            with transaction(), hold_root(root.pk) as held:
                case = load_case(held)
                case.dispositions = list(Disposition.objects.filter(root=root))
                with CaptureQueriesContext(connection) as queries:
                    again = build_document(
                        load(case), report_id=new_id(), version=1, result=result_of(case)
                    )
                counts.append(len(queries))
            stored = document_of(root)
            changing = {"report", "compiled_at"}
            assert {key for key in stored if stored[key] != json.loads(canonical(again))[key]} == (
                changing
            )
        assert counts == [3, 3]


class TestEndings:
    """Every ending has a report, and the report says what it is."""

    def test_without_a_dialogue(self, driver: Driver) -> None:
        document = document_of(driver.run(driver.open(wish=Wish.EXCLUDE)))
        assert document["result"]["type"] == "complete"
        assert document["exchange"]["half_rounds"] == []
        assert document["answers"]["challenged"] == [{"line": "No dialogue was planned."}]
        assert document["how_it_ran"]["plan"]["pattern"] == "parallel"
        assert render_markdown(document)

    def test_with_a_bear_that_finds_nothing(self, driver: Driver) -> None:
        root = driver.run(driver.open(files=sample_files("no_new_exposure"), wish=Wish.REQUIRE))
        document = document_of(root)
        assert document["how_it_ran"]["end"]["reason"] == "no_strong_counterexample"
        (half,) = document["exchange"]["half_rounds"]
        assert half["message"] is None
        assert half["closing"]["checked"]
        assert half["closing"]["unknown"]
        assert document["result"]["type"] == "complete"
        assert "What Bear checked:" in render_markdown(document)

    def test_when_no_model_answers(self, faulty: Driver, double: ProviderDouble) -> None:
        """A provider that knows no such model: nothing was said, and the report says so."""
        double.otherwise(Behaviour(status=404))
        root = faulty.run(faulty.open())
        document = document_of(root)
        assert (root.result, document["result"]["type"]) == ("partial", "partial")
        assert document["answers"]["claimed"] == [{"line": "No claim is on record."}]
        assert gap_codes(document) == {"no_plan", "no_opening", "no_synthesis"}
        assert document["synthesis"] is None
        assert document["how_it_ran"]["models"]["notes"] == []
        assert "No claim is on record." in render_markdown(document)

    def test_when_cancelled_before_anything_was_asked(self, driver: Driver) -> None:
        root = driver.open()
        assert cancel(root.pk)
        root = driver.run(root)
        document = document_of(root)
        assert (root.state, document["result"]["type"]) == ("cancelled", "partial")
        assert document["how_it_ran"]["end"] == {
            "reason": "cancelled",
            "sentence": "The research ended early: somebody cancelled the research.",
            "cause": "cancelled",
        }
        assert document["how_it_ran"]["plan"]["pattern"] == ""
        assert document["how_it_ran"]["calls"] == []
        assert "No model was asked." in render_markdown(document)

    def test_when_cancelled_in_the_middle(self, driver: Driver) -> None:
        """What was claimed and challenged by then is kept; every claim is unresolved, by the host."""
        root = driver.open()
        driver.run(root, until=lambda one: one.messages.exists())
        assert cancel(root.pk)
        document = document_of(driver.run(root))
        assert document["result"]["type"] == "partial"
        assert document["how_it_ran"]["end"]["reason"] == "cancelled"
        made = document["dispositions"]
        assert len(made) == root.claims.count() > 0
        assert {(one["disposition"], one["by"]) for one in made} == {("unresolved", "host")}
        assert {"not_delivered", "dialogue_cut_short", "no_synthesis"} <= gap_codes(document)
        (half,) = document["exchange"]["half_rounds"]
        assert half["message"]["delivery"]["state"] == "no"

    def test_without_a_synthesis(self, faulty: Driver, double: ProviderDouble) -> None:
        double.script(Behaviour(when=SYNTHESIS, status=404))
        document = document_of(faulty.run(faulty.open()))
        assert document["result"]["type"] == "partial"
        assert document["synthesis"] is None
        assert gap_codes(document) == {"no_synthesis"}
        assert document["how_it_ran"]["end"]["reason"] == "settled"
        assert all(one["by"] == "host" for one in document["dispositions"])

    def test_when_the_outcome_of_a_call_is_unknown(
        self, faulty: Driver, double: ProviderDouble
    ) -> None:
        """The report names the call, and why nobody can know."""
        double.script(Behaviour(when=CHALLENGE, cut="before", then="reset"))
        root = faulty.run(faulty.open())
        document = document_of(root)
        request = root.requests.get(state="outcome_unknown")
        assert document["result"]["type"] == "partial"
        assert document["how_it_ran"]["end"]["reason"] == "outcome_unknown"
        told = {gap["code"]: gap["sentence"] for gap in document["gaps"]}
        assert told["outcome_unknown"] == (
            f"The outcome of Bear's call for the challenge in round 1 (request {request.pk}) is "
            "unknown: the connection broke before the answer was whole. Nobody can say whether a "
            "model answered; the call stays debited."
        )
        assert told["no_message"].startswith("Bear's challenge in round 1 brought no message: ")
        bear = next(one for one in document["how_it_ran"]["calls"] if one["role"] == Role.BEAR)
        assert bear["outcome_unknown"] == 1
        spent = document["how_it_ran"]["budget"]["tokens"]["spent"]
        assert spent == sum(one["tokens"] for one in document["how_it_ran"]["calls"])

    def test_when_one_side_brings_no_opening(self, faulty: Driver, double: ProviderDouble) -> None:
        double.script(Behaviour(when=OPENING, status=404))
        document = document_of(faulty.run(faulty.open()))
        assert document["result"]["type"] == "partial"
        assert len(document["claimed"]["openings"]) == 1
        assert {"no_opening", "no_dialogue"} <= gap_codes(document)
        assert document["how_it_ran"]["end"]["sentence"].startswith("No dialogue took place: ")
        assert render_markdown(document)
