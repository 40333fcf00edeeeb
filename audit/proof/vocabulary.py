"""The words that verification knows; a record that uses another one cannot be checked by this version.

They are written out here and not imported from the packages that write them: a tool that proves what others
wrote shares nothing with them but the canonicaliser.  A test holds that no word is missing.

Source: design.md D5, D10, D12, D18.
"""

from __future__ import annotations

from collections.abc import Mapping

RECEIPT_VERSION = 1
CONFIGURATION_VERSION = 1
CODECS = frozenset({"zlib"})

RECEIPT_KINDS = frozenset(
    {
        "root_created",
        "child_created",
        "child_woken",
        "child_parked",
        "child_ended",
        "child_rescued",
        "request_sealed",
        "request_answered",
        "request_rejected",
        "request_outcome_unknown",
        "late_answer",
        "timer_set",
        "timer_fired",
        "deadline_passed",
        "root_finalizing",
        "root_ended",
        "source_admitted",
        "plan_recorded",
        "tool_called",
        "opening_accepted",
        "finding_recorded",
        "release_recorded",
        "release_withdrawn",
        "pair_offered",
        "pair_frozen",
        "no_pair",
        "half_round_spent",
        "half_round_ended",
        "message_accepted",
        "message_delivered",
        "send_refused",
        "claim_recorded",
        "claim_moved",
        "pair_ended",
        "decision_recorded",
        "synthesis_recorded",
        "synthesis_failed",
        "gap_recorded",
        "report_compiled",
    }
)
# These state what happened to a row that says no more of it than its counters and states do.
WITHOUT_A_ROW = frozenset(
    {
        "child_woken",
        "child_parked",
        "child_rescued",
        "late_answer",
        "timer_fired",
        "deadline_passed",
        "synthesis_failed",
    }
)
PART_KINDS = frozenset(
    {
        "prompt",
        "question",
        "opening",
        "opening_line",
        "tool_result",
        "tool_arguments",
        "message",
        "claim_quote",
        "finding",
    }
)

OUTCOME_KINDS: Mapping[str, str] = {  # request state → its receipt
    "answered": "request_answered",
    "rejected": "request_rejected",
    "outcome_unknown": "request_outcome_unknown",
}
ENDED_CHILD = frozenset({"finished", "failed", "stopped"})
ENDED_ROOT = frozenset({"finished", "cancelled", "expired"})

# Whose half-round it is, and which messages and moves it can bring.
SPEAKER: Mapping[str, str] = {"challenge": "bear", "response": "bull"}
MESSAGES_OF: Mapping[str, frozenset[str]] = {
    "challenge": frozenset({"challenge", "proposition"}),
    "response": frozenset({"response"}),
}
ACT_NEEDED: Mapping[str, str] = {
    "challenge": "challenge",
    "proposition": "proposition",
    "response": "respond",
}
MOVE_OF_ACTION: Mapping[str, str] = {
    "defend": "defended",
    "revise": "revised",
    "concede": "conceded",
}
OVER_AND_NEXT_ROUND = frozenset({"accepted", "refused", "invalid", "unused", "unknown"})

# What a verified answer is worth, as a request's outcome class.
VALID = "valid"
WITH_TOOL_CALLS = "tool_calls"
WITH_REFUSED_SEND = "refused_send"

UNTRUSTED = "untrusted"
