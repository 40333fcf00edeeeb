"""Verification: everything on record of a Root, recomputed from its bytes.

    verify_root(root_id)     load the record and verify it
    verify(record)           pure: shares nothing with the writers but the canonicaliser

Read `checks.py` for what is verified, in order.

Source: design.md D18.
"""

from __future__ import annotations

from uuid import UUID

from audit.verify.checks import verify
from audit.verify.load import UnknownRoot, load_record
from audit.verify.verdict import Result, Verdict

__all__ = ["Result", "UnknownRoot", "Verdict", "load_record", "verify", "verify_root"]


def verify_root(root_id: UUID, *, using: str = "audit") -> Verdict:
    """Load the record of a Root and verify it.

    Raises:
        UnknownRoot: there is none of this id.
    """
    return verify(load_record(root_id, using=using))
