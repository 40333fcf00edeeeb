"""The rows of research: sources, plans, openings, findings, tool calls, grants."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model, Q
from django.http import HttpRequest
from django.utils.safestring import SafeString

from audit.admin.base import ReadOnlyAdmin, at, handle, link, request_link, role, root_link
from audit.admin.filters import by_word
from audit.viewer import Viewer
from audit.visible import visible
from bullbear.content import load_text
from research.answers import Pattern
from research.models import (
    Finding,
    Opening,
    ParseReport,
    Plan,
    Release,
    RootSource,
    ScopeGrant,
    Source,
    ToolCall,
)


@admin.register(Source)
class SourceAdmin(ReadOnlyAdmin):
    """Sources of the viewer's desks, of scopes that he holds."""

    list_display = ("name", "scope", "desk", "added_by", at("added_at"), "raw_sha256")
    list_select_related = ("title", "desk", "added_by")
    search_fields = ("id", "scope", "raw_sha256")

    @admin.display(description="title")
    def name(self, source: Source) -> SafeString:
        """Show the title."""
        return visible(load_text(source.title))

    def readable(self, viewer: Viewer) -> Q:
        """A source has a desk and a scope of its own."""
        return viewer.sources()


@admin.register(ParseReport)
class ParseReportAdmin(ReadOnlyAdmin):
    """What readers made of sources."""

    list_display = ("kind", "reader", "as_of", "domain", "counts", "of")
    search_fields = ("id", "source__id")

    @admin.display(description="source")
    def of(self, report: ParseReport) -> SafeString | str:
        """Link to the source."""
        return link("research_source", report.source_id, "source")

    def readable(self, viewer: Viewer) -> Q:
        """It says what its source says."""
        return viewer.sources("source")


@admin.register(RootSource)
class RootSourceAdmin(ReadOnlyAdmin):
    """Evidence snapshots."""

    list_display = (handle("S"), "of", root_link)
    search_fields = ("id", "root__id", "source__id")

    @admin.display(description="source")
    def of(self, used: RootSource) -> SafeString | str:
        """Link to the source."""
        return link("research_source", used.source_id, "source")


@admin.register(ScopeGrant)
class ScopeGrantAdmin(ReadOnlyAdmin):
    """Grants of the scopes that the viewer holds himself."""

    list_display = ("scope", "user", "group")
    list_select_related = ("user", "group")
    search_fields = ("scope", "user__username", "group__name")

    def readable(self, viewer: Viewer) -> Q:
        """A scope's name can tell a client: who does not hold it does not read it."""
        return Q(scope__in=sorted(viewer.scopes))


@admin.register(Plan)
class PlanAdmin(ReadOnlyAdmin):
    """Which pattern a Root got, and who decided."""

    list_display = ("pattern", "decided_by", "wished", "proposed", request_link, root_link)
    list_filter = (by_word("pattern", Pattern),)


@admin.register(Opening)
class OpeningAdmin(ReadOnlyAdmin):
    """Openings."""

    list_display = ("id", role, request_link, root_link)
    list_select_related = ("child",)
    search_fields = ("id", "root__id", "child__id")


@admin.register(Finding)
class FindingAdmin(ReadOnlyAdmin):
    """What only Main was given, texts of refused sends among it."""

    list_display = (handle("F"), "kind", "reason", "act", role, request_link, root_link)
    list_select_related = ("child",)
    search_fields = ("id", "act", "root__id")


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    """What was released to readers without the scope, and withdrawn."""

    list_display = (
        "id",
        "source",
        "tool_call",
        "withdraws",
        "released_by",
        at("released_at"),
        root_link,
    )
    search_fields = ("id", "root__id", "released_by__username")


@admin.register(ToolCall)
class ToolCallAdmin(ReadOnlyAdmin):
    """Tool calls and refusals."""

    list_display = (
        handle("T"),
        "tool",
        "version",
        "refusal",
        "act",
        role,
        request_link,
        root_link,
    )
    list_select_related = ("child",)
    search_fields = ("id", "act", "refusal", "root__id")

    @admin.display(description="tool", ordering="name")
    def tool(self, call: ToolCall) -> str:
        """Name the tool; a name that is no tool's is a model's word, with a lineage."""
        return call.name if call.version else "no such tool"

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        """Show the tool in the place of the name that was asked for."""
        fields = super().get_readonly_fields(request, obj)
        return ["tool" if name == "name" else name for name in fields]
