"""Nothing outside its domain's folder knows finance: design.md D1, D3.

Every file that production packages ship is searched for whole words of finance, in any case; parts of a snake
or camel name count as words.  What may stand elsewhere is named here by file and word, with the reason.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from research.domains.registry import DOMAINS
from tests.architecture.source import PACKAGES, ROOT

HOME = "research/domains/investment"
# Not looked for, because of their other meanings: a share of permits, holding a lock, a broker of hints,
# overlap in time, the security of a server, the currency of a price.
_TEXT = """
    portfolio portfolios fund funds etf etfs isin isins ticker tickers sector sectors holdings weight weights
    exposure exposures volatility diversification diversified cusip sedol figi gics ucits hhi nav dividend
    equity equities bond bonds investment investments investing investor investors invest finance financial
    covariance bucket buckets stocks
"""
WORDS = frozenset(_TEXT.split())
LOOK_THROUGH = re.compile(r"look[\s_-]?through", re.IGNORECASE)
WORD = re.compile(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]")

# An exposure is here that a text stood in a request: design.md D6, "read off RequestPart".
OF_A_TEXT, OF_TEXTS = {"exposure"}, {"exposures"}
# The rules of the rehearsal model for figures; its rules for texts and all it shares are searched.
RULES_FOR_FIGURES = frozenset(
    f"config/rehearsal/{name}.py"
    for name in ("apart", "bear", "bull", "figures", "lookup", "stance", "synthesis", "telling")
)
ALLOWED: dict[str, set[str]] = {
    "audit/admin/requests.py": OF_A_TEXT,
    "audit/exposure/__init__.py": OF_A_TEXT,
    "audit/exposure/page.py": OF_A_TEXT,
    "bullbear/models/request.py": OF_A_TEXT,
    "dialogue/deliver.py": OF_TEXTS,
    "dialogue/disclose.py": OF_TEXTS,
    # An element of HTML, and a property of CSS.
    "audit/static/audit/audit.css": {"nav", "weight"},
    "audit/templates/admin/base_site.html": {"nav"},
    "audit/templates/audit/root.html": {"nav"},
    # The one place that imports domains, and the setting whose default names one.
    "research/domains/registry.py": {"investment"},
    "config/env.py": {"investment"},
    # Chaos puts its load on the sample files of one domain, with questions that fit them.
    "config/chaos/questions.py": {
        *("investment", "portfolio", "etf", "fund", "diversification", "exposure", "bond"),
    },
    "config/chaos/witness/load.py": {"investment"},
    # The rehearsal model: which tool tells figures from texts, and the words of its dimensions.
    "config/rehearsal/__init__.py": {"look-through"},
    "config/rehearsal/matters.py": {"look-through"},
    "config/rehearsal/premise.py": {"invest"},
    "config/rehearsal/words.py": {"look-through", "sector", "sectors"},
}


def shipped() -> Iterator[Path]:
    """Yield every text file of the production packages outside the domain's folder."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.is_file() and path.suffix != ".pyc" and not name.startswith(f"{HOME}/"):
                yield path


def words_of_finance(text: str) -> set[str]:
    """Return the words of finance that stand in a text."""
    found = {word.lower() for word in WORD.findall(text)} & WORDS
    return found | ({"look-through"} if LOOK_THROUGH.search(text) else set())


def found_outside() -> dict[str, set[str]]:
    found = {
        path.relative_to(ROOT).as_posix(): words_of_finance(path.read_text(errors="replace"))
        for path in shipped()
    }
    return {name: words for name, words in found.items() if words}


def test_no_word_of_finance_stands_outside_its_domain() -> None:
    found = {
        name: sorted(words - ALLOWED.get(name, set()))
        for name, words in found_outside().items()
        if name not in RULES_FOR_FIGURES and words - ALLOWED.get(name, set())
    }
    assert found == {}


def test_no_exception_is_left_over() -> None:
    found = found_outside()
    stale = {name: sorted(words - found.get(name, set())) for name, words in ALLOWED.items()}
    assert {name: words for name, words in stale.items() if words} == {}
    assert found.keys() >= RULES_FOR_FIGURES


def test_it_would_be_noticed() -> None:
    noticed = {
        "the portfolio's ETFs": {"portfolio", "etfs"},
        "def weight_pct(isin): ...": {"weight", "isin"},
        "class LookThrough:": {"look-through"},
        "weighted, funding, navigate, sharing": set(),
    }
    assert {text: words_of_finance(text) for text in noticed} == noticed


def test_the_other_domains_know_no_finance_either() -> None:
    others = [name for name in DOMAINS if name != "investment"]
    assert others == ["decision"]
    for name in others:
        folder = ROOT / "research" / "domains" / name
        files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
        assert len(files) > 10
        assert {words for path in files for words in words_of_finance(path.read_text())} == set()


def test_every_domain_stands_under_the_import_contracts() -> None:
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    contracts = {one["id"]: one for one in configured["contracts"]}
    folders = {
        f"research.domains.{path.parent.name}"
        for path in (ROOT / "research" / "domains").glob("*/__init__.py")
    }
    assert folders == {f"research.domains.{name}" for name in DOMAINS}
    assert set(contracts["one-registry"]["protected_modules"]) == folders
    assert set(contracts["one-registry"]["allowed_importers"]) == {
        "research.domains.registry",
        "tests",
    }
    assert set(contracts["domains"]["source_modules"]) == {*folders, "research.reading"}
