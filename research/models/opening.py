"""Main's plan, a child's opening, and what children hand to Main."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from bullbear.ids import new_id
from bullbear.lifecycle import names
from bullbear.models import Child, Content, ModelRequest, Root
from research.answers import Pattern
from research.rules import Wish


class Plan(models.Model):
    """How a Root is worked on: what was wished, what Main proposed, what was decided.

    Source: design.md D11.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.OneToOneField(Root, models.PROTECT, related_name="plan")
    request = models.ForeignKey(
        ModelRequest, models.PROTECT, null=True, blank=True, related_name="+"
    )
    wished = models.CharField(max_length=8)
    proposed = models.CharField(max_length=10, blank=True)
    pattern = models.CharField(max_length=10)
    decided_by = models.CharField(max_length=8)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(decided_by__in=["user", "main", "host"]),
                name="a plan is decided by user or main or host",
            ),
            models.CheckConstraint(
                condition=models.Q(wished__in=names(Wish)), name="a plan answers a named wish"
            ),
            models.CheckConstraint(
                condition=models.Q(proposed="") | models.Q(proposed__in=names(Pattern)),
                name="main proposes a named pattern or none",
            ),
            models.CheckConstraint(
                condition=models.Q(pattern__in=names(Pattern)), name="a plan has a named pattern"
            ),
        ]

    def __str__(self) -> str:
        return self.pattern


class Opening(models.Model):
    """A child's public statement before any exchange: not a round."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="openings")
    child = models.OneToOneField(Child, models.PROTECT, related_name="opening")
    request = models.ForeignKey(ModelRequest, models.PROTECT, related_name="+")
    statement = models.ForeignKey(Content, models.PROTECT, related_name="+")
    statement_digest = models.CharField(max_length=64)
    lineage = ArrayField(models.CharField(max_length=100))

    def __str__(self) -> str:
        return f"opening of {self.child_id}"


class Finding(models.Model):
    """What a child hands to Main beside its opening: private research, the text of a refused send."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="findings")
    child = models.ForeignKey(Child, models.PROTECT, related_name="findings")
    request = models.ForeignKey(ModelRequest, models.PROTECT, related_name="+")
    act = models.CharField(max_length=100, unique=True)
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=24)
    reason = models.CharField(max_length=40, blank=True)
    text = models.ForeignKey(Content, models.PROTECT, related_name="+")
    text_digest = models.CharField(max_length=64)
    lineage = ArrayField(models.CharField(max_length=100))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["root", "number"], name="one finding for each handle of a root"
            ),
        ]

    def __str__(self) -> str:
        return f"F{self.number}"
