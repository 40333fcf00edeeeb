"""What must hold after any failure, whatever happened: statements over rows and what reached the provider.

    scene         the rows of one Root, of one moment, with what arrived at the provider
    statements    one Root: statements 1 to 10 and 13, a function for each
    everywhere    all Roots: nothing arrived unsealed (5), fact tables only grew (11), no secret leaked (12)

Everything is read only.  Verification recomputes a Root from its bytes; the statements here are those that
verification cannot know (what arrived, what waits) or that are worth a second, independent look.

Source: scenarios.md, "The oracle"; the numbers are its.
"""

from audit.oracle.everywhere import (
    Census,
    leaks,
    rows_holding,
    stray_arrivals,
    take_census,
    vanished,
)
from audit.oracle.scene import Arrival, Complaint, Scene
from audit.oracle.statements import STATEMENTS, look_at

__all__ = [
    "STATEMENTS",
    "Arrival",
    "Census",
    "Complaint",
    "Scene",
    "leaks",
    "look_at",
    "rows_holding",
    "stray_arrivals",
    "take_census",
    "vanished",
]
