"""The frozen pair, its half-rounds and the messages that were accepted in them."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from bullbear.ids import new_id
from bullbear.lifecycle import names
from bullbear.models import Child, Content, ModelRequest, Root
from dialogue.rules import EndReason, MessageKind, SlotKind, SlotOutcome


class PairOffer(models.Model):
    """The first child whose opening was accepted proposes a pair and parks.

    Source: design.md D9.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.OneToOneField(Root, models.PROTECT, related_name="pair_offer")
    child = models.OneToOneField(Child, models.PROTECT, related_name="pair_offer")

    def __str__(self) -> str:
        return f"offer of {self.child_id}"


class Pair(models.Model):
    """Bull and Bear of one Root, frozen; the recipient follows from it.

    All but `end_reason` never changes, and that is written once: a trigger holds both.  Another trigger
    holds that both executions are of this Root and have these roles.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.OneToOneField(Root, models.PROTECT, related_name="pair")
    bull = models.OneToOneField(Child, models.PROTECT, related_name="pair_as_bull")
    bear = models.OneToOneField(Child, models.PROTECT, related_name="pair_as_bear")
    bull_authorization_digest = models.CharField(max_length=64)
    bear_authorization_digest = models.CharField(max_length=64)
    max_rounds = models.PositiveSmallIntegerField()
    opening_order = models.CharField(max_length=11)
    frozen_at = models.DateTimeField()
    end_reason = models.CharField(max_length=32, default="", blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(bull=F("bear")), name="a pair is of two different executions"
            ),
            models.CheckConstraint(
                condition=Q(end_reason="") | Q(end_reason__in=names(EndReason)),
                name="a pair ends for a named reason",
            ),
            models.CheckConstraint(
                condition=Q(max_rounds__gte=1, max_rounds__lte=9),
                name="a pair has a bounded number of rounds",
            ),
        ]

    def __str__(self) -> str:
        return f"Pair {self.id}"


class HalfRound(models.Model):
    """A slot of a round: spent with its first seal, never given back.

    Source: design.md D10.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    pair = models.ForeignKey(Pair, models.PROTECT, related_name="half_rounds")
    round = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=9)
    child = models.ForeignKey(Child, models.PROTECT, related_name="half_rounds")
    first_request = models.OneToOneField(ModelRequest, models.PROTECT, related_name="half_round")
    attempts = models.PositiveSmallIntegerField(default=1)
    outcome = models.CharField(max_length=8, default=SlotOutcome.SPENT)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pair", "round", "kind"], name="one half-round of each kind in a round"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=names(SlotKind)), name="a half-round is of a named kind"
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=names(SlotOutcome)),
                name="a half-round has a named outcome",
            ),
            models.CheckConstraint(condition=Q(round__gte=1), name="rounds are counted from one"),
        ]

    def __str__(self) -> str:
        return f"round {self.round} {self.kind}"


class PeerMessage(models.Model):
    """An accepted challenge, proposition or response; `number` makes its handle, `M2`.

    Source: design.md D4, D6.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey(Root, models.PROTECT, related_name="messages")
    pair = models.ForeignKey(Pair, models.PROTECT, related_name="messages")
    half_round = models.OneToOneField(HalfRound, models.PROTECT, related_name="message")
    sender = models.ForeignKey(Child, models.PROTECT, related_name="messages_accepted")
    recipient = models.ForeignKey(Child, models.PROTECT, related_name="messages_addressed")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=11)
    reply_to = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="reply"
    )
    text = models.ForeignKey(Content, models.PROTECT, related_name="+")
    text_digest = models.CharField(max_length=64)
    field = models.CharField(max_length=32)
    about = ArrayField(models.CharField(max_length=8))  # handles of claims
    evidence = ArrayField(models.CharField(max_length=8))
    lineage = ArrayField(models.CharField(max_length=100))
    act = models.CharField(max_length=100, unique=True)
    request = models.ForeignKey(ModelRequest, models.PROTECT, related_name="messages")
    saw = ArrayField(models.UUIDField())
    accepted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["root", "number"], name="one message for each handle of a root"
            ),
            models.CheckConstraint(
                condition=~Q(sender=F("recipient")), name="nobody sends to himself"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=names(MessageKind)), name="a message is of a named kind"
            ),
            models.CheckConstraint(
                condition=Q(kind=MessageKind.RESPONSE, reply_to__isnull=False)
                | (~Q(kind=MessageKind.RESPONSE) & Q(reply_to__isnull=True)),
                name="a response and nothing else replies",
            ),
        ]

    def __str__(self) -> str:
        return f"M{self.number}"
