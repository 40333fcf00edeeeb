"""The exact bytes of a model call, what is known of its outcome, and what stands where in it."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from bullbear.ids import new_id
from bullbear.lifecycle import RequestState, names


class ModelRequest(models.Model):
    """One sealed model call.

    `body`, `act`, lineage and endpoint never change; the response is written once; a final state stays:
    a trigger holds all three.

    Source: design.md D4, D5, D8.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey("bullbear.Root", models.PROTECT, related_name="requests")
    child = models.ForeignKey("bullbear.Child", models.PROTECT, related_name="requests")
    act = models.CharField(max_length=100, unique=True)
    purpose = models.CharField(max_length=20)
    turn = models.PositiveSmallIntegerField()
    attempt = models.PositiveSmallIntegerField()
    n = models.PositiveSmallIntegerField()
    body = models.ForeignKey("bullbear.Content", models.PROTECT, related_name="+")
    body_sha256 = models.CharField(max_length=64)
    scheme = models.CharField(max_length=5)
    host = models.CharField(max_length=255)
    port = models.PositiveIntegerField()
    path = models.CharField(max_length=255)
    header_names = ArrayField(models.CharField(max_length=64))
    lineage = ArrayField(models.CharField(max_length=100))
    requested_model = models.CharField(max_length=100)
    reserved_tokens = models.PositiveIntegerField()
    reserved_tool_calls = models.PositiveSmallIntegerField(default=0)
    sealed_at = models.DateTimeField()
    repeats = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="repeated_by"
    )  # the request of unknown outcome whose bytes these are

    state = models.CharField(max_length=16, default=RequestState.SEALED)
    outcome_class = models.CharField(max_length=40, default="", blank=True)
    status_code = models.PositiveSmallIntegerField(null=True, blank=True)
    response = models.ForeignKey(
        "bullbear.Content", models.PROTECT, null=True, blank=True, related_name="+"
    )
    response_sha256 = models.CharField(max_length=64, default="", blank=True)
    served_model = models.CharField(max_length=100, default="", blank=True)
    provider_request_id = models.CharField(max_length=100, default="", blank=True)
    finish_reason = models.CharField(max_length=32, default="", blank=True)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    call_ms = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=names(RequestState)), name="a request is in a named state"
            ),
            models.UniqueConstraint(
                fields=["child"],
                condition=Q(state=RequestState.SEALED),
                name="one live request for each execution",
            ),
            models.UniqueConstraint(
                fields=["child", "turn", "attempt", "n"],
                name="one request for each place in a turn",
            ),
            models.CheckConstraint(
                condition=Q(state=RequestState.SEALED, outcome_class="")
                | (~Q(state=RequestState.SEALED) & ~Q(outcome_class="")),
                name="an outcome has a class and a sealed request has none",
            ),
            models.CheckConstraint(
                condition=~Q(state=RequestState.ANSWERED) | Q(response__isnull=False),
                name="an answered request has its response",
            ),
        ]
        indexes = [models.Index(fields=["root", "id"], name="request_of_root")]

    def __str__(self) -> str:
        return f"{self.purpose} {self.act}"


class RequestPart(models.Model):
    """What stands where in a body: delivery and exposure are read off this table.

    The slice `byte_start:byte_end` is the JSON string content of the record's text.

    Source: design.md D4.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    request = models.ForeignKey(ModelRequest, models.PROTECT, related_name="parts")
    ordinal = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=24)
    record = models.CharField(max_length=100)
    byte_start = models.PositiveIntegerField()
    byte_end = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    lineage = ArrayField(models.CharField(max_length=100))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["request", "ordinal"], name="one part for each place in a request"
            ),
            models.CheckConstraint(
                condition=Q(byte_end__gte=F("byte_start")), name="a part ends after its start"
            ),
        ]
        indexes = [models.Index(fields=["kind", "record"], name="part_of_record")]

    def __str__(self) -> str:
        return f"{self.kind} {self.record}"
