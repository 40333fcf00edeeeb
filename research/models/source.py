"""Sources, what readers made of them, and who may see them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import Q

from bullbear.ids import new_id
from bullbear.models import Content, Root


class Source(models.Model):
    """Immutable bytes with a scope and a desk; without a scope nobody sees it.

    Source: design.md D14.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    desk = models.ForeignKey(Group, models.PROTECT, related_name="sources")
    scope = models.CharField(max_length=100, blank=True)
    title = models.ForeignKey(Content, models.PROTECT, related_name="+")
    raw = models.ForeignKey(Content, models.PROTECT, related_name="+")
    raw_sha256 = models.CharField(max_length=64)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    added_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["desk", "-id"], name="source_of_desk")]

    def __str__(self) -> str:
        return f"Source {self.id}"


class ParseReport(models.Model):
    """What a domain's reader made of a source; the reading itself, rows included, is one content."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    source = models.OneToOneField(Source, models.PROTECT, related_name="parse_report")
    domain = models.CharField(max_length=50)
    reader = models.CharField(max_length=50)
    kind = models.CharField(max_length=30)
    as_of = models.CharField(max_length=20)
    counts = models.JSONField()
    reading = models.ForeignKey(Content, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.kind} by {self.reader}"


class RootSource(models.Model):
    """A source in a Root's evidence snapshot; `number` makes its handle, `S3`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="sources")
    source = models.ForeignKey(Source, models.PROTECT, related_name="uses")
    number = models.PositiveSmallIntegerField()
    assigned_to = models.ForeignKey(Content, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["root", "number"], name="one source for each handle of a root"
            ),
            models.UniqueConstraint(
                fields=["root", "source"], name="a source stands once in a root"
            ),
        ]

    def __str__(self) -> str:
        return f"S{self.number}"


class ScopeGrant(models.Model):
    """The right of a user, or of a desk's members, to material of one scope."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.CharField(max_length=100)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="grants"
    )
    group = models.ForeignKey(Group, models.PROTECT, null=True, blank=True, related_name="grants")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(user__isnull=False, group__isnull=True)
                | Q(user__isnull=True, group__isnull=False),
                name="a grant is to a user or to a group",
            ),
            models.UniqueConstraint(
                fields=["scope", "user"],
                condition=Q(user__isnull=False),
                name="one grant of a scope to a user",
            ),
            models.UniqueConstraint(
                fields=["scope", "group"],
                condition=Q(group__isnull=False),
                name="one grant of a scope to a group",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scope} to {self.user or self.group}"
