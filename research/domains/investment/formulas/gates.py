"""How much may be said of a figure, given how much of the weight it covers.

Coverage of 95 % and more: a point value.  80 to 95 %: the point value with its bounds.  50 to 80 %:
the bounds alone.  Below 50 %: it cannot be stated.  Nothing is scaled up to fill what is missing.

Source: design.md D16 and the gates its issue names.
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Final

_POINT: Final = Decimal(95)
_BOUNDED_POINT: Final = Decimal(80)
_BOUNDS: Final = Decimal(50)


class Stated(StrEnum):
    """In which form a figure may be stated."""

    POINT = "point"  # covered to 95 % and more
    POINT_AND_BOUNDS = "point_and_bounds"  # covered to 80 % and more
    BOUNDS = "bounds"  # covered to 50 % and more
    CANNOT = "cannot_be_stated"  # covered to less than half

    @property
    def as_point(self) -> bool:
        """Whether a point value may stand."""
        return self in (Stated.POINT, Stated.POINT_AND_BOUNDS)


def gate(coverage_pct: Decimal) -> Stated:
    """Return the form for a coverage.

    Units:
        coverage_pct: percent of the weight that the figure is about, before any rounding
    """
    if coverage_pct >= _POINT:
        return Stated.POINT
    if coverage_pct >= _BOUNDED_POINT:
        return Stated.POINT_AND_BOUNDS
    return Stated.BOUNDS if coverage_pct >= _BOUNDS else Stated.CANNOT
