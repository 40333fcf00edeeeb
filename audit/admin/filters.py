"""Filters of the admin lists: the words of an enum, and what compliance looks for.

Source: design.md D19.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest

from bullbear.lifecycle import RequestState
from bullbear.models import ModelRequest, RequestPart
from dialogue.models import HalfRound, PeerMessage
from dialogue.rules import SlotOutcome
from research.kinds import PartKind

Condition = Q | Exists


class Named(admin.SimpleListFilter):
    """Choices by name, each a condition on the rows."""

    conditions: Mapping[str, tuple[str, Condition]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Name the choices."""
        return [(key, label) for key, (label, _) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        """Keep the rows of the chosen one."""
        chosen = self.conditions.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


def by_word(column: str, words: Iterable[str], title_: str = "") -> type[Named]:
    """Make a filter of a column that holds one of these words, e.g. those of an enum."""

    class ByWord(Named):
        title = title_ or column.replace("_", " ")
        parameter_name = column
        conditions = {
            str(word): (str(word).replace("_", " "), Q(**{column: word})) for word in words if word
        }

    return ByWord


SERVED_DIFFERS = ~Q(served_model__in=["", F("requested_model")])

_ARRIVED = RequestPart.objects.filter(
    kind=PartKind.MESSAGE,
    record=Cast(OuterRef("pk"), TextField()),
    request__child=OuterRef("recipient"),
    request__state=RequestState.ANSWERED,
)
NOT_DELIVERED = ~Q(Exists(_ARRIVED))


class OfRoot(Named):
    """What compliance looks for among Roots."""

    title = "what happened"
    parameter_name = "happened"
    conditions = {
        "not_delivered": (
            "accepted, not delivered",
            Exists(PeerMessage.objects.filter(NOT_DELIVERED, root=OuterRef("pk"))),
        ),
        "outcome_unknown": (
            "outcome unknown",
            Exists(
                ModelRequest.objects.filter(
                    root=OuterRef("pk"), state=RequestState.OUTCOME_UNKNOWN
                )
            ),
        ),
        "refused": (
            "refused",
            Exists(
                HalfRound.objects.filter(pair__root=OuterRef("pk"), outcome=SlotOutcome.REFUSED)
            ),
        ),
        "served_differs": (
            "served model differs",
            Exists(ModelRequest.objects.filter(SERVED_DIFFERS, root=OuterRef("pk"))),
        ),
    }


class OfRequest(Named):
    """What compliance looks for among model calls."""

    title = "served model"
    parameter_name = "served"
    conditions = {
        "differs": ("differs from the requested one", SERVED_DIFFERS),
        "same": ("is the requested one", Q(served_model=F("requested_model"))),
    }


class OfMessage(Named):
    """Whether an accepted message was delivered."""

    title = "delivered"
    parameter_name = "delivered"
    conditions = {
        "yes": ("yes", Exists(_ARRIVED)),
        "no": ("accepted, not delivered", NOT_DELIVERED),
    }
