"""The rehearsal model where Bear may read the portfolio and Bull may not, through the whole product."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bullbear.lifecycle import Role
from bullbear.models import RequestPart
from dialogue.models import Gap, PeerMessage
from dialogue.report.compile import read_document
from dialogue.report.markdown import render_markdown
from research.models import Finding
from tests import oracle
from tests.driving import Driver, sample_files
from tests.factories import a_grant

ACCOUNT = "account:7731"


@pytest.mark.usefixtures("database")
class TestAPortfolioOfBearsAlone:
    """`bullbear ask --scope-of account:7731=portfolio --readable-by bear=portfolio`."""

    def test_is_argued_from_what_both_may_read(self, driver: Driver) -> None:
        """Refused on the portfolio, with gap and finding; the substitute passes. Scenarios H01, H02."""
        a_grant(user=driver.requester, scope=ACCOUNT)
        files = [
            replace(one, scope=ACCOUNT, readable_by=frozenset({Role.BEAR}))
            if one.name == "portfolio.csv"
            else one
            for one in sample_files()
        ]
        root = driver.run(driver.open(files=files, rounds=3))
        oracle.check(root)
        kinds = [one.kind for one in Finding.objects.filter(root=root).order_by("number")]
        assert kinds == ["private_research", "refused_send"]
        assert Gap.objects.filter(root=root, code="send_refused").count() == 1
        challenge = PeerMessage.objects.filter(root=root).earliest("number")
        assert (challenge.kind, challenge.half_round.round) == ("challenge", 2)
        portfolio = next(
            str(one.source_id)
            for one in root.sources.select_related("source")
            if one.source.scope == ACCOUNT
        )
        assert portfolio not in challenge.lineage
        bulls = RequestPart.objects.filter(request__child__role=Role.BULL, request__root=root)
        assert not bulls.filter(lineage__contains=[portfolio]).exists()
        document = read_document(root.reports.get())
        [private] = document["exchange"]["private_research"]
        assert (private["handle"], private["by"]) == ("F1", "bear")
        assert "23.00" in private["text"]["text"]
        assert "Private research" in render_markdown(document)
        [refused] = document["exchange"]["refused"]
        assert "23.00" in refused["text"]["text"]
        assert root.state == "finished"
