"""The read-only base of every admin class, and its columns and links.

Source: design.md D19: read-only by permission; rows by desk and scope, and nobody is exempt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import BinaryField, Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from audit.viewer import READER, Viewer, viewer_of

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Model]
else:
    ModelAdmin = admin.ModelAdmin

SAFE_METHODS = frozenset({"GET", "HEAD"})


class ReadOnlyAdmin(ModelAdmin):
    """Shows what the viewer's desks and scopes cover, and changes nothing.

    A subclass names the lookup from its rows to their Root; rows that belong to none override `readable`.
    """

    to_root = "root"
    actions = None
    list_per_page = 50
    list_max_show_all = 200
    show_full_result_count = False
    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    search_fields: ClassVar[tuple[str, ...]] = ("id", "root__id")
    change_form_template = "audit/row.html"

    def readable(self, viewer: Viewer) -> Q:
        """Say which rows a viewer may read."""
        return viewer.roots(self.to_root)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        """Read through the role that can only read, and only what the viewer may."""
        rows = super().get_queryset(request).using(READER)
        return rows.filter(self.readable(viewer_of(request.user)))

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        """Show every column but raw bytes."""
        columns = self.opts.concrete_fields
        return [one.name for one in columns if not isinstance(one, BinaryField)]

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        """Show what can be read, in the order of the model."""
        return self.get_readonly_fields(request, obj)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let staff look, and nothing but look."""
        return request.user.is_active and request.method in SAFE_METHODS

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the index to whoever may look."""
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Add nothing."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Change nothing."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Delete nothing."""
        return False

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show one row; one that the viewer may not read is not there."""
        self.found(request, object_id)
        return super().change_view(request, object_id, form_url, extra_context)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Head the list with what it lists."""
        title = {"title": capfirst(str(self.opts.verbose_name_plural))}
        return super().changelist_view(request, {**(extra_context or {}), **title})

    def found(self, request: HttpRequest, object_id: str) -> Any:
        """Return the row of a page.

        Raises:
            PermissionDenied: the request is not one that only looks.
            Http404: there is no such row that the viewer may read.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        return row


def short(identity: UUID) -> str:
    """Abbreviate an id to its last group, which search finds too."""
    return str(identity)[-12:]


def link(page: str, identity: UUID | None, text: str) -> SafeString | str:
    """Link to the page of a row, such as `bullbear_child`."""
    if identity is None:
        return "–"
    return format_html(
        '<a href="{}">{}</a>', reverse(f"admin:{page}_change", args=[identity]), text
    )


@admin.display(description="Root", ordering="root")
def root_link(row: Any) -> SafeString | str:
    """Link to the Root's page."""
    return link("bullbear_root", row.root_id, short(row.root_id))


@admin.display(description="by", ordering="child__role")
def role(row: Any) -> str:
    """Name the role of the row's execution."""
    return str(row.child.role) if row.child_id else "host"


@admin.display(description="request")
def request_link(row: Any) -> SafeString | str:
    """Link to what the model saw."""
    return link("bullbear_modelrequest", row.request_id, "what the model saw")


def at(column: str) -> Any:
    """Make the column of a time: UTC, to the second, in an order that sorts."""
    words = column.removesuffix("_at").replace("_", " ")

    @admin.display(description=f"{words} (UTC)", ordering=column)
    def shown(row: Any) -> str:
        return f"{getattr(row, column):%Y-%m-%d %H:%M:%S}"

    return shown


def handle(letter: str) -> Any:
    """Make the column of a handle, such as `M2`."""

    @admin.display(description="handle", ordering="number")
    def column(row: Any) -> str:
        return f"{letter}{row.number}"

    return column
