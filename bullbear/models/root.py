"""A research task: it owns everything below it."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import Group
from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q

from bullbear.budget import Account, Amounts
from bullbear.ids import new_id
from bullbear.lifecycle import ENDED_ROOT, Cause, ResultType, RootState, names


class Root(models.Model):
    """One question with its limits, deadline, language and frozen configuration.

    Source: design.md D2, D4, D17.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    desk = models.ForeignKey(Group, models.PROTECT, related_name="roots")
    requester = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="roots")
    purpose = models.CharField(max_length=200, blank=True)
    external_id = models.CharField(max_length=200, blank=True)
    question = models.ForeignKey("bullbear.Content", models.PROTECT, related_name="+")
    language = models.CharField(max_length=35)
    domain = models.CharField(max_length=50)
    scopes = ArrayField(models.CharField(max_length=100))
    requested = models.JSONField(encoder=DjangoJSONEncoder)
    configuration = models.JSONField(encoder=DjangoJSONEncoder)
    configuration_digest = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    peers_stop_at = models.DateTimeField()
    deadline_at = models.DateTimeField()

    state = models.CharField(max_length=12, default=RootState.OPEN)
    cause = models.CharField(max_length=12, default=Cause.NONE, blank=True)
    result = models.CharField(max_length=12, default=ResultType.NONE, blank=True)
    end_reason = models.CharField(max_length=32, default="", blank=True)

    model_calls_limit = models.PositiveIntegerField()
    model_calls_spent = models.PositiveIntegerField(default=0)
    model_calls_reserved = models.PositiveIntegerField(default=0)
    model_calls_hand_back = models.PositiveIntegerField()
    tokens_limit = models.PositiveBigIntegerField()
    tokens_spent = models.PositiveBigIntegerField(default=0)
    tokens_reserved = models.PositiveBigIntegerField(default=0)
    tokens_hand_back = models.PositiveBigIntegerField()
    tool_calls_limit = models.PositiveIntegerField()
    tool_calls_spent = models.PositiveIntegerField(default=0)
    tool_calls_reserved = models.PositiveIntegerField(default=0)

    receipts_seq = models.PositiveIntegerField(default=0)
    receipts_head = models.BinaryField(max_length=32, default=bytes(32))

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=names(RootState)), name="a root is in a named state"
            ),
            models.CheckConstraint(
                condition=Q(state__in=names(ENDED_ROOT), result__in=["complete", "partial"])
                | (~Q(state__in=names(ENDED_ROOT)) & Q(result="")),
                name="an ended root has a result type and no other has",
            ),
            models.CheckConstraint(
                condition=Q(state=RootState.OPEN, cause="") | ~Q(state=RootState.OPEN),
                name="an open root has no cause of its end",
            ),
            models.CheckConstraint(
                condition=Q(cause="") | Q(cause__in=names(Cause)),
                name="a root ends for a named cause",
            ),
            models.CheckConstraint(
                condition=Q(
                    model_calls_limit__gte=F("model_calls_spent") + F("model_calls_reserved")
                ),
                name="model calls stay within their limit",
            ),
            models.CheckConstraint(
                condition=Q(
                    tool_calls_limit__gte=F("tool_calls_spent") + F("tool_calls_reserved")
                ),
                name="tool calls stay within their limit",
            ),
            models.CheckConstraint(
                condition=Q(deadline_at__gt=F("peers_stop_at"), peers_stop_at__gt=F("created_at")),
                name="peers stop before the deadline",
            ),
        ]
        indexes = [
            models.Index(
                fields=["peers_stop_at"],
                condition=Q(state=RootState.OPEN),
                name="root_peers_stop",
            ),
            models.Index(
                fields=["deadline_at"],
                condition=Q(state__in=names([RootState.OPEN, RootState.FINALIZING])),
                name="root_deadline",
            ),
            models.Index(fields=["desk", "-id"], name="root_of_desk"),
        ]

    def __str__(self) -> str:
        return f"Root {self.id}"

    @property
    def account(self) -> Account:
        """The budget as values the pure rules work on."""
        return Account(
            limit=Amounts(self.model_calls_limit, self.tokens_limit, self.tool_calls_limit),
            spent=Amounts(self.model_calls_spent, self.tokens_spent, self.tool_calls_spent),
            reserved=Amounts(
                self.model_calls_reserved, self.tokens_reserved, self.tool_calls_reserved
            ),
            hand_back=Amounts(self.model_calls_hand_back, self.tokens_hand_back, 0),
        )

    @account.setter
    def account(self, account: Account) -> None:
        spent, reserved, hand_back = account.spent, account.reserved, account.hand_back
        self.model_calls_spent, self.tokens_spent = spent.model_calls, spent.tokens
        self.tool_calls_spent = spent.tool_calls
        self.model_calls_reserved, self.tokens_reserved = reserved.model_calls, reserved.tokens
        self.tool_calls_reserved = reserved.tool_calls
        self.model_calls_hand_back = hand_back.model_calls
        self.tokens_hand_back = hand_back.tokens
