"""What `bullbear ask` takes from the disk and from addresses."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from config.cli.giving import given_files
from config.configuration import load
from research.asking import GivenFile, QuestionRefused
from tests.provider_double import Behaviour, ProviderDouble

PORTFOLIO = b"Name,ISIN,Weight\nA fund,IE00B4L5Y983,100\n"
FUND = b"Name,ISIN,Weight\nB,IE00B4L5Y983,100\n"


@pytest.fixture
def place(double: ProviderDouble, monkeypatch: pytest.MonkeyPatch) -> str:
    """Names the double on the list, and returns its address."""
    url = f"http://127.0.0.1:{double.port}"
    monkeypatch.setenv("BULLBEAR_URL_HOSTS", f"files.example, {url}")
    monkeypatch.setattr(settings, "BULLBEAR", load())
    return url


@pytest.fixture
def portfolio(tmp_path: Path) -> Path:
    path = tmp_path / "portfolio.csv"
    path.write_bytes(PORTFOLIO)
    return path


def test_files_come_first_and_addresses_go_by_host_and_path(
    double: ProviderDouble, place: str, portfolio: Path
) -> None:
    double.otherwise(Behaviour(body=FUND))
    urls = [f"{place}/a.csv?fund=B", f"A fund={place}/b.csv"]
    assert given_files(
        str(portfolio), [f"A fund={portfolio}"], urls, word="portfolio", most_bytes=1_000
    ) == [
        GivenFile("portfolio.csv", PORTFOLIO, is_subject=True),
        GivenFile("portfolio.csv", PORTFOLIO, "A fund"),
        GivenFile("127.0.0.1/a.csv", FUND),
        GivenFile("127.0.0.1/b.csv", FUND, "A fund"),
    ]
    assert [hit.path for hit in double.hits()] == ["/a.csv?fund=B", "/b.csv"]


def test_what_does_not_come_is_a_refusal_of_the_option(
    double: ProviderDouble, place: str, portfolio: Path
) -> None:
    double.script(Behaviour(status=403))
    with pytest.raises(QuestionRefused, match=r"--source-url: .*/a\.csv answers with status 403"):
        given_files(str(portfolio), [], [f"{place}/a.csv"], word="portfolio", most_bytes=1_000)
