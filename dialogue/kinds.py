"""The facts of a dialogue, as receipts name them, and the gaps a report discloses.

Source: design.md D6, D9, D10, D13.
"""

from enum import StrEnum


class DialogueKind(StrEnum):
    """The facts of what executions do together."""

    PAIR_OFFERED = "pair_offered"
    PAIR_FROZEN = "pair_frozen"
    NO_PAIR = "no_pair"
    HALF_ROUND_SPENT = "half_round_spent"
    HALF_ROUND_ENDED = "half_round_ended"
    MESSAGE_ACCEPTED = "message_accepted"
    MESSAGE_DELIVERED = "message_delivered"
    SEND_REFUSED = "send_refused"
    CLAIM_RECORDED = "claim_recorded"
    CLAIM_MOVED = "claim_moved"
    PAIR_ENDED = "pair_ended"
    DECISION_RECORDED = "decision_recorded"
    SYNTHESIS_RECORDED = "synthesis_recorded"
    SYNTHESIS_FAILED = "synthesis_failed"
    GAP_RECORDED = "gap_recorded"
    REPORT_COMPILED = "report_compiled"


class GapCode(StrEnum):
    """What can be missing; the subject of the gap names the row."""

    OUTCOME_UNKNOWN = "outcome_unknown"  # subject: the request
    NO_OPENING = "no_opening"  # subject: the execution
    NO_MESSAGE = "no_message"  # subject: the half-round, which brought none
    SEND_REFUSED = "send_refused"  # subject: the sending act
    NOT_DELIVERED = "not_delivered"  # subject: the message
    DELIVERY_UNKNOWN = "delivery_unknown"  # subject: the message
    NO_DIALOGUE = "no_dialogue"  # one was planned and none took place
    DIALOGUE_CUT_SHORT = "dialogue_cut_short"  # subject: the pair
    NO_SYNTHESIS = "no_synthesis"  # no valid synthesis: every claim is unresolved
    NO_PLAN = "no_plan"  # the host planned
    CONFIGURATION_CHANGED = "configuration_changed"  # subject: what is no longer available
