"""What must hold of all Roots together.

Source: scenarios.md, "The oracle"; the numbers are its.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeAlias

from django.apps import apps
from django.db import connections
from django.db.models import Model

from audit.oracle.scene import Arrival, Complaint
from audit.viewer import READER
from bullbear.content import load_bytes
from bullbear.models import Content, ModelRequest, OutboxEntry

Census: TypeAlias = Mapping[str, int]

_PACKAGES = ("bullbear", "research", "dialogue", "audit")
_BATCH = 200


def stray_arrivals(arrived: Iterable[Arrival]) -> Iterator[Complaint]:
    """5: nothing arrived at the provider that was not sealed."""
    sealed = set(ModelRequest.objects.using(READER).values_list("act", "body_sha256"))
    for one in arrived:
        if (one.idempotency_key, one.sha256) not in sealed:
            yield Complaint(5, f"{one.idempotency_key!r} arrived and was not sealed so")


def take_census() -> Census:
    """Count the rows of every fact table, for `vanished`."""
    return {
        model._meta.db_table: model._default_manager.using(READER).count()  # noqa: SLF001
        for model in _fact_tables()
    }


def vanished(before: Census, after: Census) -> Iterator[Complaint]:
    """11: fact tables only grew."""
    for table, count in before.items():
        if after.get(table, 0) < count:
            yield Complaint(11, f"{table} had {count} rows and has {after.get(table, 0)}")


def leaks(secrets: Collection[str], places: Iterable[tuple[str, bytes]]) -> Iterator[Complaint]:
    """12: no secret stands in a place; the secret itself is not repeated."""
    wanted = [secret.encode() for secret in secrets if secret]
    for place, raw in places:
        if any(secret in raw for secret in wanted):
            yield Complaint(12, f"a secret stands in {place}")


def rows_holding(secrets: Collection[str]) -> Iterator[Complaint]:
    """12: no secret stands in any row of ours, nor in a text or bytes kept for one."""
    patterns = [f"%{secret}%" for secret in secrets if secret]
    with connections[READER].cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table  # noqa: SLF001
            cursor.execute(
                f'SELECT count(*) FROM "{table}" t WHERE t::text LIKE ANY (%s)',  # noqa: S608  our names
                [patterns],
            )
            if (found := cursor.fetchone()) and found[0]:
                yield Complaint(12, f"a secret stands in {table}")
    yield from leaks(secrets, _contents())


def _contents() -> Iterator[tuple[str, bytes]]:
    for row in Content.objects.using(READER).iterator(chunk_size=_BATCH):
        yield f"content {row.pk}", load_bytes(row)


def _fact_tables() -> Iterator[type[Model]]:
    """Name the tables whose rows are never taken away; work that is owed goes when it is begun."""
    for package in _PACKAGES:
        for model in apps.get_app_config(package).get_models():
            if model is not OutboxEntry:
                yield model
