"""Addresses of the admin, and counting of its queries."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol

from django.contrib import admin
from django.db import connections
from django.db.models import Model
from django.test.utils import CaptureQueriesContext
from django.urls import reverse


class Page(Protocol):
    """A page as the test client returns it."""

    content: bytes


OURS = {
    model: site
    for model, site in admin.site._registry.items()
    if model._meta.app_label in {"bullbear", "research", "dialogue"}
}


def list_url(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_changelist")


def row_url(row: Model) -> str:
    return reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_change", args=[row.pk])


def verify_url(row: Model) -> str:
    return reverse("admin:bullbear_root_verify", args=[row.pk])


def shown(page: Page) -> str:
    """Return a page's HTML."""
    return page.content.decode()


def words(page: Page) -> str:
    """Return a page's words as a reader sees them, white space collapsed."""
    text = html.unescape(re.sub(r"<[^>]+>", " ", shown(page)))
    return re.sub(r"\s+", " ", text)


class Count:
    """How many queries ran."""

    number = 0


@contextmanager
def counted() -> Iterator[Count]:
    """Count the queries of all roles."""
    count = Count()
    with ExitStack() as stack:
        captured = [
            stack.enter_context(CaptureQueriesContext(connections[alias]))
            for alias in ("default", "audit")
        ]
        yield count
        count.number = sum(len(one) for one in captured)


def marks(page: Page) -> list[str]:
    """Return the words of all marks in the order of the page."""
    found = re.findall(r'<li class="bb-mark[^>]*>(.*?)</li>', shown(page), re.DOTALL)
    return [one for mark in found for one in re.findall(r"<strong>(.*?)</strong>", mark)[:1]]
