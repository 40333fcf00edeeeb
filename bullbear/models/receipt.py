"""One append-only fact in a chain of its Root."""

from __future__ import annotations

from django.db import models

from bullbear.ids import new_id


class Chain(models.TextChoices):
    """The chains a Root has."""

    RESEARCH = "research", "Research"  # closed with the Root
    DESK = "desk", "Desk"  # reviews, access, exports


class Receipt(models.Model):
    """RFC 8785 bytes, linked to their predecessor.

    `body` is the evidence; the other columns repeat what stands in it, for queries, and verification
    compares them.

    Source: design.md D18.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey("bullbear.Root", models.PROTECT, related_name="receipts")
    chain = models.CharField(max_length=8, choices=Chain.choices, default=Chain.RESEARCH)
    seq = models.PositiveIntegerField()
    recorded_at = models.DateTimeField()
    kind = models.CharField(max_length=48)
    act = models.CharField(max_length=100, blank=True)
    subject = models.CharField(max_length=100, blank=True)
    child = models.ForeignKey(
        "bullbear.Child", models.PROTECT, null=True, blank=True, related_name="receipts"
    )
    body = models.BinaryField()
    previous = models.BinaryField(max_length=32)
    digest = models.BinaryField(max_length=32)

    class Meta:
        ordering = ["root", "chain", "seq"]
        constraints = [
            models.UniqueConstraint(
                fields=["root", "chain", "seq"], name="one receipt for each place in a chain"
            ),
            models.UniqueConstraint(
                fields=["root", "kind", "act", "subject"], name="one receipt for each act"
            ),
            models.CheckConstraint(condition=models.Q(seq__gte=1), name="a chain begins at one"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} #{self.seq}"
