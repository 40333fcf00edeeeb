"""The Redis transport as our processes use it: what is no hint is refused, and the worker goes on.

kombu trusts its queue: an item that is no message of its own ends a worker, with all its calls in flight.
Whoever can write to the broker must not be able to do that.

Source: scenarios.md C09; kombu/transport/redis.py and virtual/base.py, version 5.7.
"""

from __future__ import annotations

from queue import Empty
from typing import Any

import structlog
from kombu.transport import TRANSPORT_ALIASES, redis

LARGEST_BODY = 65_536  # characters; a hint has some three hundred
# What JSON, base64, their hooks and Celery raise over an item; none of them means a lost connection.
_UNREADABLE = (ValueError, TypeError, AttributeError, OverflowError, RecursionError)
log = structlog.get_logger()


class Channel(redis.Channel):
    """A channel that outlives an item that cannot be read."""

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[misc]  # its types leave it out
        except _UNREADABLE as error:
            log.warning("hint_refused", why="unreadable", error=type(error).__name__)
            raise Empty from None


class Transport(redis.Transport):
    """A transport that hands on messages only."""

    Channel = Channel

    def _deliver(self, message: Any, queue: str | None) -> None:
        why = why_no_message(message)
        if why:
            log.warning("hint_refused", why=why)
        else:
            super()._deliver(message, queue)


def why_no_message(item: Any) -> str:
    """Say why an item of a queue is no message that Celery can take, or "" where it is one.

    Shape:
        body: str
        headers: {task: str, id: str, …}, or without a task for the workers' own remote control
        properties: {delivery_tag: str, delivery_info: {…}, body_encoding: "base64", …}
    """
    if not isinstance(item, dict):
        return "no object"
    headers, properties, body = (item.get(name) for name in ("headers", "properties", "body"))
    if not isinstance(headers, dict) or not isinstance(properties, dict):
        return "no message"
    if not isinstance(body, str) or len(body) > LARGEST_BODY:
        return "no body, or a large one"
    tag, told = properties.get("delivery_tag"), properties.get("delivery_info")
    if not isinstance(tag, str) or not isinstance(told, dict):
        return "no delivery"
    if properties.get("body_encoding") not in (None, "utf-8", *redis.Channel.codecs):
        return "no encoding that is known"
    names = [headers[name] for name in ("task", "id") if name in headers]
    if not all(isinstance(name, str) for name in names) or len(names) == 1:
        return "no task, or no id"
    return ""


def use() -> None:
    """Let every connection to a redis:// broker in this process be one of these."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"
