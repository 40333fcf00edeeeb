"""Read what is on record of a Root with one statement, however many tables it stands in.

A step needs a dozen tables, and every statement lengthens the time for which it holds the Root by a round
trip.  Each row comes as one jsonb object, so that a single UNION ALL fits them all.

Source: design.md D7.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import connection
from django.db.models import BinaryField, Field, Model

from bullbear.transactions import needs_transaction

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Table:
    """A table, and the column by which its rows belong to a Root: itself, or through a row that does."""

    model: type[Model]
    column: str = "root_id"
    through: type[Model] | None = None


class Rows:
    """The rows of one Root, by table."""

    def __init__(self, found: dict[type[Model], list[Any]]) -> None:
        """Hold what was read."""
        self._found = found

    def of(self, model: type[M], *, by: str = "pk") -> list[M]:
        """Return a table's rows in order."""
        return sorted(self._found[model], key=attrgetter(by))

    def one(self, model: type[M]) -> M | None:
        """Return the row of a table in which a Root has at most one."""
        return next(iter(self._found[model]), None)


@needs_transaction
def read_rows(root_id: UUID, tables: tuple[Table, ...]) -> Rows:
    """Read all rows of a Root in these tables; it is locked, so that they stay as they are read."""
    found: dict[type[Model], list[Any]] = {table.model: [] for table in tables}
    with connection.cursor() as cursor:
        cursor.execute(_statement(tables), {"root": root_id})
        for place, row in cursor.fetchall():
            model = tables[place].model
            found[model].append(_instance(model, json.loads(row)))
    return Rows(found)


@functools.cache
def _statement(tables: tuple[Table, ...]) -> str:
    return " UNION ALL ".join(_select(place, table) for place, table in enumerate(tables))


def _select(place: int, table: Table) -> str:
    owner = "= %(root)s"
    if table.through is not None:
        through = table.through._meta.db_table  # noqa: SLF001  Django's documented interface
        owner = f"IN (SELECT id FROM {through} WHERE root_id = %(root)s)"  # noqa: S608  our names
    name = table.model._meta.db_table  # noqa: SLF001
    return f"SELECT {place}, to_jsonb(t) FROM {name} t WHERE t.{table.column} {owner}"  # noqa: S608


def _instance(model: type[M], row: dict[str, Any]) -> M:
    columns = _columns(model)
    values = [None if row[name] is None else convert(row[name]) for name, convert in columns]
    return model.from_db(connection.alias, [name for name, _ in columns], values)


@functools.cache
def _columns(model: type[Model]) -> Sequence[tuple[str, Callable[[Any], Any]]]:
    fields = model._meta.concrete_fields  # noqa: SLF001
    return [(field.attname, _converter(field)) for field in fields]


def _converter(field: Field[Any, Any]) -> Callable[[Any], Any]:
    """Return what makes a column's value of its jsonb form.

    Raises:
        TypeError: bytes do not pass through jsonb as they are.
    """
    if isinstance(field, BinaryField):
        raise TypeError(f"{field} holds bytes")
    if isinstance(field, ArrayField):
        element = _converter(field.base_field)
        return lambda values: [element(value) for value in values]
    convert: Callable[[Any], Any] = field.to_python
    return convert
