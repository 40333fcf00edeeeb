"""A tool call that an answer asked for, and what came of it."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from bullbear.ids import new_id
from bullbear.models import Child, Content, ModelRequest, Root


class ToolCall(models.Model):
    """One call of one tool; `number` makes its handle, `T2`.

    `result` is the projection a model is shown; `refusal` is a code of a fixed vocabulary, or empty.

    Source: design.md D14, D15.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="tool_calls")
    child = models.ForeignKey(Child, models.PROTECT, related_name="tool_calls")
    request = models.ForeignKey(ModelRequest, models.PROTECT, related_name="tool_calls")
    index = models.PositiveSmallIntegerField()
    act = models.CharField(max_length=100, unique=True)
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=64)
    version = models.CharField(max_length=32, blank=True)
    result = models.ForeignKey(Content, models.PROTECT, related_name="+")
    result_digest = models.CharField(max_length=64)
    refusal = models.CharField(max_length=40, blank=True)
    lineage = ArrayField(models.CharField(max_length=100))
    used = ArrayField(models.CharField(max_length=100))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["root", "number"], name="one tool call for each handle of a root"
            ),
            models.UniqueConstraint(
                fields=["request", "index"], name="one tool call for each place in an answer"
            ),
        ]

    def __str__(self) -> str:
        return f"T{self.number}"
