"""The claim register: claims, what moved them, and what Main made of each."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from bullbear.ids import new_id
from bullbear.lifecycle import names
from bullbear.models import Child, Content, ModelRequest, Root
from dialogue.models.pair import PeerMessage
from dialogue.rules import MoveKind
from research.models import Opening


class Claim(models.Model):
    """One statement on the register, quoted verbatim; `number` makes its handle, `C1`.

    Its status derives from its moves; a claim can never vanish.

    Source: design.md D12.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="claims")
    author = models.ForeignKey(Child, models.PROTECT, related_name="claims")
    opening = models.ForeignKey(
        Opening, models.PROTECT, null=True, blank=True, related_name="claims"
    )
    message = models.ForeignKey(
        PeerMessage, models.PROTECT, null=True, blank=True, related_name="claims"
    )
    number = models.PositiveSmallIntegerField()
    quote = models.ForeignKey(Content, models.PROTECT, related_name="+")
    quote_digest = models.CharField(max_length=64)
    evidence = ArrayField(models.CharField(max_length=8))
    lineage = ArrayField(models.CharField(max_length=100))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["root", "number"], name="one claim for each handle of a root"
            ),
            models.CheckConstraint(
                condition=Q(opening__isnull=False, message__isnull=True)
                | Q(opening__isnull=True, message__isnull=False),
                name="a claim quotes one opening or one message",
            ),
        ]

    def __str__(self) -> str:
        return f"C{self.number}"


class ClaimMove(models.Model):
    """What an accepted message did to a claim, with the words that did it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    claim = models.ForeignKey(Claim, models.PROTECT, related_name="moves")
    message = models.ForeignKey(PeerMessage, models.PROTECT, related_name="moves")
    move = models.CharField(max_length=9)
    quote = models.ForeignKey(Content, models.PROTECT, related_name="+")
    quote_digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "message"], name="one move of a claim by each message"
            ),
            models.CheckConstraint(
                condition=Q(move__in=names(MoveKind)), name="a move is of a named kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} {self.move}"


class Disposition(models.Model):
    """Main's disposition of one claim: never a score, never a winner.

    Source: design.md D13.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="dispositions")
    claim = models.ForeignKey(Claim, models.PROTECT, related_name="dispositions")
    request = models.ForeignKey(
        ModelRequest, models.PROTECT, null=True, blank=True, related_name="+"
    )
    report_version = models.PositiveSmallIntegerField(default=1)
    disposition = models.CharField(max_length=10)
    reason = models.ForeignKey(Content, models.PROTECT, null=True, blank=True, related_name="+")
    evidence = ArrayField(models.CharField(max_length=8))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "report_version"],
                name="one disposition for each claim and report",
            ),
            models.CheckConstraint(
                condition=Q(disposition__in=["stands", "revised", "withdrawn", "unresolved"]),
                name="a disposition is of a named kind",
            ),
            models.CheckConstraint(
                condition=Q(request__isnull=False) | Q(disposition="unresolved"),
                name="the host disposes of no claim but as unresolved",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} {self.disposition}"
