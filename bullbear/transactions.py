"""Where transactions begin, and the two promises a function can make about them.

Note [Transactions]: a transaction begins with `with transaction():` in a use case, in `dialogue/steps.py` or
in the sweeper; it refuses to nest, so that what commits together is seen in one place.  Primitives say
`@needs_transaction`; whatever touches the network says `@outside_transaction` and also gives its database
connection back first, so that a slow peer never holds one.

Source: design.md D7; style.md, rule 3.
"""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from django.db import Error, InterfaceError, OperationalError, connection
from django.db import transaction as django_transaction

P = ParamSpec("P")
R = TypeVar("R")

RETRIES = 3
_DEADLOCK = "40P01"
_SERIALIZATION_FAILURE = "40001"
# Of a session that `idle_in_transaction_session_timeout` ended; to Django it is an InternalError.
_ENDED_WHILE_IDLE = "25P03"


class NestedTransaction(AssertionError):
    """A transaction was begun inside another."""


class NoTransaction(AssertionError):
    """A primitive that writes was called outside a transaction."""


class InsideTransaction(AssertionError):
    """The network was to be touched while a transaction is open."""


@contextmanager
def transaction() -> Iterator[None]:
    """Begin a transaction on the application's connection and commit it at the end.

    Raises:
        NestedTransaction: one is open already.
    """
    if connection.in_atomic_block:
        raise NestedTransaction("a use case was called inside another one's transaction")
    with django_transaction.atomic():
        yield


def after_commit(action: Callable[[], None]) -> None:
    """Call `action` once the open transaction has committed."""
    django_transaction.on_commit(action)


def needs_transaction(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse to run `function` outside a transaction.

    Raises:
        NoTransaction: none is open.
    """

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        if not connection.in_atomic_block:
            raise NoTransaction(function.__qualname__)
        return function(*args, **kwargs)

    return checked


def outside_transaction(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse to run `function` inside a transaction, and give the connection back before it runs.

    Raises:
        InsideTransaction: one is open.
    """

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        if connection.in_atomic_block:
            raise InsideTransaction(function.__qualname__)
        connection.close()
        return function(*args, **kwargs)

    return checked


def is_away(error: Error) -> bool:
    """Whether the database was away or ended this session: what failed may be repeated as a whole."""
    ended = getattr(error.__cause__, "sqlstate", None) == _ENDED_WHILE_IDLE
    return ended or isinstance(error, OperationalError | InterfaceError)


def retried(function: Callable[P, R]) -> Callable[P, R]:
    """Repeat a whole transaction after a deadlock or a serialisation failure, at most three times.

    Source: PostgreSQL manual, 13.5 "Serialization Failure Handling".
    """

    @functools.wraps(function)
    def repeated(*args: P.args, **kwargs: P.kwargs) -> R:
        for attempt in range(RETRIES):
            try:
                return function(*args, **kwargs)
            except OperationalError as error:
                code = getattr(error.__cause__, "sqlstate", None)
                if code not in {_DEADLOCK, _SERIALIZATION_FAILURE} or attempt == RETRIES - 1:
                    raise
                time.sleep(random.uniform(0.005, 0.05) * (attempt + 1))  # noqa: S311
        raise AssertionError("unreachable")

    return repeated
