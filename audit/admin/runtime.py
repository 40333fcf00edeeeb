"""The rows of the runtime: executions, contents, parts, receipts, work that is owed."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Exists, Model, OuterRef, Q, TextField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from audit.admin.base import ReadOnlyAdmin, at, link, request_link, role, root_link, short
from audit.admin.filters import by_word
from audit.viewer import Viewer
from bullbear.lifecycle import ChildState, Role
from bullbear.models import Child, Content, OutboxEntry, Receipt, RequestPart, Timer, Worker
from bullbear.models.receipt import Chain
from bullbear.receipts import RuntimeKind
from dialogue.kinds import DialogueKind
from research.kinds import PartKind, ResearchKind
from research.models import ParseReport, Source


@admin.register(Child)
class ChildAdmin(ReadOnlyAdmin):
    """Executions."""

    list_display = ("id", "role", "state", "end_reason", "wakes", "rescues", root_link)
    list_filter = (by_word("state", ChildState), by_word("role", Role))


@admin.register(RequestPart)
class RequestPartAdmin(ReadOnlyAdmin):
    """What stands where in the bodies."""

    to_root = "request__root"
    list_display = ("ordinal", "kind", "record", "byte_start", "byte_end", "sha256", request_link)
    list_filter = (by_word("kind", PartKind),)
    search_fields = ("id", "record", "request__id", "request__act")


@admin.register(Content)
class ContentAdmin(ReadOnlyAdmin):
    """Contents by size only: texts are read where they belong, with their lineage."""

    list_display = ("id", "size_bytes", "codec", "whose")
    list_select_related = ("desk",)

    @admin.display(description="of")
    def whose(self, content: Content) -> SafeString | str:
        """Link to the Root, or name the desk."""
        return root_link(content) if content.root_id else f"desk {content.desk}"

    def readable(self, viewer: Viewer) -> Q:
        """A desk's content is a source's."""
        sources = Source.objects.filter(viewer.sources())
        readings = ParseReport.objects.filter(source__in=sources, reading=OuterRef("pk"))
        of_source = Q(raw=OuterRef("pk")) | Q(title=OuterRef("pk"))
        return Q(viewer.roots("root") | Q(Exists(sources.filter(of_source))) | Q(Exists(readings)))


@admin.register(Receipt)
class ReceiptAdmin(ReadOnlyAdmin):
    """The chain, link by link."""

    list_display = ("seq", "kind", at("recorded_at"), "act", role, "link_digest", root_link)
    list_filter = (
        by_word("kind", [*RuntimeKind, *ResearchKind, *DialogueKind]),
        by_word("chain", list(Chain)),
    )
    list_select_related = ("child",)
    search_fields = ("id", "act", "subject", "root__id")
    ordering = ("-root", "chain", "seq")

    @admin.display(description="digest")
    def link_digest(self, receipt: Receipt) -> str:
        """Show the digest as hex."""
        return bytes(receipt.digest).hex()

    @admin.display(description="previous digest")
    def previous_digest(self, receipt: Receipt) -> str:
        """Show the predecessor's digest as hex."""
        return bytes(receipt.previous).hex()

    @admin.display(description="body")
    def canonical_body(self, receipt: Receipt) -> SafeString:
        """Show the canonical bytes: ids, enums and digests, never texts."""
        return format_html('<code class="bb-bytes">{}</code>', bytes(receipt.body).decode())

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        """Show the bytes of the chain too."""
        shown = ["canonical_body", "previous_digest", "link_digest"]
        return [*super().get_readonly_fields(request, obj), *shown]


@admin.register(OutboxEntry)
class OutboxEntryAdmin(ReadOnlyAdmin):
    """Work that is owed."""

    list_display = ("dedupe_key", "task", "cause", at("created_at"), "attempts", at("offer_at"))
    search_fields = ("id", "dedupe_key")

    def readable(self, viewer: Viewer) -> Q:
        """An entry belongs to the Root of its execution."""
        own = Child.objects.filter(viewer.roots("root")).annotate(key=Cast("pk", TextField()))
        return Q(Exists(own.filter(key=KeyTextTransform("execution_id", OuterRef("keys")))))


@admin.register(Timer)
class TimerAdmin(ReadOnlyAdmin):
    """When executions look again."""

    to_root = "child__root"
    list_display = ("cause", at("fires_at"), role, "execution")
    list_select_related = ("child",)
    search_fields = ("id", "child__id", "child__root__id")

    @admin.display(description="execution")
    def execution(self, timer: Timer) -> SafeString | str:
        """Link to the execution."""
        return link("bullbear_child", timer.child_id, short(timer.child_id))


@admin.register(Worker)
class WorkerAdmin(ReadOnlyAdmin):
    """Worker processes: of no Root, so every member of the staff sees them."""

    list_display = ("name", at("started_at"), at("alive_until"))
    search_fields = ("id", "name")

    def readable(self, viewer: Viewer) -> Q:
        """They name hosts and times, nothing of any research."""
        return Q()
