"""A Root's page answers what was claimed, challenged, answered, revised, and what stays open."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from bullbear.models import Child, Content, ModelRequest, Root
from dialogue.models import Claim, Gap, PeerMessage
from research.models import ToolCall
from tests.admin.conftest import Scripted
from tests.admin.pages import OURS, counted, list_url, marks, row_url, shown, verify_url, words
from tests.driving import Driver
from tests.factories import plan_a_dialogue
from tests.provider_double import Behaviour
from tests.scripted import (
    BULL_OPENING,
    CHALLENGE,
    PLAN,
    a_challenge,
    a_plan,
    an_opening,
    asks_for,
    challenge_in,
    fails,
    nothing_further,
    response_in,
    says,
)

pytestmark = pytest.mark.usefixtures("database")
HOSTILE = "</div><script>alert(1)</script><img src=x onerror=alert(2)> \u202egnorw\u202c {{ 7 }}"


class TestASettledDialogue:
    def test_shows_three_marks_for_each_message(self, finished: Root, member: Client) -> None:
        assert marks(member.get(row_url(finished))) == [
            "Shown to Bear: yes.",
            "Shown to Bull: yes.",
            "Proposed: yes.",
            "Accepted: yes.",
            "Delivered: yes.",
            "Proposed: yes.",
            "Accepted: yes.",
            "Delivered: no further turn.",
        ]

    def test_answers_in_its_order(self, finished: Root, member: Client) -> None:
        page = words(member.get(row_url(finished)))
        places = [
            page.index(one)
            for one in (
                "Should I move 10 points",
                "Claims with their status",
                "15.00 % to 23.00 %",
                "M1 · challenge",
                "M2 · response to M1",
                "every challenged claim was withdrawn by its author",
                "Claims left open",
                "1 used of 2 allowed",
                "fixed rules, not a language model",
                "technology_etf.csv",
                "Verify now",
            )
        ]
        assert places[:2] == sorted(places[:2])
        assert places[3:5] == sorted(places[3:5])
        assert places[6:] == sorted(places[6:])

    def test_is_verified_on_demand(self, finished: Root, member: Client) -> None:
        assert "verified" in words(member.get(verify_url(finished)))
        assert "✓ verified" in words(member.get(verify_url(finished)))


class TestOtherEndings:
    def test_no_counterexample_shows_what_was_checked(
        self, scripted: Scripted, member: Client
    ) -> None:
        root = scripted(says(CHALLENGE, nothing_further()))
        page = words(member.get(row_url(root)))
        assert "Bear found no strong counterexample" in page
        assert "the overlap of the ten largest positions" in page

    def test_an_unknown_outcome_is_never_green(self, scripted: Scripted, member: Client) -> None:
        root = scripted(fails(response_in(1), status=500))
        page = member.get(row_url(root))
        assert marks(page)[2:] == ["Proposed: yes.", "Accepted: yes.", "Delivered: unknown."]
        assert 'class="bb-mark bb-unknown"' in shown(page)
        assert "The outcome of Bull's call for the response is unknown" in words(page)
        assert "Result: partial." in words(page)
        assert "1 root" in words(member.get(list_url(Root), {"happened": "outcome_unknown"}))
        assert "1 root" in words(member.get(list_url(Root), {"happened": "not_delivered"}))

    def test_an_exchange_under_way_is_not_called_undelivered(
        self, scripted: Scripted, member: Client
    ) -> None:
        root = scripted(until=lambda one: PeerMessage.objects.filter(root=one).exists())
        page = member.get(row_url(root))
        assert marks(page)[2:] == ["Proposed: yes.", "Accepted: yes.", "Delivered: not yet."]
        assert "Result: none yet." in words(page)

    def test_a_refused_send_shows_its_text_as_a_finding(
        self, scripted: Scripted, member: Client
    ) -> None:
        """Bear reads what Bull may not see; what it then says stays with Main."""
        reads = asks_for(
            challenge_in(1), ("read_source", {"source": "S1", "offset": 0, "limit": 5})
        )
        root = scripted(reads, plan=lambda one: plan_a_dialogue(one, bull=("S2",)))
        page = member.get(row_url(root))
        assert "F1 · challenge · refused" in words(page)
        assert "Its largest positions are held already" in words(page)
        assert marks(page)[2:5] == ["Proposed: yes.", "Accepted: no.", "Delivered: no."]
        assert "1 root" in words(member.get(list_url(Root), {"happened": "refused"}))

    def test_a_half_round_without_a_message_says_why(
        self, scripted: Scripted, member: Client
    ) -> None:
        root = scripted(says(challenge_in(1), "not json", times=2))
        page = words(member.get(row_url(root)))
        assert "No message · invalid" in page
        assert "It was asked 2 times." in page

    def test_another_model_than_the_requested_one_is_named(
        self, scripted: Scripted, member: Client
    ) -> None:
        answer = json.dumps(a_challenge("C1"))
        message = {"role": "assistant", "content": answer}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        served = {"id": "1", "object": "chat.completion", "created": 1, "model": "another"}
        body = json.dumps({**served, "choices": [choice]}).encode()
        root = scripted(Behaviour(when=challenge_in(1), body=body))
        page = words(member.get(row_url(root)))
        assert page.count("(differs from the requested one)") == 1
        assert "another, bullbear-rehearsal (differs" in page
        assert "1 root" in words(member.get(list_url(Root), {"happened": "served_differs"}))
        calls = member.get(list_url(ModelRequest), {"served": "differs"})
        assert "1 model request" in words(calls)


class TestText:
    def test_of_models_files_and_people_is_data(self, scripted: Scripted, member: Client) -> None:
        root = scripted(
            says(PLAN, a_plan() | {"reason": HOSTILE}),
            asks_for(BULL_OPENING, (HOSTILE, {})),
            says(BULL_OPENING, an_opening(HOSTILE, unknown=[HOSTILE]), times=2),
            says(challenge_in(1), a_challenge("C1", text=HOSTILE, counter_quote=HOSTILE)),
            text=HOSTILE,
        )
        urls = [row_url(root), list_url(Root)]
        urls += [row_url(one) for one in ModelRequest.objects.filter(root=root)]
        urls += [row_url(one) for one in ToolCall.objects.filter(root=root)]
        for url in urls:
            page = shown(member.get(url))
            assert "<script>alert" not in page
            assert "<img src=x" not in page
            assert "\u202e" not in page
        page = shown(member.get(row_url(root)))
        assert page.count("&lt;script&gt;alert(1)") >= 5
        assert "RIGHT-TO-LEFT OVERRIDE" in page
        assert "{{ 7 }}" in page

    def test_is_not_shown_as_a_blob_anywhere(self, finished: Root, member: Client) -> None:
        content = Content.objects.filter(root=finished).earliest("pk")
        assert "payload" not in words(member.get(row_url(content)))
        assert "salt" not in words(member.get(row_url(content)))


class TestQueries:
    def test_of_a_list_do_not_grow_with_its_rows(self, driver: Driver, member: Client) -> None:
        driver.run(driver.open())
        before = {}
        for model in OURS:
            member.get(list_url(model))
            with counted() as few:
                member.get(list_url(model))
            before[model] = few.number
        assert max(before.values()) < 20, before
        for _ in range(2):
            driver.run(driver.open())
        for model in OURS:
            with counted() as many:
                page = member.get(list_url(model))
            assert page.status_code == 200
            assert many.number == before[model], model

    def test_of_a_page_do_not_grow_with_the_record(self, finished: Root, member: Client) -> None:
        member.get(row_url(finished))
        with counted() as few:
            member.get(row_url(finished))
        call = ToolCall.objects.filter(root=finished).latest("number")
        bull = Child.objects.get(root=finished, role="bull")
        claim = Claim.objects.filter(root=finished).latest("number")
        for number in range(1, 61):
            values = {
                "number": call.number + number,
                "index": 100 + number,
                "act": f"{call.act}-{number}",
            }
            ToolCall.objects.create(**_copied(call, **values))
            Claim.objects.create(**_copied(claim, number=claim.number + number))
            Gap.objects.create(
                root=finished,
                child=bull,
                code="configuration_changed",
                subject=f"prompt_{number}",
                recorded_at=finished.created_at,
            )
        with counted() as many:
            page = member.get(row_url(finished))
        assert page.status_code == 200
        assert "prompt_60 is no longer available" in words(page)
        assert many.number == few.number
        assert few.number < 40

    def test_of_a_models_view_do_not_grow_with_its_parts(
        self, finished: Root, member: Client
    ) -> None:
        of_purpose = {one.purpose: one for one in ModelRequest.objects.filter(root=finished)}
        counts = {}
        for purpose in ("response", "synthesis"):
            member.get(row_url(of_purpose[purpose]))
            with counted() as ran:
                member.get(row_url(of_purpose[purpose]))
            counts[purpose] = ran.number
        assert counts["synthesis"] <= counts["response"] + 1
        assert counts["synthesis"] < 25


def _copied(row: ToolCall | Claim, **changed: object) -> dict[str, object]:
    columns = {one.attname: getattr(row, one.attname) for one in row._meta.concrete_fields}
    columns.pop("id")
    return columns | changed
