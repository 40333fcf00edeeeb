"""The figures of a look-through: read as decimals, printed exactly as the tool printed them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, Self

from config.rehearsal import words
from config.rehearsal.request import Request, ToolRecord

_SLIGHT = Decimal("0.005")  # an index that moves by at most this share of itself has not moved
NEGLIGIBLE_POINTS = Decimal("0.50")
_FULL_COVERAGE = Decimal(95)
_FAIR_COVERAGE = Decimal(
    80
)  # below it, the unclassified rest moves the index more than the change


_REST = re.compile(r"\(|un(?:classified|known)|not classified", re.IGNORECASE)  # no bucket


class Verdict(StrEnum):
    """What the figures say of a statement about spread or concentration."""

    SUPPORTED = "supported"  # the index moves the way the statement says
    CONTRADICTED = "contradicted"  # the index moves the other way
    UNMOVED = "unmoved"  # the index does not move to speak of
    UNTESTED = "untested"  # no figures, or a statement that no index tests


@dataclass(frozen=True, slots=True)
class Figure:
    """A decimal and the text it was printed as."""

    text: str
    value: Decimal

    @classmethod
    def read(cls, raw: object) -> Self | None:
        """Read a decimal string; anything else is no figure."""
        if not isinstance(raw, str | int) or isinstance(raw, bool):
            return None
        try:
            value = Decimal(str(raw))
        except InvalidOperation:
            return None
        return cls(str(raw), value) if value.is_finite() else None


@dataclass(frozen=True, slots=True)
class Pair:
    """A figure before and after the change."""

    before: Figure
    after: Figure

    @property
    def change(self) -> Decimal:
        """After less before."""
        return self.after.value - self.before.value

    @property
    def movement(self) -> int:
        """The sign of the change; 0 where it is too slight to argue from."""
        if abs(self.change) <= abs(self.before.value) * _SLIGHT:
            return 0
        return 1 if self.change > 0 else -1

    def told(self, unit: str = "") -> str:
        """Say the figure before and after, e.g. "from 1.00 % to 2.50 %"."""
        return f"from {self.before.text}{unit} to {self.after.text}{unit}"


@dataclass(frozen=True, slots=True)
class LookThrough:
    """What a look-through says; a figure that the tool did not give is None."""

    handle: str
    dimension: str
    fund: str
    points: str
    funding: str
    bucket: str
    share: Pair
    largest_before: tuple[str, Figure] | None
    largest_after: tuple[str, Figure] | None
    line_count: Pair | None
    line_hhi: Pair | None
    line_effective: Pair | None
    level_hhi: Pair | None
    level_effective: Pair | None
    classified: Figure | None
    does_not_show: str

    @property
    def by(self) -> str:
        """The dimension in words."""
        return words.dimension(self.dimension)

    @property
    def has_change(self) -> bool:
        """Whether a proposed change was computed, or only the present state."""
        return bool(self.fund)

    @property
    def evidence(self) -> list[str]:
        """The handle to cite, as a list."""
        return [self.handle] if self.handle else []

    @property
    def weakly_classified(self) -> bool:
        """Whether so much weight is unclassified that it must be said."""
        return self.classified is not None and self.classified.value < _FULL_COVERAGE

    @property
    def fairly_classified(self) -> bool:
        """Whether enough weight is classified to argue from the concentration index."""
        return self.classified is None or self.classified.value >= _FAIR_COVERAGE


def seen(request: Request) -> LookThrough | None:
    """Return the newest look-through that gave figures."""
    readings = [read(record) for record in request.results_of("look_through")]
    return next((reading for reading in reversed(readings) if reading), None)


def error_of(request: Request) -> str:
    """Return the code of the newest refused look-through or listing, or an empty string."""
    for name in ("look_through", "list_sources"):
        for record in reversed(request.results_of(name)):
            if "error" in record.result:
                return words.clip(str(record.result["error"]), 80)
    return ""


def why_none(request: Request) -> str:
    """Say why no figures are at hand: a refusal, a coverage too low for a figure, or no call."""
    if code := error_of(request):
        return f"The tools gave no data ({code})."
    withheld = [one for one in request.results_of("look_through") if "bucket" in one.result]
    if not withheld:
        return "No look-through figures are given."
    result = withheld[-1].result
    covered = Figure.read(_object(result, "coverage").get("classified_pct"))
    told = [words.clip(str(result.get(key, "")), 60) for key in ("before_pct", "after_pct")]
    share = f": {covered.text} % of the weight is classified" if covered else ""
    return (
        f"The look-through covers too little for a figure{share}; "
        f"{words.clip(str(result['bucket']), 120)} is given as {told[0]} before and {told[1]} after."
    )


def read(record: ToolRecord) -> LookThrough | None:
    """Read a look-through, or None if it carries no figures (a refusal)."""
    result = record.result
    share = _pair(result.get("before_pct"), result.get("after_pct"))
    if "error" in result or share is None:
        return None
    change = _object(result, "change")
    points = Figure.read(change.get("points"))
    moved = points is not None and points.value != 0
    classified = Figure.read(_object(result, "coverage").get("classified_pct"))
    rows = result.get("rows")
    return LookThrough(
        handle=record.handle,
        dimension=str(result.get("dimension", "")),
        fund=words.clip(str(change.get("fund", "")), 120) if moved else "",
        points=_plain(points) if points else "",
        funding=str(change.get("funding", "")),
        bucket=words.clip(str(result.get("bucket", "")), 120),
        share=share,
        largest_before=_largest(rows, "before_pct"),
        largest_after=_largest(rows, "after_pct"),
        line_count=_spread(result, "lines", "count"),
        line_hhi=_spread(result, "lines", "hhi"),
        line_effective=_spread(result, "lines", "effective_n"),
        level_hhi=_spread(result, "level", "hhi"),
        level_effective=_spread(result, "level", "effective_n"),
        classified=classified,
        does_not_show=words.clip(str(result.get("does_not_show", ""))),
    )


def judge(reading: LookThrough | None, direction: int) -> Verdict:
    """Hold a statement's direction against the concentration index at the look-through's level."""
    if reading is None or reading.level_hhi is None or direction == 0:
        return Verdict.UNTESTED
    if not (reading.has_change and reading.fairly_classified):
        return Verdict.UNTESTED
    moved = reading.level_hhi.movement
    if moved == 0:
        return Verdict.UNMOVED
    return Verdict.SUPPORTED if moved == -direction else Verdict.CONTRADICTED


def bear_out(text: str, record: ToolRecord, question: str) -> bool:
    """Say whether every figure of `text` stands in the tool's result, and at least one does."""
    told = words.figures_in(text)
    shown = words.figures_in(json.dumps(record.result, ensure_ascii=False))
    return bool(told & shown) and told <= shown | words.figures_in(question)


def _plain(figure: Figure) -> str:
    return format(figure.value.normalize(), "f")


def _object(result: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = result.get(key)
    return value if isinstance(value, dict) else {}


def _pair(before: object, after: object) -> Pair | None:
    first, second = Figure.read(before), Figure.read(after)
    return Pair(first, second) if first and second else None


def _spread(result: Mapping[str, Any], level: str, key: str) -> Pair | None:
    at_level = _object(result, level)
    return _pair(_object(at_level, "before").get(key), _object(at_level, "after").get(key))


def _largest(rows: object, key: str) -> tuple[str, Figure] | None:
    best: tuple[str, Figure] | None = None
    for row in rows if isinstance(rows, Sequence) else ():
        name = str(row.get("bucket", "")) if isinstance(row, dict) else ""
        weight = Figure.read(row.get(key)) if name else None
        if weight and not _REST.match(name) and (best is None or weight.value > best[1].value):
            best = (words.clip(name, 120), weight)
    return best
