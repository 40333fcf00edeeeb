"""A tool that takes a figure of a peer's message: provenance is the canonical record's."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from django.db import connections

from audit.verify import verify_root
from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from bullbear.models import RequestPart
from research.models import ToolCall
from tests.scripted import (
    BEAR_OPENING,
    BULL_OPENING,
    SYNTHESIS,
    a_challenge,
    a_synthesis,
    asks_for,
    challenge_in,
    response_in,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene, text_of

TEN = a_challenge("C1", text="It would move 10 points.", counter_quote="10 points")
LOOK = {"dimension": "sector", "fund": "ZWLD", "funding": "pro_rata", "bucket": ""}
FUND = ("read_source", {"source": "S2", "offset": 0, "limit": 1})
WITHDRAWN = says(SYNTHESIS, a_synthesis(C1="withdrawn", C2="stands"))


def bull_looks_with(opened: OpenScene, points: str, **behaviour: Any) -> Scene:
    """Bear reads the fund and says "10 points"; Bull's tool takes a figure as its points."""
    scene = opened(
        asks_for(challenge_in(1), FUND),
        says(challenge_in(1), TEN),
        asks_for(response_in(1), ("look_through", {**LOOK, "points": points}), **behaviour),
        WITHDRAWN,
    )
    scene.run(lambda: bool(scene.messages()))
    return scene


def looked(scene: Scene) -> ToolCall:
    return ToolCall.objects.filter(root=scene.root, child=scene.child(Role.BULL)).latest("number")


@pytest.mark.usefixtures("database")
class TestFigureOfAMessage:
    """Bull's tool takes a figure of Bear's lawful message M1 as its input."""

    def test_has_the_lineage_of_the_canonical_record(self, opened: OpenScene) -> None:
        """Scenario H13."""
        scene = bull_looks_with(opened, "[[M1:10]]")
        [message] = scene.messages()
        scene.end()
        call = looked(scene)
        fund = str(scene.root.sources.get(number=2).source_id)
        assert call.refusal == ""
        assert json.loads(text_of(call, "result"))["change"]["points"] == "10.00"
        assert fund in message.lineage
        assert set(message.lineage) <= set(call.lineage)

    def test_that_it_does_not_hold_is_refused(self, opened: OpenScene) -> None:
        """The code says no more than that. Scenario G09."""
        scene = bull_looks_with(opened, "[[M1:11]]")
        scene.end()
        assert looked(scene).refusal == "unknown_figure"
        assert text_of(looked(scene), "result") == '{"error": "unknown_figure"}'

    def test_of_a_message_that_was_not_shown_is_refused(self, opened: OpenScene) -> None:
        """A handle of nothing, and one of a record that stands elsewhere, answer alike. Scenario F15."""
        scene = opened(
            asks_for(BULL_OPENING, FUND),
            asks_for(
                BEAR_OPENING,
                ("look_through", {**LOOK, "points": "[[M9:10]]"}),
                ("look_through", {**LOOK, "points": "[[T1.source]]"}),
            ),
        )
        for role in (Role.MAIN, Role.BULL, Role.BEAR):
            scene.step(role)
        bears = ToolCall.objects.filter(child=scene.child(Role.BEAR))
        assert [one.refusal for one in bears] == ["unknown_reference"] * 2

    def test_with_one_altered_byte_is_refused(self, opened: OpenScene) -> None:
        """The sealed bytes are changed behind the application's back, as only an owner can. Scenario H13."""
        scene = bull_looks_with(opened, "[[M1:10]]", gate="held")
        with scene.in_call(Role.BULL, "held"):
            [request] = scene.requests(Role.BULL, "response")
            part = RequestPart.objects.get(request=request, kind="message")
            raw = bytearray(load_bytes(request.body))
            raw[part.byte_start] ^= 1
            alter(request.body_id, bytes(raw))
        assert looked(scene).refusal == "altered_projection"
        assert verify_root(scene.root.pk).problem == "its bytes are not the sealed ones"


def alter(content_id: Any, raw: bytes) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = 'bullbear_content'::regclass AND NOT tgisinternal"
        )
        names = [row[0] for row in cursor.fetchall()]
        for name in names:
            cursor.execute(f"ALTER TABLE bullbear_content DISABLE TRIGGER {name}")
        cursor.execute(
            "UPDATE bullbear_content SET payload = %s WHERE id = %s",
            [zlib.compress(raw), content_id],
        )
        for name in names:
            cursor.execute(f"ALTER TABLE bullbear_content ENABLE ALWAYS TRIGGER {name}")
