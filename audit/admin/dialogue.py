"""The rows of what executions do together."""

from __future__ import annotations

from django.contrib import admin

from audit.admin.base import ReadOnlyAdmin, at, handle, request_link, role, root_link
from audit.admin.filters import OfMessage, by_word
from dialogue.answers import DispositionKind
from dialogue.kinds import GapCode
from dialogue.models import (
    Claim,
    ClaimMove,
    Decision,
    Disposition,
    Gap,
    HalfRound,
    Pair,
    PairOffer,
    PeerMessage,
    Report,
)
from dialogue.rules import DecisionKind, EndReason, MessageKind, MoveKind, SlotKind, SlotOutcome


@admin.register(PairOffer)
class PairOfferAdmin(ReadOnlyAdmin):
    """Who proposed the pair."""

    list_display = ("id", role, root_link)
    list_select_related = ("child",)


@admin.register(Pair)
class PairAdmin(ReadOnlyAdmin):
    """Frozen pairs and why they ended."""

    list_display = ("id", "max_rounds", "opening_order", at("frozen_at"), "end_reason", root_link)
    list_filter = (by_word("end_reason", EndReason),)


@admin.register(HalfRound)
class HalfRoundAdmin(ReadOnlyAdmin):
    """Slots and what came of them."""

    to_root = "pair__root"
    list_display = ("round", "kind", role, "outcome", "attempts", "pair")
    list_filter = (by_word("outcome", SlotOutcome), by_word("kind", SlotKind))
    list_select_related = ("child", "pair")
    search_fields = ("id", "pair__id", "pair__root__id")


@admin.register(PeerMessage)
class PeerMessageAdmin(ReadOnlyAdmin):
    """Accepted messages."""

    list_display = (
        handle("M"),
        "kind",
        "from_role",
        "to_role",
        at("accepted_at"),
        "act",
        request_link,
        root_link,
    )
    list_filter = (OfMessage, by_word("kind", MessageKind))
    list_select_related = ("sender", "recipient")
    search_fields = ("id", "act", "root__id")

    @admin.display(description="from", ordering="sender__role")
    def from_role(self, message: PeerMessage) -> str:
        """Name the sender's role."""
        return message.sender.role

    @admin.display(description="to", ordering="recipient__role")
    def to_role(self, message: PeerMessage) -> str:
        """Name the recipient's role."""
        return message.recipient.role


@admin.register(Claim)
class ClaimAdmin(ReadOnlyAdmin):
    """The claim register."""

    list_display = (handle("C"), "author_role", "evidence", root_link)
    list_select_related = ("author",)

    @admin.display(description="author", ordering="author__role")
    def author_role(self, claim: Claim) -> str:
        """Name the author's role."""
        return claim.author.role


@admin.register(ClaimMove)
class ClaimMoveAdmin(ReadOnlyAdmin):
    """What messages did to claims."""

    to_root = "claim__root"
    list_display = ("id", "claim", "move", "message")
    list_filter = (by_word("move", MoveKind),)
    list_select_related = ("claim", "message")
    search_fields = ("id", "claim__id", "message__id", "claim__root__id")


@admin.register(Disposition)
class DispositionAdmin(ReadOnlyAdmin):
    """What Main made of each claim."""

    list_display = ("id", "claim", "disposition", "report_version", request_link, root_link)
    list_filter = (by_word("disposition", DispositionKind),)
    list_select_related = ("claim",)


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    """What operators decided about unknown outcomes."""

    list_display = ("kind", "request", "decided_by", at("decided_at"), root_link)
    list_filter = (by_word("kind", DecisionKind),)
    list_select_related = ("request", "decided_by")
    search_fields = ("id", "request__id", "root__id")


@admin.register(Gap)
class GapAdmin(ReadOnlyAdmin):
    """What is missing."""

    list_display = ("code", role, "subject", at("recorded_at"), root_link)
    list_filter = (by_word("code", GapCode),)
    list_select_related = ("child",)
    search_fields = ("id", "subject", "root__id")


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    """Report versions by digest."""

    list_display = ("id", "version", at("compiled_at"), "document_sha256", root_link)
