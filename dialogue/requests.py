"""What stands in each request: only what its execution may see, each text whole.

Source: design.md D6, D11, D14, D15.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from bullbear.bodies import Piece
from bullbear.content import held_contents
from bullbear.lifecycle import Role
from bullbear.models import Child
from dialogue.case import DialogueCase
from dialogue.claims import claim_blocks
from dialogue.deliver import message_blocks
from dialogue.rules import Slot
from research.answers import OpeningAnswer
from research.blocks import UNTRUSTED, fenced, host_line
from research.completions import read, read_answer
from research.compose import (
    Block,
    again_line,
    earlier_tools,
    question_block,
    task_line,
    tool_blocks,
)
from research.kinds import PartKind
from research.models import Opening, ToolCall
from research.rules import Ask, Purpose

OPENING_LISTS = ("unknown", "would_change")


def plan_blocks(case: DialogueCase, child: Child, slot: Slot, ask: Ask, nonce: str) -> list[Block]:
    """For Main's plan: the question and the user's wish."""
    return [
        question_block(case, nonce),
        host_line("plan", f"wished {case.configuration['dialogue']}"),
        *again_line(case, child, slot.turn, ask),
        task_line(case, child, slot.purpose),
    ]


def working_blocks(
    case: DialogueCase, child: Child, slot: Slot, ask: Ask, nonce: str
) -> list[Block]:
    """For private research or an independent opening: the question, and nothing of the other side."""
    private = slot.purpose is Purpose.RESEARCH
    calls = earlier_tools(case, child, slot.turn, ask, private=private)
    return [
        question_block(case, nonce),
        *tool_blocks(case, calls, nonce),
        *again_line(case, child, slot.turn, ask),
        task_line(case, child, slot.purpose),
    ]


def exchange_blocks(
    case: DialogueCase, child: Child, slot: Slot, ask: Ask, nonce: str
) -> list[Block]:
    """For a half-round: both openings and every accepted message, verbatim; the register; own tools."""
    if case.pair is None:
        raise LookupError("a half-round belongs to a pair")
    _load_ahead(case, child, slot, case.tools_of(child))
    return [
        question_block(case, nonce),
        *_openings(case, nonce),
        *message_blocks(case, nonce),
        *claim_blocks(case, child, nonce),
        *tool_blocks(case, earlier_tools(case, child, slot.turn, ask), nonce),
        *again_line(case, child, slot.turn, ask),
        task_line(case, child, slot.purpose, round_=f"{slot.round} of {case.pair.max_rounds}"),
    ]


def synthesis_blocks(
    case: DialogueCase, child: Child, slot: Slot, ask: Ask, nonce: str
) -> list[Block]:
    """For Main's synthesis: everything on record, what each side says it does not know included."""
    tools = [call for call in case.tool_calls if not call.refusal]
    answered = {opening.request_id for opening in case.openings}
    responses = [one.response_id for one in case.requests if one.pk in answered]
    findings = [finding.text_id for finding in case.findings]
    _load_ahead(case, child, slot, tools, *responses, *findings)
    return [
        question_block(case, nonce),
        *_openings(case, nonce),
        *_opening_lines(case, nonce),
        *message_blocks(case, nonce),
        *_findings(case, nonce),
        *claim_blocks(case, child, nonce),
        *(
            block
            for call in tools
            for block in tool_blocks(case, [call], nonce, whose=case.role_of(call.child_id))
        ),
        *again_line(case, child, slot.turn, ask),
        task_line(case, child, slot.purpose),
    ]


def _load_ahead(
    case: DialogueCase, child: Child, slot: Slot, calls: Iterable[ToolCall], *more: UUID | None
) -> None:
    """Load all texts of an exchange with one query; whoever writes a block finds its own there."""
    wanted = [
        case.root.question_id,
        *(opening.statement_id for opening in case.openings),
        *(message.text_id for message in case.messages),
        *(claim.quote_id for claim in case.claims),
        *(call.result_id for call in calls),
        *(request.response_id for request in case.turn(child, slot.turn)),
        *more,
    ]
    held_contents(case.held, [content_id for content_id in wanted if content_id])


def _openings(case: DialogueCase, nonce: str) -> list[Block]:
    texts = held_contents(case.held, [opening.statement_id for opening in case.openings])
    return [
        fenced(
            nonce,
            ("opening", str(case.role_of(opening.child_id)), UNTRUSTED),
            Piece(
                texts[opening.statement_id].decode(),
                PartKind.OPENING,
                str(opening.pk),
                frozenset(opening.lineage),
            ),
        )
        for opening in sorted(case.openings, key=lambda one: _order(case, one))
    ]


def _order(case: DialogueCase, opening: Opening) -> int:
    return [Role.RESEARCHER, Role.BULL, Role.BEAR].index(case.role_of(opening.child_id))


def _opening_lines(case: DialogueCase, nonce: str) -> list[Block]:
    """The lists of each opening, item by item: what it says is unknown, and what would change it."""
    blocks = []
    for opening, answer in opening_answers(case):
        role = str(case.role_of(opening.child_id))
        for name in OPENING_LISTS:
            for index, line in enumerate(getattr(answer, name)):
                record = f"{opening.pk}:{name}:{index}"
                piece = Piece(line, PartKind.OPENING_LINE, record, frozenset(opening.lineage))
                blocks.append(fenced(nonce, (name, role, UNTRUSTED), piece))
    return blocks


def opening_answers(case: DialogueCase) -> list[tuple[Opening, OpeningAnswer]]:
    """Read each accepted opening's answer again from its stored response."""
    requests = {request.pk: request for request in case.requests}
    ids = {one.pk: requests[one.request_id].response_id for one in case.openings}
    responses = held_contents(case.held, [key for key in ids.values() if key])
    read_again = []
    for opening in case.openings:
        response_id = ids[opening.pk]
        if response_id is None:
            raise LookupError(f"opening {opening.pk} has no stored response")
        answer = read_answer(read(responses[response_id]), OpeningAnswer)
        if not isinstance(answer, OpeningAnswer):
            raise TypeError(f"the stored response of opening {opening.pk} reads {answer}")
        read_again.append((opening, answer))
    return read_again


def _findings(case: DialogueCase, nonce: str) -> list[Block]:
    texts = held_contents(case.held, [finding.text_id for finding in case.findings])
    return [
        fenced(
            nonce,
            (
                f"finding F{finding.number}",
                str(case.role_of(finding.child_id)),
                finding.kind.replace("_", " "),
                UNTRUSTED,
            ),
            Piece(
                texts[finding.text_id].decode(),
                PartKind.FINDING,
                str(finding.pk),
                frozenset(finding.lineage),
            ),
        )
        for finding in case.findings
    ]
