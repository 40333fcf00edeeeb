"""The settings that the packages below `config` read, as one typed view.

Source: design.md D17, D20.
"""

from __future__ import annotations

from typing import Protocol, cast

from django.conf import settings

HARD_END_SLACK_SECONDS = 15  # Note [Leases]: a lease's hard end is the provider time-out and this


class Options(Protocol):
    """What the runtime needs to know; `config/env.py` checks it at start."""

    model_calls: int
    tokens: int
    tool_calls: int
    deadline_seconds: int
    finalize_seconds: int
    provider_timeout_seconds: float
    drain_seconds: float
    permits_per_process: int
    rounds: int
    rounds_limit: int
    unknown_policy: str
    context_bytes: int

    @property
    def provider_url(self) -> str:
        """The provider's base URL."""
        ...

    @property
    def provider_key(self) -> str:
        """The provider's key: never stored, logged or shown."""
        ...

    def model_for(self, role: str) -> str:
        """Name the model that serves a role."""
        ...


def options() -> Options:
    """Return the checked settings of this process."""
    return cast("Options", settings.BULLBEAR)
