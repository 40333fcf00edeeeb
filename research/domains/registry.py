"""The domains that exist, by name."""

from __future__ import annotations

from typing import Final

from research.domain import Domain
from research.domains.decision import DOMAIN as DECISION
from research.domains.investment import DOMAIN as INVESTMENT

DOMAINS: Final = {each.name: each for each in (DECISION, INVESTMENT)}


class UnknownDomain(LookupError):
    """No domain has this name; the message lists those that exist."""


def domain(name: str) -> Domain:
    """Return the domain of this name.

    Raises:
        UnknownDomain: no domain has it.
    """
    if name not in DOMAINS:
        raise UnknownDomain(f"unknown domain {name!r}; known: {', '.join(sorted(DOMAINS))}")
    return DOMAINS[name]
