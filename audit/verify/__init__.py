"""Verification of a Root in the database; `audit/proof/checks.py` says what is verified.

Source: design.md D18.
"""

from __future__ import annotations

from uuid import UUID

from audit.proof.checks import verify
from audit.proof.verdict import Result, Verdict
from audit.verify.load import UnknownRoot, load_record

__all__ = ["Result", "UnknownRoot", "Verdict", "load_record", "verify", "verify_root"]


def verify_root(root_id: UUID, *, using: str = "audit") -> Verdict:
    """Load the record of a Root and verify it.

    Raises:
        UnknownRoot: there is none of this id.
    """
    return verify(load_record(root_id, using=using))
