"""Why a call ended as it did, as clauses: one for each class of an outcome or an answer.

Source: design.md D5; research/rules.py.
"""

from __future__ import annotations

from bullbear.outcomes import OutcomeClass
from research.rules import AnswerClass, Purpose

OUTCOMES: dict[OutcomeClass, str] = {
    OutcomeClass.COMPLETION: "a completion came",
    OutcomeClass.CONNECT_REFUSED: "no connection to the provider could be made",
    OutcomeClass.CONNECT_TIMEOUT: "no connection to the provider was made in time",
    OutcomeClass.DNS: "the provider's name was not resolved",
    OutcomeClass.TLS: "no secure connection to the provider could be made",
    OutcomeClass.NOT_WRITTEN: "its time had passed before it was written",
    OutcomeClass.REDIRECTED: "the provider pointed elsewhere, which is not followed",
    OutcomeClass.BAD_REQUEST: "the provider refused it as malformed (400)",
    OutcomeClass.UNAUTHORIZED: "the provider refused the key (401)",
    OutcomeClass.FORBIDDEN: "the provider forbade it (403)",
    OutcomeClass.NOT_FOUND: "the provider knows no such model or path (404)",
    OutcomeClass.UNPROCESSABLE: "the provider could not process it (422)",
    OutcomeClass.RATE_LIMITED: "the provider's rate limit was reached (429)",
    OutcomeClass.OTHER_4XX: "the provider refused it",
    OutcomeClass.TIMEOUT_STATUS: "the provider reported a time-out (408)",
    OutcomeClass.CONFLICT_STATUS: "the provider reported a conflict (409)",
    OutcomeClass.SERVER_ERROR: "the provider failed (5xx)",
    OutcomeClass.OTHER_STATUS: "the provider answered with a status that means nothing here",
    OutcomeClass.NOT_A_COMPLETION: "what came back is no completion",
    OutcomeClass.TOO_LARGE: "the answer was too large to take",
    OutcomeClass.WRITE_FAILED: "it broke off on its way out",
    OutcomeClass.READ_TIMEOUT: "no answer came in time",
    OutcomeClass.TOTAL_TIMEOUT: "its answer began and was not whole in time",
    OutcomeClass.RESET: "the connection broke before the answer was whole",
    OutcomeClass.CUT_OFF: "the provider closed before the answer was whole",
    OutcomeClass.PROTOCOL_ERROR: "what came back is not HTTP",
    OutcomeClass.WORKER_LOST: "the process that made the call died",
    OutcomeClass.LEASE_PASSED: "the process that made the call was not heard of in time",
}

ANSWERS: dict[AnswerClass, str] = {
    AnswerClass.VALID: "a valid answer",
    AnswerClass.TOOL_CALLS: "it asked for tools",
    AnswerClass.REFUSED_SEND: "a valid answer whose message was refused",
    AnswerClass.TRUNCATED: "the answer was cut at the token limit",
    AnswerClass.REFUSAL: "the model or its provider declined",
    AnswerClass.EMPTY: "the answer was empty",
    AnswerClass.NOT_JSON: "the answer was not JSON",
    AnswerClass.NOT_THE_SCHEMA: "the answer had not the form that was asked for",
    AnswerClass.UNSTORABLE_TEXT: "the answer held characters that cannot be stored as text",
    AnswerClass.UNKNOWN_CLAIM: "the answer named a claim that is not on record for it",
    AnswerClass.UNKNOWN_EVIDENCE: "the answer cited evidence that its author was not shown",
    AnswerClass.NOT_VERBATIM: "the answer quoted words that do not stand in its text",
    AnswerClass.WRONG_FIGURE: "the answer held a figure that no source or tool result holds",
    AnswerClass.TOOLS_NOT_OFFERED: "the answer asked for tools that were not offered",
    AnswerClass.UNLAWFUL_DISPOSITION: (
        "the answer disposed of a claim as the record does not allow"
    ),
    AnswerClass.LATE: "the answer came after its turn had ended; it is stored and not used",
}

CALLS: dict[Purpose, str] = {
    Purpose.PLAN: "call for the plan",
    Purpose.RESEARCH: "research call",
    Purpose.OPENING: "call for the opening",
    Purpose.CHALLENGE: "call for the challenge",
    Purpose.RESPONSE: "call for the response",
    Purpose.REGISTRATION: "call for the registration of claims",
    Purpose.SYNTHESIS: "call for the synthesis",
    Purpose.REASONING_AUDIT: "call for the reasoning audit",
}


def outcome_words(code: str) -> str:
    """Say in a clause what the class of an outcome or an answer means; an unknown code stays itself."""
    for words in (OUTCOMES, ANSWERS):
        for known, clause in words.items():
            if known == code:
                return clause
    return code or "nothing is known of it yet"
