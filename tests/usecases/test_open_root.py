"""Opening a Root: everything it rests on in one transaction, or nothing and a reason."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import IntegrityError

from bullbear.content import load_bytes, load_text
from bullbear.identity import digest
from bullbear.models import Child, Content, OutboxEntry, Receipt, Root
from bullbear.options import options
from research.asking import GivenFile, QuestionRefused
from research.domains.registry import domain
from research.models import ParseReport, RootSource, Source
from research.prompts import all_prompts
from research.rules import Wish
from research.snapshot import source_views
from tests.factories import (
    FUND_FILE,
    PORTFOLIO_FILE,
    QUESTION,
    TINY_FUND,
    TINY_PORTFOLIO,
    a_grant,
    a_root,
    limited,
)
from tests.usecases.scene import rows_of

WRITTEN = (Root, Child, Content, Source, ParseReport, RootSource, Receipt, OutboxEntry)
BAD_ROW = TINY_PORTFOLIO.replace(b"60.0", b"about half")
TWO_TABLES = TINY_PORTFOLIO + b"\n" + TINY_FUND
OFF_WEIGHTS = TINY_PORTFOLIO.replace(b"60.0", b"30.0")


def file(raw: bytes, name: str = "portfolio.csv", **given: Any) -> GivenFile:
    return GivenFile(name, raw, **given)


@pytest.mark.usefixtures("database")
class TestRefusal:
    """A question that cannot be asked."""

    @pytest.mark.parametrize(
        ("asked", "field", "says"),
        [
            pytest.param({"text": ""}, "question", "it is empty", id="empty question"),
            pytest.param({"text": " \n\t"}, "question", "it is empty", id="blank question"),
            pytest.param(
                {"text": "x" * 100_000},
                "question",
                "it has 100,000 characters and 10,000 are taken",
                id="question of 100,000 characters",
            ),
            pytest.param({"text": "a\x00b"}, "question", "NUL", id="NUL in the question"),
            pytest.param({"text": "a\ud800"}, "question", "surrogate", id="half a surrogate"),
            pytest.param(
                {"language": "en]\n[task | plan"}, "language", "no language", id="language"
            ),
            pytest.param({"language": "x" * 36}, "language", "no language", id="long language"),
            pytest.param({"purpose": "x" * 201}, "purpose", "200", id="long purpose"),
            pytest.param({"external_id": "a\x00"}, "external_id", "NUL", id="NUL in an id"),
            pytest.param({"rounds": 0}, "rounds", "0 was asked for and 1 to 3", id="no rounds"),
            pytest.param({"rounds": 99}, "rounds", "99 was asked for and 1 to 3", id="99 rounds"),
            pytest.param({"rounds": -1}, "rounds", "-1 was asked for", id="negative rounds"),
            pytest.param(
                {"scopes": ["account:7731"]},
                "scope",
                "does not hold account:7731",
                id="a scope that is not held",
            ),
            pytest.param(
                {"files": [file(TINY_PORTFOLIO, scope="account:7731")]},
                "scope",
                "does not hold account:7731",
                id="a file of a scope that is not held",
            ),
            pytest.param({"files": []}, "files", "none of them is a portfolio", id="no file"),
            pytest.param(
                {"files": [FUND_FILE]}, "files", "none of them is a portfolio", id="no portfolio"
            ),
            pytest.param({"files": [file(b"")]}, "portfolio.csv", "empty", id="empty file"),
            pytest.param(
                {"files": [file(b"\x00\x01\x02\xff" * 40)]},
                "portfolio.csv",
                "It begins with",
                id="unreadable file",
            ),
            pytest.param(
                {"files": [PORTFOLIO_FILE, file(TINY_PORTFOLIO, "twin.csv")]},
                "twin.csv",
                "it has the same bytes as portfolio.csv",
                id="the same file twice",
            ),
            pytest.param(
                {"files": [file(TWO_TABLES)]}, "portfolio.csv", "(row ", id="two tables in one"
            ),
            pytest.param(
                {"files": [file(OFF_WEIGHTS)]},
                "portfolio.csv",
                "70",
                id="weights that add to neither 100 nor 1",
            ),
            pytest.param(
                {"files": [file(BAD_ROW)]}, "portfolio.csv", "", id="a weight that is no number"
            ),
            pytest.param(
                {"files": [file("Name;Größe\nÄ;1\n".encode("cp500"))]},
                "portfolio.csv",
                "",
                id="unknown encoding",
            ),
        ],
    )
    def test_names_the_field_and_writes_nothing(
        self, analyst: User, desk: Group, asked: dict[str, Any], field: str, says: str
    ) -> None:
        """Every bad input is refused before a row is written, by the name of what is wrong."""
        with pytest.raises(QuestionRefused) as refused:
            a_root(requester=analyst, desk=desk, **asked)
        assert refused.value.field == field
        assert says in refused.value.problem
        assert rows_of(*WRITTEN) == [0] * len(WRITTEN)

    @pytest.mark.parametrize(
        ("changed", "wish", "needs"),
        [
            ({"model_calls": 6}, Wish.AUTO, "need 7 and 82,000"),
            ({"tokens": 81_999}, Wish.AUTO, "need 7 and 82,000"),
            ({"model_calls": 8}, Wish.REQUIRE, "need 9 and 94,000"),
        ],
    )
    def test_of_a_budget_too_small_names_both_figures(
        self, analyst: User, desk: Group, changed: dict[str, int], wish: Wish, needs: str
    ) -> None:
        """A Root that cannot afford two openings beside its reserve is refused; J08, D17."""
        with pytest.raises(QuestionRefused) as refused:
            a_root(requester=analyst, desk=desk, wish=wish, options=limited(**changed))
        assert refused.value.field == "budget"
        assert needs in refused.value.problem
        assert rows_of(*WRITTEN) == [0] * len(WRITTEN)

    def test_leaves_nothing_half_made_where_the_database_refuses(
        self, analyst: User, desk: Group
    ) -> None:
        """A failure late in the transaction takes the sources with it. Scenario A15."""
        late = limited(finalize_seconds=options().deadline_seconds)
        with pytest.raises(IntegrityError, match="peers stop before the deadline"):
            a_root(requester=analyst, desk=desk, options=late)
        assert rows_of(*WRITTEN) == [0] * len(WRITTEN)


@pytest.mark.usefixtures("database")
class TestOpenedRoot:
    """A Root as it stands after its creation."""

    def test_is_open_with_its_limits_and_reserve(self, analyst: User, desk: Group) -> None:
        """Limits, hand-back reserve and both times are on the row."""
        root = a_root(requester=analyst, desk=desk)
        root.refresh_from_db()
        of_process = options()
        assert (root.state, root.cause, root.result, root.end_reason) == ("open", "", "", "")
        assert (root.requester, root.desk, root.language) == (analyst, desk, "en")
        assert load_text(root.question) == QUESTION
        assert root.account.limit.model_calls == of_process.model_calls
        assert (root.model_calls_hand_back, root.tokens_hand_back) == (4, 64_000)
        assert (root.model_calls_spent, root.model_calls_reserved) == (0, 0)
        lasts = timedelta(seconds=of_process.deadline_seconds)
        last = timedelta(seconds=of_process.finalize_seconds)
        assert root.deadline_at - root.created_at == lasts
        assert root.deadline_at - root.peers_stop_at == last

    def test_has_a_frozen_configuration_with_its_digest(self, analyst: User, desk: Group) -> None:
        """Models, prompts by digest, tools by version and sources are frozen. J14."""
        root = a_root(requester=analyst, desk=desk, rounds=3, wish=Wish.EXCLUDE)
        root.refresh_from_db()
        of_domain = domain("investment")
        frozen = root.configuration
        sources = Source.objects.order_by("pk")
        assert root.configuration_digest == digest(frozen)
        assert frozen["rounds"] == 3
        assert frozen["dialogue"] == "exclude"
        assert frozen["opening_order"] == "independent"
        assert frozen["unknown_policy"] == "end"
        assert frozen["models"]["bull"] == options().model_for("bull")
        assert frozen["prompts"] == {
            name: hashlib.sha256(prompt.text.encode()).hexdigest()
            for name, prompt in all_prompts(of_domain).items()
        }
        assert frozen["tools"] == {tool.name: tool.version for tool in of_domain.tools}
        assert frozen["sources"] == [str(source.pk) for source in sources]
        assert root.requested == {
            "rounds": 3,
            "dialogue": "exclude",
            "unknown_policy": "",
            "scopes": [],
            "readable_by": [None, None],
        }

    def test_takes_the_default_rounds_where_none_are_asked_for(
        self, analyst: User, desk: Group
    ) -> None:
        """What was asked for and what is effective are both stored. J08."""
        root = a_root(requester=analyst, desk=desk)
        assert (root.requested["rounds"], root.configuration["rounds"]) == (None, 2)

    def test_keeps_its_sources_as_given(self, analyst: User, desk: Group) -> None:
        """Bytes, title, digest and reading of each file are kept for the desk."""
        root = a_root(requester=analyst, desk=desk)
        portfolio, fund = [one.source for one in root.sources.order_by("number")]
        assert load_bytes(portfolio.raw) == TINY_PORTFOLIO
        assert portfolio.raw_sha256 == hashlib.sha256(TINY_PORTFOLIO).hexdigest()
        assert load_text(fund.title) == "world.csv"
        assert (portfolio.parse_report.kind, fund.parse_report.kind) == ("portfolio", "holdings")
        assert json.loads(load_text(fund.parse_report.reading))["as_of"] == "2026-09-30"
        assert {portfolio.desk, fund.desk, portfolio.raw.desk} == {desk}

    def test_gives_sources_the_default_scope_of_their_kind(
        self, analyst: User, desk: Group
    ) -> None:
        """A portfolio belongs to the desk, a fund's holdings are public. H06."""
        root = a_root(requester=analyst, desk=desk)
        scopes = [one.source.scope for one in root.sources.order_by("number")]
        assert scopes == ["desk:demo", "public"]
        assert root.scopes == ["desk:demo", "public"]

    def test_keeps_a_scope_that_was_given_and_is_held(self, analyst: User, desk: Group) -> None:
        """A held scope of a file becomes one of the Root's."""
        a_grant(user=analyst, scope="account:7731")
        files = [file(TINY_PORTFOLIO, scope="account:7731"), FUND_FILE]
        root = a_root(requester=analyst, desk=desk, files=files)
        scopes = [one.source.scope for one in root.sources.order_by("number")]
        assert scopes == ["account:7731", "public"]
        assert root.scopes == ["account:7731", "public"]

    def test_keeps_which_line_a_file_belongs_to(self, analyst: User, desk: Group) -> None:
        """`--source LINE=FILE` reaches the tools as it was given."""
        files = [PORTFOLIO_FILE, file(TINY_FUND, "f.csv", assigned_to="World Fund")]
        root = a_root(requester=analyst, desk=desk, files=files)
        main = Child.objects.get(root=root)
        assert [view.assigned_to for view in source_views(main)] == ["", "World Fund"]

    def test_owes_mains_step_and_says_so_in_its_chain(self, analyst: User, desk: Group) -> None:
        """Main is READY with the whole snapshot; its step stands in the outbox."""
        root = a_root(requester=analyst, desk=desk)
        main = Child.objects.get(root=root)
        assert (main.role, main.state, main.wakes) == ("main", "ready", 0)
        labels = sorted([f"root:{root.pk}", *root.configuration["sources"]])
        assert main.authorization == {
            "v": 1,
            "root": str(root.pk),
            "role": "main",
            "acts": ["plan", "synthesis"],
            "labels": labels,
            "tools": [],
        }
        assert main.authorization_digest == digest(main.authorization)
        owed = OutboxEntry.objects.get()
        assert (owed.dedupe_key, owed.cause) == (f"advance:{main.pk}", "root_created")
        kinds = list(Receipt.objects.filter(root=root).values_list("kind", flat=True))
        assert kinds == ["root_created", "source_admitted", "source_admitted", "child_created"]
