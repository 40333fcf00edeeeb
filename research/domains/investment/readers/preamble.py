"""What stands above the header row: whose file this is, and of which day."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from research.domains.investment.readers import numbers
from research.domains.investment.readers.header_words import WORDS as HEADER_WORDS
from research.domains.investment.readers.sheets import Record
from research.reading.dates import NOT_STATED, iso_date

_WORDS: Final = {
    "fund": ("fund", "fund name", "fonds", "fondsname", "nom du fonds", "nome del fondo", "fondo",
        "nombre del fondo",
             "基金", "基金名称", "index", "index name", "指数名称"),
    "isin": ("isin", "isin code", "fund isin", "isin des fonds", "isin du fonds", "isin del fondo",
         "code isin", "codice isin", "código isin"),
    "ticker": ("ticker", "ticker symbol", "fund ticker", "symbol", "基金代码"),
    "as_of": ("as of", "as of date", "date", "as-of date", "as at", "report date", "reporting date",
        "valuation date", "position date", "datum", "stand",
        "stichtag", "stand vom",
              "per", "au", "en date du", "date de valorisation", "data", "al", "data di riferimento",
              "aggiornato al",
              "fecha", "a fecha", "a fecha de", "日期", "截止日期", "报告期", "截至", "effective date",
              "effectivedate", "asofdate",
              "asof"),
    "holdings_as_of": ("fund holdings as of", "holdings as of", "holdings", "fondsposition per",
        "fondspositionen per",
                       "positions du fonds au", "positions au", "composition au", "posizioni al",
                       "composizione al",
                       "posiciones a", "cartera a", "持仓日期"),
    "portfolio": ("portfolio", "portfolio name", "depot", "portefeuille", "portafoglio", "cartera",
        "投资组合", "账户"),
    "net_assets": ("net assets", "total net assets", "fund net assets", "net assets of fund",
        "fund size", "nav total", "aum",
                   "fondsvermögen", "fondsvolumen", "nettovermögen", "actif net", "actif net total",
                   "patrimonio netto",
                   "patrimonio", "patrimonio neto", "基金资产净值", "资产净值", "netassets"),
    "expense_ratio": HEADER_WORDS["expense_ratio"],
}  # fmt: skip
_DATED: Final = frozenset({"as_of", "holdings_as_of"})
_SAYS_WHEN: Final = re.compile(
    r"\b(as (of|at)|per|stand|stichtag|zum|vom|au|al|a fecha|aggiornat\w+|date|datum|fecha)\b"
    "|截至|日期|报告期",
    re.IGNORECASE,
)
_KEYS: Final = {word: key for key, words in _WORDS.items() for word in words}
_PARTS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[._]")  # valuationDate, fund.name, report_date


@dataclass(frozen=True, slots=True)
class Preamble:
    """The lines above a header: a heading that stands alone, and known keys with values."""

    heading: str = ""
    values: dict[str, str] = field(default_factory=dict)
    text: str = ""

    @property
    def names_a_fund(self) -> bool:
        """Whether these lines say that the table holds what one fund holds."""
        return bool(self.values.keys() & {"fund", "holdings_as_of"})

    @property
    def names_a_portfolio(self) -> bool:
        """Whether these lines say that the table is a portfolio."""
        return "portfolio" in self.values

    @property
    def as_of(self) -> str:
        """The text that states the date, as it stands, or ""."""
        return self.values.get("holdings_as_of", "") or self.values.get("as_of", "")

    @property
    def net_assets(self) -> Decimal:
        """The net assets that are stated, 0 where they are not."""
        words = self.values.get("net_assets", "").split()
        values = (numbers.amount(word, sign) for word in words for sign in (".", ","))
        return next((value for value in values if value is not None), Decimal(0))


def key_of(name: str) -> str:
    """Return what a name above a table says of it, "" where the name is not known."""
    plain = name.strip().rstrip(":： ")
    parted = " ".join(_PARTS.sub(" ", plain).split())
    return _KEYS.get(plain.casefold()) or _KEYS.get(parted.casefold(), "")


def read_preamble(records: Iterable[Record]) -> Preamble:
    """Read `Key,value` and `Key: value` lines; unknown keys are left alone."""
    heading, values, text = "", dict[str, str](), list[str]()
    for record in records:
        filled = record.filled
        if not filled:
            continue
        text.append(" ".join(filled)[:500])
        # An unquoted date such as `As of,Jan 20, 2023` falls into several cells.
        name, value = filled[0], ", ".join(filled[1:])
        if not value:
            name, _, value = name.replace("：", ":").partition(":")
        key = key_of(name)
        if key and value.strip():
            values.setdefault(key, value.strip())
        elif len(filled) == 1 and not heading:
            heading = filled[0]
        # A date may stand in a sentence: "Holdings as of 31 December 2024".
        dated = values.keys() & _DATED or iso_date(text[-1]) == NOT_STATED
        if not dated and _SAYS_WHEN.search(text[-1]):
            values["as_of"] = text[-1]
    return Preamble(heading, values, "\n".join(text[:100]))
