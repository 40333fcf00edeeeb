"""Model calls: the list, and the page that shows what a model saw."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse

from audit.admin.base import ReadOnlyAdmin, at, role, root_link
from audit.admin.filters import OfRequest, by_word
from audit.exposure import load_exposure
from audit.sentences import NOT_A_LANGUAGE_MODEL
from audit.viewer import viewer_of
from bullbear.lifecycle import RequestState
from bullbear.models import ModelRequest
from bullbear.outcomes import OutcomeClass
from research.rules import AnswerClass, Purpose


@admin.register(ModelRequest)
class ModelRequestAdmin(ReadOnlyAdmin):
    """Sealed bytes and what is known of their outcome."""

    list_display = (
        "act",
        role,
        "purpose",
        "state",
        "outcome_class",
        "requested_model",
        "served_model",
        at("sealed_at"),
        root_link,
    )
    list_filter = (
        by_word("state", RequestState),
        OfRequest,
        by_word("purpose", Purpose),
        by_word("outcome_class", [*OutcomeClass, *AnswerClass]),
    )
    list_select_related = ("child",)
    search_fields = ("id", "act", "provider_request_id", "root__id")

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> TemplateResponse:
        """Show the bytes a model saw, each part beside its canonical record."""
        row = self.found(request, object_id)
        context = {
            **self.admin_site.each_context(request),
            "title": f"What the model saw: {row.child.role.title()}, {row.purpose}",
            "opts": self.opts,
            "row": row,
            "model_note": NOT_A_LANGUAGE_MODEL.get(row.served_model or row.requested_model, ""),
            "page": load_exposure(row, viewer_of(request.user)),
        }
        return TemplateResponse(request, "audit/request.html", context)
