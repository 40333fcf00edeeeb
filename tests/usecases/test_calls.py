"""A model call: the sealed bytes, once, whatever comes of it."""

from __future__ import annotations

from collections import Counter

import pytest

from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from tests.scripted import (
    BULL_OPENING,
    CHALLENGE,
    RESPONSE,
    SYNTHESIS,
    a_challenge,
    a_response,
    a_synthesis,
    asks_for,
    fails,
    says,
)
from tests.usecases.conftest import OpenScene

BUSY = [
    asks_for(BULL_OPENING, ("list_sources", {})),
    fails(BULL_OPENING, status=500),
    says(CHALLENGE, "?"),
    says(CHALLENGE, a_challenge("C1"), times=2),
    fails(RESPONSE, status=401),
    says(RESPONSE, a_response("C1", action="defend")),
    says(SYNTHESIS, a_synthesis(C1="stands", C2="stands")),
]


@pytest.mark.usefixtures("database")
class TestDispatch:
    """What crosses the wire."""

    def test_is_of_the_sealed_bytes_and_of_nothing_else(self, opened: OpenScene) -> None:
        """Every call that arrived is a sealed body, byte for byte, under its act. Scenario H09."""
        scene = opened(*BUSY)
        root = scene.end()
        sealed = {one.act: one for one in root.requests.all()}
        hits = scene.double.hits()
        assert len(hits) == len(sealed) == 11
        for hit in hits:
            request = sealed[hit.idempotency_key]
            assert hit.sha256 == request.body_sha256
            assert scene.double.body(hit) == load_bytes(request.body)
            assert hit.path == request.path
            assert hit.header_names == request.header_names

    def test_happens_once_for_each_sealed_request(self, opened: OpenScene) -> None:
        """Tools, invalid answers, unknown and rejected outcomes: each request arrived once."""
        scene = opened(*BUSY)
        root = scene.end()
        arrived = Counter(hit.idempotency_key for hit in scene.double.hits())
        assert arrived == dict.fromkeys(root.requests.values_list("act", flat=True), 1)

    def test_is_not_repeated_by_a_second_hint(self, opened: OpenScene) -> None:
        """A hint that comes again while a call is open, or later, sends nothing. C01, C02, B04."""
        scene = opened(says(BULL_OPENING, "?", gate="held"))
        scene.step(Role.MAIN)
        with scene.in_call(Role.BULL, "held"):
            arrived = len(scene.double.hits())
            scene.step(Role.BULL)
            scene.step(Role.MAIN)
            assert len(scene.double.hits()) == arrived
        scene.end()
        arrived = len(scene.double.hits())
        for role in (Role.MAIN, Role.BULL, Role.BEAR):
            scene.step(role)
        assert len(scene.double.hits()) == arrived
        scene.check()
