"""An operator's decision about a request whose outcome is unknown."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from bullbear.ids import new_id
from bullbear.lifecycle import names
from bullbear.models import ModelRequest, Root
from dialogue.rules import DecisionKind


class Decision(models.Model):
    """What a person decided about a held half-round: ask again, or let it end.

    Source: design.md D10, D15: operators' decisions are a record kind of their own.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="decisions")
    request = models.OneToOneField(ModelRequest, models.PROTECT, related_name="decision")
    kind = models.CharField(max_length=8)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="decisions"
    )
    decided_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=names(DecisionKind)), name="a decision is of a named kind"
            ),
        ]

    def __str__(self) -> str:
        return self.kind
