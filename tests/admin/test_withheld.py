"""What a reader whose scopes do not cover a source is shown of a Root that he may read. Scenario H11."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from audit.reader_copy import WITHHELD, reader_copy
from audit.viewer import Viewer, viewer_of
from bullbear.models import ModelRequest, Root
from dialogue.report.compile import read_document
from dialogue.report.markdown import render_markdown
from research.models import ScopeGrant
from tests.admin.conftest import Scripted
from tests.admin.pages import row_url, words
from tests.factories import FUND_FILE, PORTFOLIO_FILE
from tests.scripted import (
    BULL_CLAIM,
    CHALLENGE_TEXT,
    COUNTER_QUOTE,
    RESPONSE_QUOTE,
    asks_for,
    challenge_in,
)

pytestmark = pytest.mark.usefixtures("database")
PREMIUM = "research:premium"
LOOK = {"dimension": "sector", "fund": "", "points": "", "funding": "", "bucket": ""}


@pytest.fixture
def premium(scripted: Scripted, analyst: User) -> Root:
    """Openings rest on what is public; Bear's challenge and all after it on a fund of `research:premium`."""
    ScopeGrant.objects.create(scope=PREMIUM, user=analyst)
    return scripted(
        asks_for(challenge_in(1), ("look_through", LOOK)),
        files=[PORTFOLIO_FILE, replace(FUND_FILE, scope=PREMIUM)],
    )


@pytest.fixture
def colleague(member: Client) -> Viewer:
    """A member of the desk who holds nothing beside it."""
    return viewer_of(User.objects.get(username="member"))


def copy_for(root: Root, viewer: Viewer) -> str:
    document = reader_copy(read_document(root.reports.get()), root, viewer)
    return json.dumps(document, ensure_ascii=False) + render_markdown(document)


class TestAReaderWithoutTheScope:
    """A colleague of the desk who was not granted `research:premium`."""

    def test_reads_what_rests_on_what_he_may_see(self, premium: Root, colleague: Viewer) -> None:
        """Openings and their claims stand; what came of the protected source does not."""
        shown = copy_for(premium, colleague)
        assert BULL_CLAIM in shown
        for secret in (CHALLENGE_TEXT, COUNTER_QUOTE, RESPONSE_QUOTE, "narrowed the premise"):
            assert secret not in shown, secret

    def test_is_told_that_something_is_withheld(self, premium: Root, colleague: Viewer) -> None:
        """In each place, and how many places there are; no figure and no title of the source."""
        document = reader_copy(
            read_document(premium.reports.get()),
            premium,
            colleague,
        )
        assert document["withheld"] > 5
        assert document["exchange"]["half_rounds"][0]["message"]["text"] == {
            "text": WITHHELD,
            "withheld": True,
        }
        assert [one["rows"] for one in document["numbers"]] == [[]]
        source = document["evidence"]["sources"][1]
        assert (source["handle"], source["title"], source["scope"]) == ("S2", WITHHELD, WITHHELD)
        markdown = render_markdown(document)
        assert "Not the whole report." in markdown
        assert PREMIUM not in markdown
        assert "world.csv" not in markdown

    def test_reads_the_same_on_the_pages(self, premium: Root, member: Client) -> None:
        """The Root's page and the page of the bytes."""
        page = words(member.get(row_url(premium)))
        assert BULL_CLAIM in page
        assert COUNTER_QUOTE not in page
        assert PREMIUM not in page
        assert "withheld" in page
        for request in ModelRequest.objects.filter(root=premium):
            assert COUNTER_QUOTE not in words(member.get(row_url(request))), request


class TestAReaderWithTheScope:
    """Whoever holds all of it reads the stored document, whole."""

    def test_reads_everything(self, premium: Root, analyst: User) -> None:
        stored = read_document(premium.reports.get())
        assert reader_copy(stored, premium, viewer_of(analyst)) == {**stored, "withheld": 0}
