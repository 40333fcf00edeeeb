"""What codes on record mean, for a person who reads them: the report's words, and those it needs none for.

Source: design.md D5, D13.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bullbear.lifecycle import Cause, ChildState, RequestState, RootState
from dialogue.report.sections.usage import REHEARSAL_MODEL

CAUSES: Mapping[Cause, str] = {
    Cause.NONE: "",
    Cause.COMPLETED: "nothing more was to be asked",
    Cause.CANCELLED: "it was cancelled",
    Cause.DEADLINE: "the time for research and exchange was over",
    Cause.BUDGET: "the budget was used",
}
ROOT_STATES: Mapping[RootState, str] = {
    RootState.OPEN: "research and exchange are under way",
    RootState.FINALIZING: "only synthesis and report are still to come",
    RootState.FINISHED: "it ended with its report",
    RootState.CANCELLED: "it was cancelled and ended with its report",
    RootState.EXPIRED: "its deadline came before a synthesis was answered; it ended with its report",
}
CHILD_STATES: Mapping[ChildState, str] = {
    ChildState.READY: "must look again",
    ChildState.RUNNING: "a worker holds its lease",
    ChildState.PARKED: "waits",
    ChildState.FINISHED: "nothing more is asked of it",
    ChildState.FAILED: "could not do its part",
    ChildState.STOPPED: "ended from outside",
}
REQUEST_STATES: Mapping[RequestState, str] = {
    RequestState.SEALED: "The bytes are committed; nothing is known of an answer yet.",
    RequestState.ANSWERED: "The model answered.",
    RequestState.REJECTED: "Nothing was generated.",
    RequestState.OUTCOME_UNKNOWN: "Nobody knows whether the model answered, and that stays so.",
}
NOT_A_LANGUAGE_MODEL: Mapping[str, str] = {
    REHEARSAL_MODEL: "the rehearsal model: fixed rules, not a language model",
}


def words(table: Mapping[Any, str], code: str) -> str:
    """Return what a code means; one that this version does not know stays itself."""
    return table.get(code, code)
