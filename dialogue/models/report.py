"""What is missing, and the report that says so."""

from __future__ import annotations

from django.db import models

from bullbear.ids import new_id
from bullbear.lifecycle import names
from bullbear.models import Child, Content, Root
from dialogue.kinds import GapCode


class Gap(models.Model):
    """Something missing that the report must disclose; written by the host only.

    Source: design.md D2, D13.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="gaps")
    child = models.ForeignKey(Child, models.PROTECT, null=True, blank=True, related_name="gaps")
    code = models.CharField(max_length=40)
    subject = models.CharField(max_length=100, blank=True)
    recorded_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["root", "code", "subject"], name="a gap is disclosed once"
            ),
            models.CheckConstraint(
                condition=models.Q(code__in=names(GapCode)), name="a gap has a named code"
            ),
        ]

    def __str__(self) -> str:
        return self.code


class Report(models.Model):
    """A version of the report: host-compiled and immutable."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="reports")
    version = models.PositiveSmallIntegerField()
    document = models.ForeignKey(Content, models.PROTECT, related_name="+")
    document_sha256 = models.CharField(max_length=64)
    compiled_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["root", "version"], name="one report for each version"
            ),
        ]

    def __str__(self) -> str:
        return f"report {self.version}"
