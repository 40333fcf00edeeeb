"""Where the points of a change come from, so that the portfolio's sum stays what it was.

`pro_rata`: every other line gives in proportion to its weight.  `from:N`: line N gives all of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

_FROM: Final = re.compile(r"from:([1-9][0-9]{0,3})")
PRO_RATA: Final = "pro_rata"


class CannotFund(ValueError):
    """This change cannot be paid for by this rule; the message says why."""


def funded(
    weights: Sequence[Decimal], target: int | None, points: Decimal, rule: str
) -> tuple[Decimal, ...]:
    """Return the weights after `points` moved into the target, a new last entry if it is None.

    Args:
        weights: percent, in the order of the lines.
        target: index of the line that receives, or None for a fund that is not held yet.
        points: percent points of the whole portfolio, above 0.
        rule: "pro_rata" or "from:<line number, 1-based>".

    Raises:
        CannotFund: the rule is unknown, or the giving lines hold less than the points.
    """
    after = list(weights) if target is not None else [*weights, Decimal(0)]
    receiver = target if target is not None else len(weights)
    if rule == PRO_RATA:
        others = sum(after, Decimal(0)) - after[receiver]
        if points > others:
            raise CannotFund(f"the other lines hold {others:f} points, less than {points:f}")
        scaled = [weight * (others - points) / others for weight in after]
        scaled[receiver] = after[receiver] + points
        return tuple(scaled)
    giver = _giver(rule, len(weights))
    if giver == receiver:
        raise CannotFund("a line cannot fund itself")
    if points > after[giver]:
        raise CannotFund(f"line {giver + 1} holds {after[giver]:f} points, less than {points:f}")
    after[giver] -= points
    after[receiver] += points
    return tuple(after)


def _giver(rule: str, lines: int) -> int:
    found = _FROM.fullmatch(rule)
    if not found or int(found[1]) > lines:
        raise CannotFund(
            f"funding is `pro_rata` or `from:<line number>` with a line of 1 to {lines}"
        )
    return int(found[1]) - 1
