"""The rows of what executions do together."""

from dialogue.models.claim import Claim, ClaimMove, Disposition
from dialogue.models.decision import Decision
from dialogue.models.pair import HalfRound, Pair, PairOffer, PeerMessage
from dialogue.models.report import Gap, Report

__all__ = [
    "Claim",
    "ClaimMove",
    "Decision",
    "Disposition",
    "Gap",
    "HalfRound",
    "Pair",
    "PairOffer",
    "PeerMessage",
    "Report",
]
