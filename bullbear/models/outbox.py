"""Work that is owed: a row that still stands has not been begun."""

from __future__ import annotations

from django.db import models

from bullbear.ids import new_id


class OutboxEntry(models.Model):
    """A task to run: its name and keys, never facts.

    Source: design.md D4, D7 (Note [Hint]).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    task = models.CharField(max_length=100)
    keys = models.JSONField()
    dedupe_key = models.CharField(max_length=100, unique=True)
    cause = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=200, default="", blank=True)
    offer_at = models.DateTimeField()  # not offered again before this time

    class Meta:
        verbose_name_plural = "outbox entries"
        indexes = [models.Index(fields=["offer_at"], name="outbox_offer")]

    def __str__(self) -> str:
        return f"{self.task} {self.dedupe_key}"
