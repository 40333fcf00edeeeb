"""What a change does to the volatility of a portfolio, as far as that can be told.

A share y of everything goes into a fund, in proportion from all else.  With the volatilities vp of the
portfolio and vf of the fund, and their correlation r:

    v after² = (1 - y)² vp² + y² vf² + 2 y (1 - y) r vp vf

Where r is not known, the answer is the correlation at which nothing changes: below it the volatility falls.

    break-even r = (vp² (1 - (1 - y)²) - y² vf²) / (2 y (1 - y) vp vf)

Where all covariances are given: v² = sum over i and j of wi wj cov(i, j), for any change of weights.
Decimal throughout: the matrices here have as many rows as a portfolio has lines.

Source: H. Markowitz, Portfolio Selection, Journal of Finance 7 (1952), 77 to 91.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

FORMULA: Final = "volatility_effect/1"
_ONE: Final = Decimal(1)
_TOLERANCE: Final = Decimal(
    "1e-9"
)  # of a pivot, against the largest variance: covariances are stated rounded
Matrix = Sequence[Sequence[Decimal]]


class NotACovariance(ValueError):
    """No random variables have this matrix as their covariance; the message says why."""


@dataclass(frozen=True, slots=True)
class Mix:
    """A share of a fund mixed into a portfolio.

    Units:
        share: of 1, above 0 and up to 1
        portfolio_pct, fund_pct: volatility, percent a year, above 0
    """

    share: Decimal
    portfolio_pct: Decimal
    fund_pct: Decimal

    def after_pct(self, correlation: Decimal) -> Decimal:
        """Return the volatility after the change, for one correlation of fund and portfolio."""
        kept, added = (_ONE - self.share) * self.portfolio_pct, self.share * self.fund_pct
        variance = kept * kept + added * added + 2 * correlation * kept * added
        return max(variance, Decimal(0)).sqrt()

    def break_even(self) -> Decimal | None:
        """Return the correlation at which the volatility stays; None where all is moved into the fund.

        A value above 1 says that it falls at any correlation, one below -1 that it rises at any.
        """
        if self.share == 1:
            return None
        kept, added = (_ONE - self.share) * self.portfolio_pct, self.share * self.fund_pct
        return (self.portfolio_pct**2 - kept * kept - added * added) / (2 * kept * added)


def portfolio_pct(weights_pct: Sequence[Decimal], covariance: Matrix) -> Decimal:
    """Return the volatility of weights under a covariance, in percent a year.

    Units:
        weights_pct: percent of the portfolio, one for each row of the matrix
        covariance: percent squared a year, so that a variance is the square of a volatility in percent
    """
    variance = Decimal(0)
    for weight, row in zip(weights_pct, covariance, strict=True):
        for other, value in zip(weights_pct, row, strict=True):
            variance += weight * other * value
    return max(variance, Decimal(0)).sqrt() / 100


def check_covariance(covariance: Matrix) -> None:
    """Check that a matrix is symmetric and positive semidefinite.

    Raises:
        NotACovariance: it is not.

    Source: its LDL factorisation has no pivot below 0 (Golub and Van Loan, Matrix Computations, 4.2).
    """
    size = len(covariance)
    if any(covariance[i][j] != covariance[j][i] for i in range(size) for j in range(i)):
        raise NotACovariance("the covariance of two things does not depend on their order")
    slack = _TOLERANCE * max((covariance[i][i] for i in range(size)), default=_ONE)
    left = [list(row) for row in covariance]
    for k in range(size):
        pivot = left[k][k]
        column = [left[i][k] for i in range(k + 1, size)]
        stray = any(each * each > slack * slack / _TOLERANCE for each in column)
        if pivot < -slack or (pivot <= slack and stray):
            raise NotACovariance(
                "these covariances contradict each other: a variance would be below 0"
            )
        if pivot <= slack:
            continue
        for i, below in enumerate(column, start=k + 1):
            for j, right in enumerate(column, start=k + 1):
                left[i][j] -= below * right / pivot
