"""Answer honestly while the database is away.

Source: scenarios.md D09.
"""

from __future__ import annotations

from collections.abc import Callable

import structlog
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse

RETRY_AFTER_SECONDS = 5
log = structlog.get_logger()

Answer = Callable[[HttpRequest], HttpResponse]


class DatabaseAway:
    """Turn a lost database into 503 with Retry-After: nothing was changed, and it is worth trying again."""

    def __init__(self, answer: Answer) -> None:
        """Wrap the rest of the web process."""
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or say that the database is away."""
        try:
            return self._answer(request)
        except (OperationalError, InterfaceError) as error:
            return _away(error)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Do the same for what a view raises."""
        del request
        lost = isinstance(exception, OperationalError | InterfaceError)
        return _away(exception) if lost else None


def _away(error: Exception) -> HttpResponse:
    log.warning("database_away", error=type(error).__name__)
    return HttpResponse(
        "The database does not answer. Nothing was changed. Try again in a few seconds.",
        status=503,
        content_type="text/plain; charset=utf-8",
        headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
    )
