"""Who reads, and what he may read: the desks he belongs to and the scopes he holds.

Nobody is exempt, superusers neither.

Source: design.md D14, D19.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Model, Q, QuerySet

from bullbear.models import Root
from research.authority import root_label
from research.grants import scopes_of
from research.models import Release, RootSource, ToolCall

M = TypeVar("M", bound=Model)

READER = "audit"  # the database alias of the role that can only SELECT


@dataclass(frozen=True, slots=True)
class Viewer:
    """A human reader.

    Args:
        desks: ids of the groups he is a member of.
        scopes: what he was granted, public material and his desks' included.
    """

    desks: frozenset[int]
    scopes: frozenset[str]

    def roots(self, to_root: str = "") -> Q:
        """Say which rows belong to a Root that he may read.

        Args:
            to_root: the lookup from a row to its Root, or "" for Roots themselves.
        """
        prefix = f"{to_root}__" if to_root else ""
        return Q(
            **{
                f"{prefix}desk__in": sorted(self.desks),
                f"{prefix}scopes__contained_by": sorted(self.scopes),
            }
        )

    def sources(self, to_source: str = "") -> Q:
        """Say which sources he may read: of his desks, and of a scope that he holds.

        Args:
            to_source: the lookup from a row to its source, or "" for sources themselves.
        """
        prefix = f"{to_source}__" if to_source else ""
        return Q(
            **{
                f"{prefix}desk__in": sorted(self.desks),
                f"{prefix}scope__in": sorted(self.scopes - {""}),
            }
        )

    def limited(self, rows: QuerySet[M], to_root: str) -> QuerySet[M]:
        """Limit rows to those of Roots that he may read."""
        return rows.filter(self.roots(to_root))

    def covers(
        self, root: Root, sources: Iterable[RootSource], *, using: str = READER
    ) -> Coverage:
        """Say which texts of a Root he may read.

        Args:
            root: one that he may read.
            sources: its evidence snapshot, each with its source.
            using: the database alias to read its releases through.
        """
        seen = {
            str(one.source_id)
            for one in sources
            if one.source.desk_id in self.desks and one.source.scope in self.scopes - {""}
        }
        own = {root_label(root.pk)} if set(root.scopes) <= self.scopes else set()
        standing = Release.objects.using(using).filter(
            root=root, withdraws=None, withdrawn_by=None
        )
        rows = standing.values_list("source_id", "tool_call_id") if own else ()
        released: list[tuple[UUID | None, UUID | None]] = list(rows)
        seen |= {str(source) for source, _ in released if source is not None}
        numbers = frozenset(call for _, call in released if call is not None)
        return Coverage(frozenset(seen | own), numbers)


@dataclass(frozen=True, slots=True)
class Coverage:
    """The lineage labels whose texts a reader may see, and the tool results that were released to him."""

    labels: frozenset[str]
    numbers: frozenset[UUID] = frozenset()

    def holds(self, lineage: Collection[str]) -> bool:
        """Whether a text of this lineage may be shown: all of it, or nothing."""
        return frozenset(lineage) <= self.labels

    def shows(self, call: ToolCall) -> bool:
        """Whether a tool's result may be shown: it is covered, or released by itself."""
        return call.pk in self.numbers or self.holds(call.lineage)


def viewer_of(user: User | AnonymousUser) -> Viewer:
    """Return a user as a reader; one who is not logged in sees nothing."""
    if not isinstance(user, User):
        return Viewer(frozenset(), frozenset())
    desks = user.groups.values_list("pk", flat=True)
    return Viewer(frozenset(desks), scopes_of(user))


def readable_root(viewer: Viewer, root_id: UUID, *, using: str = READER) -> Root | None:
    """Return a Root, if there is one of this id that the reader may see."""
    return Root.objects.using(using).filter(viewer.roots(), pk=root_id).first()
