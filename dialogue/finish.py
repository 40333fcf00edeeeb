"""End a Root with its report: always, also when no model answered.

Source: design.md D5, D13, D17.
"""

from __future__ import annotations

from bullbear.lifecycle import Cause, ChildState, RootState
from bullbear.models import Child
from bullbear.parking import end
from bullbear.root_end import begin_finalizing, end_root
from dialogue.case import DialogueCase
from dialogue.disclose import disclose_gaps
from dialogue.report.compile import compile_report, result_of
from dialogue.synthesis import give_up_synthesis


def finish_root(case: DialogueCase, main: Child) -> None:
    """Disclose every gap, compile the report, and end Main and the Root."""
    root = case.root
    if root.state == RootState.OPEN:
        begin_finalizing(case.held, Cause.COMPLETED)
    if not case.synthesis_stands and not case.synthesis_given_up:
        give_up_synthesis(case, main, None)
    disclose_gaps(case)
    report = compile_report(case)
    end(case.held, main, ChildState.FINISHED, "")
    end_root(case.held, _end_state(case), result_of(case), document_sha256=report.document_sha256)


def _end_state(case: DialogueCase) -> RootState:
    """EXPIRED only where the deadline came before a synthesis was answered."""
    if case.root.cause == Cause.CANCELLED:
        return RootState.CANCELLED
    if not case.synthesis_stands and case.now >= case.root.deadline_at:
        return RootState.EXPIRED
    return RootState.FINISHED
