"""The rows of the durable runtime."""

from bullbear.models.child import Child
from bullbear.models.content import Content
from bullbear.models.outbox import OutboxEntry
from bullbear.models.receipt import Receipt
from bullbear.models.request import ModelRequest, RequestPart
from bullbear.models.root import Root
from bullbear.models.worker import Timer, Worker

__all__ = [
    "Child",
    "Content",
    "ModelRequest",
    "OutboxEntry",
    "Receipt",
    "RequestPart",
    "Root",
    "Timer",
    "Worker",
]
