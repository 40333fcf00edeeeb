"""What a model saw: the bytes decoded, each part beside its record."""

from __future__ import annotations

import pytest
from django.test import Client

from audit.exposure import load_exposure
from audit.exposure.page import Agreement
from audit.viewer import Viewer
from bullbear.models import ModelRequest, RequestPart, Root
from research.kinds import PartKind
from tests.admin.pages import row_url, words

pytestmark = pytest.mark.usefixtures("database")


def test_every_part_of_every_request_is_what_its_record_says(finished: Root) -> None:
    kinds = set()
    for request in ModelRequest.objects.filter(root=finished).select_related("root"):
        page = load_exposure(request, _reader(finished))
        assert page.is_whole
        assert page.problem == ""
        assert page.decoded is not None
        assert page.decoded.placed == {part.ordinal for part in page.parts}
        for part in page.parts:
            assert part.agreement is Agreement.SAME, part
            assert part.slice_is_whole
            kinds.add(part.kind)
        assert page.withheld == 0
    assert kinds >= {
        PartKind.PROMPT,
        PartKind.QUESTION,
        PartKind.OPENING,
        PartKind.OPENING_LINE,
        PartKind.TOOL_RESULT,
        PartKind.TOOL_ARGUMENTS,
        PartKind.MESSAGE,
        PartKind.CLAIM_QUOTE,
    }


def test_the_messages_are_the_bodys(finished: Root, member: Client) -> None:
    request = ModelRequest.objects.get(root=finished, purpose="response")
    page = words(member.get(row_url(request)))
    assert "[message M1 | bear | challenge | round 1 | untrusted]" in page
    assert "[task | response | bull | round 1 of 2 | language en]" in page
    assert "the stored bytes have this digest" in page
    assert "Text and record: same." in page
    assert "differs" not in page


def test_parts_out_of_reach_are_withheld_and_their_labels_listed(finished: Root) -> None:
    request = ModelRequest.objects.select_related("root").get(root=finished, purpose="response")
    page = load_exposure(request, Viewer(frozenset({finished.desk_id}), frozenset({"public"})))
    by_kind = {part.kind: part for part in page.parts}
    assert not by_kind[PartKind.PROMPT].shown.withheld
    assert by_kind[PartKind.QUESTION].shown.withheld
    assert by_kind[PartKind.MESSAGE].shown.withheld
    assert page.reply is not None
    assert page.reply.text is not None
    assert page.reply.text.withheld
    assert ("the Root's own scope", False) in page.labels
    parts = RequestPart.objects.filter(request=request)
    assert page.withheld > parts.exclude(kind=PartKind.PROMPT).count()


def _reader(root: Root) -> Viewer:
    return Viewer(frozenset({root.desk_id}), frozenset(root.scopes))
