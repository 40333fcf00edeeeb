"""What a question supposes, and how much it would move: rules over plain English.

A premise *points* towards a wider spread (+1), towards more concentration (-1), or neither (0);
only the first two can be tested with a concentration index.
"""

from __future__ import annotations

import re
from decimal import Decimal

_COUNTING = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty
"""
_NUMBER_WORDS = {word: number for number, word in enumerate(_COUNTING.split(), start=1)}
_NUMBER_WORDS |= {"thirty": 30, "forty": 40, "fifty": 50}
_NUMBER = (
    r"(?P<{0}>(?<![\d.,])\d{{1,6}}(?:[.,]\d{{1,6}})?|\b(?:" + "|".join(_NUMBER_WORDS) + r")\b)"
)
_POINT = r"(?:percentage[\s-]+points?|points?\b|pp\b|pts?\b)"
_SHARE = r"(?:%|\uff05|percent\b|per\s+cent\b)"
_UNIT = rf"(?:{_POINT}|{_SHARE})"
_FROM_TO = re.compile(
    rf"\bfrom\s+{_NUMBER.format('low')}\s*{_UNIT}?\s+to\s+{_NUMBER.format('high')}\s*{_UNIT}",
    re.IGNORECASE,
)
_POINTS = re.compile(rf"{_NUMBER.format('size')}[\s-]*{_POINT}", re.IGNORECASE)
_PERCENT = re.compile(rf"{_NUMBER.format('size')}[\s-]*{_SHARE}", re.IGNORECASE)

_VERBS = (
    r"(?:mov|shift|add|buy|put|invest|increas|rais|reduc|sell|switch|replac|allocat|rebalanc|cut|"
    r"trim|swap|tak|plac)\w*"
)
_CAUSE = re.compile(
    r"\b(?:because(?:\s+of)?|since(?!\s+\d)|given\s+that|on\s+the\s+grounds\s+that|so\s+that|"
    r"as(?=\s+(?:it|this|that|they|one|more|the|we|i|my|a|an|another)\b))[\s,:]+",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"\b(?:means?|implies|imply|makes?|leads?\s+to|results?\s+in|therefore|thus|hence)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    rf"[?!;\n]|\.(?!\d)|,\s*(?:right|correct|true|is|isn't|should|shall|would|could|can|may|"
    rf"i|we|please|{_VERBS})\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:[^.?!;\n]|\.(?=\d))+")
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "\u2018": "\u2019"}
_MARKS = "\"“”«»'\u2018\u2019,"

_SPREAD = re.compile(
    r"diversif\w*|spread\w*|balanc\w*|broad\w*|wider|widely|variety|evenly|"
    r"(?P<narrow>concentrat\w*(?!\s+(?:index|measure|figure))|clustered|lopsided|narrow\w*)",
    re.IGNORECASE,
)
_NOT = re.compile(r"not|no|never|without|avoid\w*|\w+n['\u2019]t", re.IGNORECASE)
_LESS = re.compile(r"less|low\w*|fewer|reduc\w*|decreas\w*|limit\w*|cut\w*|hurt\w*", re.IGNORECASE)
_NOT_REACHES, _LESS_REACHES = 6, 3  # words before the key word in which these turn it round


def points(question: str) -> str:
    """Return the size of the proposed change in points, or an empty string."""
    if both := _FROM_TO.search(question):
        change = _number(both["high"]) - _number(both["low"])
        if change > 0:
            return format(change, "f")
    found = _POINTS.search(question) or _PERCENT.search(question)
    return format(_number(found["size"]), "f") if found else ""


def _number(text: str) -> Decimal:
    word = _NUMBER_WORDS.get(text.lower())
    return Decimal(word) if word is not None else Decimal(text.replace(",", "."))


def stated(question: str) -> str:
    """Return the requester's premise in the requester's words, or an empty string."""
    return cause(question) or _linked(question)


def cause(question: str) -> str:
    """Return the clause after "because" and its like, or an empty string."""
    found = _CAUSE.search(question)
    if found is None:
        return ""
    rest = question[found.end() :]
    closing = _QUOTES.get(rest[:1], "")
    if closing and (inside := rest[1:].partition(closing))[1]:
        return inside[0].strip().rstrip(".,")
    end = _CLAUSE_END.search(rest)
    return rest[: end.start() if end else None].strip().strip(_MARKS)


def _linked(question: str) -> str:
    for sentence in _SENTENCE.findall(question):
        if _LINK.search(sentence):
            return str(sentence).strip().strip(_MARKS)
    return ""


def proposes_change(question: str) -> bool:
    """Say whether the question proposes a change and names its size."""
    return (
        bool(points(question)) and re.search(rf"\b{_VERBS}\b", question, re.IGNORECASE) is not None
    )


def direction(text: str) -> int:
    """Say whether `text` speaks for a wider spread (+1), for concentration (-1) or of neither."""
    found = _SPREAD.search(text)
    if found is None:
        return 0
    sign = -1 if found["narrow"] else 1
    before = re.findall(r"[\w'\u2019]+", text[: found.start()])
    flips = sum(1 for word in before[-_NOT_REACHES:] if _NOT.fullmatch(word))
    flips += sum(1 for word in before[-_LESS_REACHES:] if _LESS.fullmatch(word))
    return -sign if flips % 2 else sign
