"""Reserve before a request, settle after it, set a hand-back reserve aside.

    reserve(amount)            spent + reserved + amount ≤ limit − hand-back
    reserve(…, hand_back=True) spent + reserved + amount ≤ limit, and the hand-back shrinks by it
    settle(reserved, used)     reserved shrinks, spent grows by what was really used
    unknown outcome            used = reserved: it stays debited

Units: calls, tokens, tool calls.

Source: design.md D17.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Amounts:
    """An amount of each thing that is limited."""

    model_calls: int = 0
    tokens: int = 0
    tool_calls: int = 0

    def __add__(self, other: Amounts) -> Amounts:
        return Amounts(
            self.model_calls + other.model_calls,
            self.tokens + other.tokens,
            self.tool_calls + other.tool_calls,
        )

    def __sub__(self, other: Amounts) -> Amounts:
        """Subtract, never below zero: a reserve that is used up is empty."""
        return Amounts(
            max(0, self.model_calls - other.model_calls),
            max(0, self.tokens - other.tokens),
            max(0, self.tool_calls - other.tool_calls),
        )

    def within(self, other: Amounts) -> bool:
        """Whether each part is at most that of `other`."""
        return (
            self.model_calls <= other.model_calls
            and self.tokens <= other.tokens
            and self.tool_calls <= other.tool_calls
        )


@dataclass(frozen=True, slots=True)
class Account:
    """The budget of a Root: a checked cache of its request rows."""

    limit: Amounts
    spent: Amounts
    reserved: Amounts
    hand_back: Amounts

    def can_reserve(self, amount: Amounts, *, hand_back: bool = False) -> bool:
        """Whether `amount` is free; only synthesis and audit may draw on the hand-back reserve."""
        free = self.limit if hand_back else self.limit - self.hand_back
        return (self.spent + self.reserved + amount).within(free)

    def reserve(self, amount: Amounts, *, hand_back: bool = False) -> Account:
        """Set `amount` aside for one request.

        Raises:
            ValueError: it is not free; ask `can_reserve` first.
        """
        if not self.can_reserve(amount, hand_back=hand_back):
            raise ValueError("reserved more than is free")
        left = self.hand_back - amount if hand_back else self.hand_back
        return replace(self, reserved=self.reserved + amount, hand_back=left)

    def settle(self, reserved: Amounts, used: Amounts) -> Account:
        """Turn a reservation into what was really used."""
        return replace(self, reserved=self.reserved - reserved, spent=self.spent + used)
