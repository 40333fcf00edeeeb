"""Time-ordered ids for new rows."""

from uuid import UUID

import uuid_utils.compat


def new_id() -> UUID:
    """Return a fresh UUIDv7.

    Source: RFC 9562, section 5.7.
    """
    return uuid_utils.compat.uuid7()
