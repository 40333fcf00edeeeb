"""Which tool call a question needs next, and with which arguments.

The fund is the listed line or file whose name shares the weightiest words with the question: a
word weighs the more, the fewer listed names hold it.  Words of form ("fund", "ETF") alone choose
nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from config.rehearsal import premise
from config.rehearsal.request import Request

_NO_LABELS = ("no_holdings", "no_data")  # a tool found nothing to add up by
_WORD = re.compile(r"[^\W_]+(?:&[^\W_]+)?")
_FORM_TEXT = """
    etf etfs fund funds ucits index tracker share shares class acc dist inc plc corp ltd sa ag se
    co trust portfolio holding holdings account line weight point points percent percentage pp pro
    rata
"""
_FORM = frozenset(_FORM_TEXT.split())
_FUNCTION_TEXT = """
    a an the and or of to in into on for from by with at as is are be it its this that these those
    my our your their i we you he she they me us one more most less least some any no not than then
    do does did should shall would could can may might will must if when what which who how whether
    because since so out up down over under new add move shift buy put invest increase raise reduce
    sell switch replace allocate
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_TEXT.split())
_FUNDING = [
    re.compile(rf"\b{opening}\s+(.{{1,200}}?)(?={closing})", re.IGNORECASE)
    for opening, closing in (
        (
            (
                r"(?:(?:funded|financed|paid|taken)\s+)?(?:from|out\s+of|at\s+the\s+expense\s+of|"
                r"by\s+(?:selling|reducing|cutting|trimming)|instead\s+of|funded\s+by|financed\s+by)"
            ),
            r"\s+(?:into|to|in|because|since|so|as|and)\b|[,;?!\n]|\.(?!\d)|$",
        ),
        (
            r"(?:sell|reduce|cut|trim|swap|switch|replace|exchange)",
            r"\s+(?:into|to|in|for|with|by|because|since|so|as|and)\b|[,;?!\n]|\.(?!\d)|$",
        ),
        (r"(?:move|shift|switch|transfer|reallocate)\s[^.?!;]{1,60}?\sof", r"\s+(?:into|to)\b"),
    )
]
_BOND_OR_CASH = re.compile(
    r"\b(?:bonds?|fixed[\s-]income|cash|money[\s-]market|treasur\w+|gilts?|credit)\b",
    re.IGNORECASE,
)
_OF_ASSET_CLASSES = re.compile(
    r"\basset[\s-]+(?:class\w*|allocation|mix)\b|\bfixed[\s-]income\b|"
    r"\b(?:bonds?|equity|equities|stocks?|cash)\s+(?:share|weight|quota|ratio|allocation)\b|"
    r"\b(?:share|weight|proportion)\s+of\s+(?:bonds|equit\w+|stocks|cash)\b",
    re.IGNORECASE,
)
_OF_SECURITIES = re.compile(
    r"\b(?:single|individual)[\s-]+(?:names?|stocks?|securit\w+|positions?|compan\w+)\b|"
    r"\bsame\s+(?:names|stocks|securities|companies|shares)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call to ask for."""

    name: str
    arguments: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Entry:
    """A portfolio line, or a holdings file that meets no line (`line` is then 0)."""

    line: int
    name: str
    isin: str
    ticker: str
    asset_class: str
    holdings: str = ""

    def reference(self, entries: Sequence[Entry]) -> str:
        """Return what a tool call names it by: the first of its codes that no other entry has."""
        for name in ("isin", "ticker", "name", "holdings"):
            code = getattr(self, name)
            if code and sum(1 for entry in entries if getattr(entry, name) == code) == 1:
                return str(code)
        return self.name


def next_call(request: Request) -> Call | None:
    """Return the call still needed before the question can be argued, or None."""
    lists = request.results_of("list_sources")
    if "list_sources" in request.offered and not lists:
        return Call("list_sources", {})
    tried = request.results_of("look_through")
    if "look_through" not in request.offered or len(tried) > 1:
        return None
    entries = listed_entries(lists[-1].result) if lists else []
    if lists and not any(entry.line for entry in entries):
        return None
    arguments = look_through_arguments(request.question, entries)
    if tried:
        unlabelled = tried[0].result.get("error") in _NO_LABELS
        if not unlabelled or arguments["dimension"] == "asset_class":
            return None
        arguments["dimension"] = "asset_class"  # the lines themselves may state it
    required = request.offered["look_through"].get("required")
    for name in required if isinstance(required, list) else ():
        arguments.setdefault(str(name), "")
    return Call("look_through", arguments)


def listed_entries(result: Mapping[str, Any]) -> list[Entry]:
    """Read the lines and candidates of a listing, lines first."""
    entries = []
    for key in ("lines", "candidates"):
        rows = result.get(key)
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and isinstance(row.get("name"), str):
                number = row.get("line") if key == "lines" else 0
                entries.append(
                    Entry(
                        line=number if isinstance(number, int) else 0,
                        name=row["name"],
                        isin=str(row.get("isin") or ""),
                        ticker=str(row.get("ticker") or ""),
                        asset_class=str(row.get("asset_class") or ""),
                        holdings=str(row.get("holdings") or ""),
                    )
                )
    return entries


def look_through_arguments(question: str, entries: Sequence[Entry]) -> dict[str, str]:
    """Find dimension, fund, points and funding in the words of the question."""
    size = premise.points(question)
    because = premise.cause(question)
    proposal = question.replace(because, " ") if because else question
    proposal, source = _without_funding(proposal, [entry for entry in entries if entry.line])
    fund = best_match(proposal, entries) if size else None
    return {
        "dimension": _dimension(proposal, fund),
        "fund": fund.reference(entries) if fund else "",
        "points": size if fund else "0",
        "funding": f"from:{source.line}" if fund and source else "pro_rata",
    }


def _without_funding(proposal: str, lines: Sequence[Entry]) -> tuple[str, Entry | None]:
    """Return the proposal without the words for the line that pays for it, and that line."""
    for pattern in _FUNDING:
        for phrase in pattern.finditer(proposal):
            source = best_match(phrase[1], lines)
            if source is not None:
                return proposal.replace(phrase[0], " "), source
    return proposal, None


def _dimension(text: str, fund: Entry | None) -> str:
    if _OF_SECURITIES.search(text):
        return "security"
    described = f"{fund.asset_class or fund.name}" if fund else ""
    if _BOND_OR_CASH.search(described.replace("_", " ")) or _OF_ASSET_CLASSES.search(text):
        return "asset_class"
    return "sector"


def best_match(text: str, entries: Sequence[Entry]) -> Entry | None:
    """Return the entry that `text` names best; a candidate wins a tie; None if it names none."""
    asked = _stems(text)
    names = [_stems(entry.name) for entry in entries]
    best: tuple[tuple[float, int, float], Entry] | None = None
    for entry, name in zip(entries, names, strict=True):
        met = [word for word in sorted(name) if any(_same(word, other) for other in asked)]
        weight = math.fsum(_weight(word, names) for word in met)
        named = _by_code(text, entry)
        if not named and not any(word not in _FORM for word in met):
            continue
        score = (
            round(weight + (1_000 if named else 0), 9),
            0 if entry.line else 1,
            len(met) / max(1, len(name)),
        )
        if best is None or score > best[0]:
            best = (score, entry)
    return best[1] if best else None


def _stems(text: str) -> frozenset[str]:
    found = set()
    for match in _WORD.finditer(text):
        word = match.group().lower()
        if word in _FUNCTION_WORDS or (word.isdigit() and len(word) < 3):  # noqa: PLR2004
            continue
        plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")  # noqa: PLR2004
        found.add(word if word in _FORM or not plural else word[:-1])
    return frozenset(found)


def _same(word: str, other: str) -> bool:
    """Say whether two stems are one word, also where one of them is cut short."""
    if word == other:
        return True
    short, long = sorted((word, other), key=len)
    return len(short) >= 4 and long.startswith(short)  # noqa: PLR2004 - three letters match too much


def _weight(word: str, names: Sequence[frozenset[str]]) -> float:
    holding = sum(1 for name in names if word in name)
    return math.log(1 + len(names) / max(1, holding))


def _by_code(text: str, entry: Entry) -> bool:
    codes = [code for code in (entry.isin, entry.ticker) if len(code) > 1]
    return any(re.search(rf"(?<!\w){re.escape(code)}(?!\w)", text) for code in codes)
