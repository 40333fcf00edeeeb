"""The facts of research, as receipts name them, and the parts that stand in its requests.

Source: design.md D4, D18.
"""

from enum import StrEnum


class ResearchKind(StrEnum):
    """The facts of what executions do alone."""

    SOURCE_ADMITTED = "source_admitted"
    PLAN_RECORDED = "plan_recorded"
    TOOL_CALLED = "tool_called"
    OPENING_ACCEPTED = "opening_accepted"
    FINDING_RECORDED = "finding_recorded"
    RELEASE_RECORDED = "release_recorded"
    RELEASE_WITHDRAWN = "release_withdrawn"


class FindingKind(StrEnum):
    """What a child hands to Main beside its opening."""

    REFUSED_SEND = "refused_send"  # the text of a message that its peer may not see
    PRIVATE_RESEARCH = "private_research"  # what it found in material of its own


class PartKind(StrEnum):
    """What a part of a request is of; its `record` names the row."""

    PROMPT = "prompt"  # record: the prompt's name
    QUESTION = "question"  # record: the Root
    OPENING = "opening"  # record: the opening
    OPENING_LINE = "opening_line"  # record: opening:unknown|would_change:index
    TOOL_RESULT = "tool_result"  # record: the tool call
    TOOL_ARGUMENTS = "tool_arguments"  # record: the tool call whose arguments these are
    MESSAGE = "message"  # record: the peer message
    CLAIM_QUOTE = "claim_quote"  # record: the claim
    FINDING = "finding"  # record: the finding
