"""What a person released to readers of a Root who do not hold its scope, and what was withdrawn again."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from bullbear.ids import new_id
from bullbear.models import Content, Root
from research.models.source import Source
from research.models.toolcall import ToolCall


class Release(models.Model):
    """A source or a number of one Root, released to its human readers; or the withdrawal of such a release.

    It holds until a further row withdraws it.  No execution may read more for it: authorizations are frozen.

    Source: design.md D14, D15: approvals are a record kind of their own.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="releases")
    source = models.ForeignKey(
        Source, models.PROTECT, null=True, blank=True, related_name="releases"
    )
    tool_call = models.ForeignKey(
        ToolCall, models.PROTECT, null=True, blank=True, related_name="releases"
    )
    withdraws = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="withdrawn_by"
    )
    reason = models.ForeignKey(Content, models.PROTECT, related_name="+")
    reason_digest = models.CharField(max_length=64)
    released_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="releases"
    )
    released_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(source__isnull=False, tool_call__isnull=True)
                | Q(source__isnull=True, tool_call__isnull=False),
                name="a release is of one source or of one number",
            ),
            models.CheckConstraint(
                condition=Q(withdraws__isnull=True) | ~Q(withdraws=models.F("id")),
                name="no release withdraws itself",
            ),
        ]

    def __str__(self) -> str:
        return f"{'withdrawal' if self.withdraws_id else 'release'} {self.id}"
