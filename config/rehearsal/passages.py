"""Passages of texts: what the tools showed, sentence by sentence, and what a sentence says of another.

A quote stands between quotation marks and is the sentence to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from config.rehearsal.request import Claim, Request, ToolRecord

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_QUOTED = re.compile(r'"([^"]{1,600})"')
_NEGATION = re.compile(
    r"\b(?:no|not|nobody|none|never|nothing|without|cannot|\w+n['\u2019]t)\b", re.IGNORECASE
)
_NOT_LOOKED_AT = re.compile(
    r"\b(?:nobody|no one|not|never)\s+(?:\w+\s+){0,2}?"
    r"(?:asked about|counted|measured|checked|known|looked at|tested|recorded)\b",
    re.IGNORECASE,
)
_LIMIT_TEXT = """
    but however although though only unless except fewer less lower worse longer later slower fell drop
    dropped declined rose grew grown risk problem delay delayed waited missed lost overtime
"""
_LIMITS = frozenset(_LIMIT_TEXT.split())
_FUNCTION_TEXT = """
    a an the and or of to in into on for from by with at as is are be been was were it its this that these
    those they them their he she his her we us our you your i me my who what which when where how why
    whether if then than so because since will would should could can may might must do does did has have
    had not no nobody none never nothing also more most some any each all one two just about there here
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_TEXT.split())
_SHORTEST, _LONGEST = 20, 500  # characters of a sentence that is quoted
_BEARS_ON = 3  # shared words are enough, or half of what the other says
_LONG_ENOUGH = 3  # letters of a stem that is searched for
_LONGEST_QUERY = 200


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a passage that a tool showed."""

    source: str
    number: int
    text: str
    tool: str  # the handle of the result it stands in

    @property
    def cited(self) -> str:
        """The sentence with its place, as a side quotes it."""
        return f'{self.source} says in passage {self.number}: "{self.text}"'

    @property
    def evidence(self) -> list[str]:
        """The handles to cite: of the result it stands in, and of its source."""
        return [self.tool, self.source] if self.tool else []


def subject_of(request: Request) -> str:
    """Return the handle of the text under review, or an empty string."""
    for entry in _listed(request):
        if entry.get("kind") == "proposal":
            return str(entry.get("handle", ""))
    return ""


def _listed(request: Request) -> Iterator[Mapping[str, Any]]:
    for record in request.results_of("list_sources"):
        sources = record.result.get("sources")
        yield from (one for one in _rows(sources) if one.get("handle"))


def sentences(request: Request) -> list[Sentence]:
    """Return every sentence that the tools showed, each once, headings apart."""
    found: dict[tuple[str, str], Sentence] = {}
    for record in request.tools:
        for row in _rows(record.result.get("passages")):
            for text in _parted(str(row.get("text", ""))):
                source, number = str(row.get("source", "")), row.get("number")
                if source and isinstance(number, int):
                    one = Sentence(source, number, text, record.handle)
                    found.setdefault((source, text), one)
    return list(found.values())


def _rows(value: object) -> Iterator[Mapping[str, Any]]:
    yield from (row for row in value if isinstance(row, dict)) if isinstance(value, list) else ()


def _parted(passage: str) -> Iterator[str]:
    if passage.startswith("#"):
        return
    for part in _SENTENCE_END.split(passage.strip()):
        text = part.lstrip("-*> ")
        if _SHORTEST <= len(text) <= _LONGEST and '"' not in text:
            yield text


def stems(text: str) -> frozenset[str]:
    """Return the words of a text that carry its matter, cut to what their forms share."""
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(_stem(word) for word in words if word not in _FUNCTION_WORDS)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:  # noqa: PLR2004 - less says nothing
            word = word.removesuffix(ending)
            break
    return word.removesuffix("e")


def query_of(*texts: str) -> str:
    """Return what to search for: the words of the texts, as many as a query may hold."""
    query = ""
    for word in dict.fromkeys(word for text in texts for word in sorted(stems(text))):
        if len(word) >= _LONG_ENOUGH and len(query) + len(word) < _LONGEST_QUERY:
            query = f"{query} {word}".strip()
    return query


def shared(one: str, other: str) -> int:
    """Count the words that two texts share."""
    return len(stems(one) & stems(other))


def bears_on(sentence: Sentence, matter: str) -> bool:
    """Whether a sentence speaks of the same thing as `matter`."""
    half = (len(stems(matter)) + 1) // 2
    return shared(sentence.text, matter) >= max(1, min(_BEARS_ON, half))


def speaks_against(sentence: Sentence, matter: str) -> bool:
    """Whether a sentence on the same thing limits it, or says it the other way round."""
    if not bears_on(sentence, matter):
        return False
    limits = {word.lower() for word in _WORD.findall(sentence.text)} & _LIMITS
    already = {word.lower() for word in _WORD.findall(matter)} & _LIMITS
    turned = bool(_NEGATION.search(sentence.text)) != bool(_NEGATION.search(matter))
    return bool(limits - already) or turned


def nearest(found: Iterable[Sentence], matter: str) -> list[Sentence]:
    """Return sentences, those first that share most words with `matter`."""
    return sorted(found, key=lambda one: -_nearness(one.text, matter))


def _nearness(text: str, matter: str) -> float:
    """Return which part of a text's words stand in `matter` too."""
    return shared(text, matter) / max(1, len(stems(text)))


def bears_out(sentence: Sentence, matter: str) -> bool:
    """Whether a sentence speaks of the same thing and does not speak against it."""
    return bears_on(sentence, matter) and not speaks_against(sentence, matter)


def says_what_is_missing(sentence: Sentence) -> bool:
    """Whether a sentence says that something was not asked, counted or looked at."""
    return _NOT_LOOKED_AT.search(sentence.text) is not None


def quotes_in(text: str) -> list[str]:
    """Return what stands between quotation marks."""
    return _QUOTED.findall(text)


def matter_of(claim: Claim) -> str:
    """Return what a claim is about: the passage it quotes, else its own words."""
    return next(iter(quotes_in(claim.quote)), claim.quote)


def sources_of(text: str, records: Iterable[ToolRecord]) -> dict[str, str]:
    """Return source → tool result for each quote of `text` that stands to the letter in a result."""
    found: dict[str, str] = {}
    for record in records:
        for row in _rows(record.result.get("passages")):
            if any(quote in str(row.get("text", "")) for quote in quotes_in(text)):
                found.setdefault(str(row.get("source", "")), record.handle)
    return found
