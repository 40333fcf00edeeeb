"""Logs as JSON lines on stderr: ids and digests, never texts.

An exception's message can hold a text (a database error quotes the row it refused), so a log line
names its type and the places it came through, and for a database error the constraint.
"""

from __future__ import annotations

import traceback
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger


def exception_without_message(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Replace `exc_info` by the chain of exception types, with places and constraint names."""
    info = event.pop("exc_info", None)
    error = info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        event["exception"] = [_described(one) for one in _chain(error)]
    return event


def _chain(error: BaseException) -> list[BaseException]:
    chain = [error]
    while (earlier := chain[-1].__cause__ or chain[-1].__context__) and earlier not in chain:
        chain.append(earlier)
    return chain


def _described(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    diagnostic = getattr(error, "diag", None)
    return {
        "type": f"{type(error).__module__}.{type(error).__qualname__}",
        "constraint": getattr(diagnostic, "constraint_name", None),
        "frames": [f"{one.filename}:{one.lineno} {one.name}" for one in frames[-12:]],
    }


_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def logging_config(level: str = "INFO") -> dict[str, Any]:
    """Return the `logging` configuration that Django, Celery and gunicorn share."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    exception_without_message,
                    structlog.processors.JSONRenderer(ensure_ascii=False),
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            name: {"handlers": [], "propagate": True, "level": level}
            for name in ("django", "django.server", "gunicorn.error", "gunicorn.access")
        },
    }


def configure_structlog() -> None:
    """Send structlog's events through `logging`, so that one formatter writes all lines."""
    structlog.configure(
        processors=[
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
