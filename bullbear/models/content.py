"""Every text and every byte string of a Root, or of a desk's source, in one table."""

from __future__ import annotations

from django.contrib.auth.models import Group
from django.db import models
from django.db.models import Q

from bullbear.ids import new_id


class Content(models.Model):
    """Compressed bytes with the salt of their digest.

    Read and written only by `bullbear/content.py`, so that encryption and erasure can be switched on
    in one file while the chains stand.

    Source: design.md D4.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey("bullbear.Root", models.PROTECT, null=True, related_name="contents")
    desk = models.ForeignKey(Group, models.PROTECT, null=True, related_name="+")
    codec = models.CharField(max_length=8)
    payload = models.BinaryField()
    size_bytes = models.PositiveIntegerField()
    salt = models.BinaryField(max_length=16)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(root__isnull=False, desk__isnull=True)
                | Q(root__isnull=True, desk__isnull=False),
                name="a content belongs to one root or to one desk",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.size_bytes} bytes"
