"""An execution: its own context, role and authorization."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from bullbear.ids import new_id
from bullbear.lifecycle import ENDED_CHILD, ChildState, Role, names


class Child(models.Model):
    """A row of work; its id is its issued task identity.

    A lease is the three columns `worker`, `lease_token` and `hard_end_at`: set while RUNNING, empty
    otherwise.  It holds while the worker is alive and the hard end is not passed.

    Source: design.md D2, D4, D7 (Note [Leases]).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    root = models.ForeignKey("bullbear.Root", models.PROTECT, related_name="children")
    role = models.CharField(max_length=10)
    authorization = models.JSONField()
    authorization_digest = models.CharField(max_length=64)
    created_at = models.DateTimeField()

    state = models.CharField(max_length=8, default=ChildState.READY)
    wakes = models.PositiveIntegerField(default=0)
    rescues = models.PositiveSmallIntegerField(default=0)
    worker = models.ForeignKey(
        "bullbear.Worker", models.PROTECT, null=True, blank=True, related_name="leases"
    )
    lease_token = models.UUIDField(null=True, blank=True)
    hard_end_at = models.DateTimeField(null=True, blank=True)
    end_reason = models.CharField(max_length=32, default="", blank=True)

    class Meta:
        verbose_name = "execution"
        verbose_name_plural = "executions"
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=names(ChildState)), name="an execution is in a named state"
            ),
            models.CheckConstraint(
                condition=Q(role__in=names(Role)), name="an execution has a named role"
            ),
            models.CheckConstraint(
                condition=Q(
                    state=ChildState.RUNNING,
                    worker__isnull=False,
                    lease_token__isnull=False,
                    hard_end_at__isnull=False,
                )
                | (
                    ~Q(state=ChildState.RUNNING)
                    & Q(
                        worker__isnull=True,
                        lease_token__isnull=True,
                        hard_end_at__isnull=True,
                    )
                ),
                name="a running execution and no other holds a lease",
            ),
            models.CheckConstraint(
                condition=Q(state__in=names(ENDED_CHILD)) | Q(end_reason=""),
                name="only an ended execution has an end reason",
            ),
            models.UniqueConstraint(
                fields=["root", "role"],
                condition=~Q(role=Role.RESEARCHER),
                name="one execution of each role in a root",
            ),
        ]
        indexes = [
            models.Index(
                fields=["worker"], condition=Q(state=ChildState.RUNNING), name="child_running"
            ),
            models.Index(fields=["root"], name="child_of_root"),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.id}"
