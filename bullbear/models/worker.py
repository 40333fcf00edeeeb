"""Worker processes and timers."""

from __future__ import annotations

from django.db import models

from bullbear.ids import new_id


class Worker(models.Model):
    """One start of one worker process; alive until `alive_until`, which it renews itself.

    Source: design.md D4: renewed every 5 s for 15 s.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=200)
    started_at = models.DateTimeField()
    alive_until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["alive_until"], name="worker_alive")]

    def __str__(self) -> str:
        return self.name


class Timer(models.Model):
    """A time at which an execution must look again: a fact, and its firing is a receipt."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    child = models.ForeignKey("bullbear.Child", models.PROTECT, related_name="timers")
    fires_at = models.DateTimeField()
    cause = models.CharField(max_length=32)

    class Meta:
        indexes = [models.Index(fields=["fires_at"], name="timer_fires")]

    def __str__(self) -> str:
        return f"{self.cause} at {self.fires_at.isoformat()}"
