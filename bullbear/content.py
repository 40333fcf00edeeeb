"""Keep and load texts and bytes: the one file that reads or writes `Content`.

Source: design.md D4.
"""

from __future__ import annotations

import hashlib
import secrets
import zlib
from collections.abc import Iterable
from uuid import UUID

from django.contrib.auth.models import Group

from bullbear.locks import Held
from bullbear.models import Content

_CODEC = "zlib"
_LEVEL = 6


def keep(held: Held, value: str | bytes) -> Content:
    """Keep a text or bytes of the held Root.

    Raises:
        UnicodeEncodeError: the text holds a lone surrogate; check before.
    """
    raw = value.encode() if isinstance(value, str) else value
    content = held.add(_content(raw, root_id=held.root.pk))
    held.kept[content.pk] = raw
    return content


def keep_for_desk(desk: Group, value: str | bytes) -> Content:
    """Make the content of a desk's source; the caller saves it in his transaction."""
    return _content(value.encode() if isinstance(value, str) else value, desk=desk)


def _content(raw: bytes, *, root_id: UUID | None = None, desk: Group | None = None) -> Content:
    return Content(
        root_id=root_id,
        desk=desk,
        codec=_CODEC,
        payload=zlib.compress(raw, _LEVEL),
        size_bytes=len(raw),
        salt=secrets.token_bytes(16),
    )


def load_bytes(content: Content) -> bytes:
    """Return the bytes of a content.

    Raises:
        ValueError: it was written with a codec that this version does not know.
    """
    if content.codec != _CODEC:
        raise ValueError(f"content {content.pk} has the unknown codec {content.codec!r}")
    return zlib.decompress(bytes(content.payload))


def load_text(content: Content) -> str:
    """Return the text of a content."""
    return load_bytes(content).decode()


def load_all(ids: Iterable[UUID], *, using: str = "default") -> dict[UUID, bytes]:
    """Load many contents with one query."""
    wanted = set(ids)
    if not wanted:
        return {}
    rows = Content.objects.using(using).filter(pk__in=wanted)
    return {row.pk: load_bytes(row) for row in rows}


def held_contents(held: Held, ids: Iterable[UUID]) -> dict[UUID, bytes]:
    """Load contents of the held Root, those of the open transaction included, with one query at most.

    A content never changes: what this transaction has loaded once, it has.
    """
    wanted = set(ids)
    held.kept.update(load_all(wanted - held.kept.keys()))
    return {key: held.kept[key] for key in wanted if key in held.kept}


def salted_digest(content: Content) -> str:
    """Return the digest by which facts name a content: salted, so that a short text cannot be guessed."""
    return salted(bytes(content.salt), load_bytes(content))


def salted(salt: bytes, raw: bytes) -> str:
    """Return SHA-256 of salt and bytes, in hex."""
    return hashlib.sha256(salt + raw).hexdigest()
