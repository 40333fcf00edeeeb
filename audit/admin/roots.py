"""Roots: the list, and the page that answers what was claimed, challenged, and left open."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from audit.admin.base import ReadOnlyAdmin, at
from audit.admin.filters import OfRoot, by_word
from audit.timeline import timeline
from audit.transcript import load_transcript
from audit.verify import verify_root
from audit.verify.snapshot import one_moment
from audit.viewer import READER, viewer_of
from audit.visible import visible
from bullbear.content import load_text
from bullbear.lifecycle import ResultType, RootState
from bullbear.models import Root
from research.domains.registry import DOMAINS

QUESTION_CHARACTERS = 120


@admin.register(Root)
class RootAdmin(ReadOnlyAdmin):
    """Research tasks."""

    to_root = ""
    list_display = (
        "asked",
        "domain",
        "state",
        "result",
        "ended",
        "desk",
        "requester",
        at("created_at"),
    )
    list_filter = (
        OfRoot,
        by_word("domain", DOMAINS),
        by_word("state", RootState),
        by_word("result", ResultType),
    )
    list_select_related = ("question", "desk", "requester")
    search_fields = ("id", "external_id", "purpose")

    @admin.display(description="question")
    def asked(self, root: Root) -> SafeString:
        """Show how the question begins."""
        return visible(Truncator(load_text(root.question)).chars(QUESTION_CHARACTERS))

    @admin.display(description="end reason", ordering="ended")
    def ended(self, root: Any) -> str:
        """Show why the exchange ended."""
        return root.ended or "–"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        """Add why the exchange ended, wherever that is stored."""
        of_pair = NullIf("pair__end_reason", Value(""))
        rows: QuerySet[Model] = (
            super().get_queryset(request).annotate(ended=Coalesce(of_pair, "end_reason"))
        )
        return rows

    def get_urls(self) -> list[URLPattern]:
        """Add the page that verifies."""
        verify = path(
            "<path:object_id>/verify/",
            self.admin_site.admin_view(self.verify_view),
            name="bullbear_root_verify",
        )
        return [verify, *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> TemplateResponse:
        """Show the Root as one page."""
        viewer = viewer_of(request.user)
        with one_moment(READER):
            root = self.found(request, object_id)
            page, told = load_transcript(root, viewer), timeline(root.pk)
        context = {
            **self._context(request, root, "Research task"),
            "page": page,
            "timeline": told,
        }
        return TemplateResponse(request, "audit/root.html", context)

    def verify_view(self, request: HttpRequest, object_id: str) -> TemplateResponse:
        """Recompute everything from bytes, now, because somebody asked."""
        root = self.found(request, object_id)
        context = {
            **self._context(request, root, "Verification"),
            "verdict": verify_root(root.pk),
            "now": timezone.now(),
        }
        return TemplateResponse(request, "audit/verify.html", context)

    def _context(self, request: HttpRequest, root: Root, title: str) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "root": root,
            "head": bytes(root.receipts_head).hex(),
        }
