"""What there is to tell of a Root's page, as lines with keys: a follower tells each key once.

Pure: a page in, lines out.  A model's text may hold anything, so its control characters are shown and
not sent to the terminal.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import fill

from audit.transcript.page import Answer, Message, Opening, Text, ToolUse, Transcript, Turn
from dialogue.rules import SlotOutcome
from research.domain import FigureTable, ReportWords

_INDENT = "    "
_WIDTH = 100
_OPEN_OUTCOMES = {"", SlotOutcome.SPENT}


@dataclass(frozen=True, slots=True)
class Line:
    """Something that happened; `key` tells it from everything else of its Root."""

    key: str
    text: str


def news(page: Transcript, words: ReportWords) -> Iterator[Line]:
    """Return everything that a page has to tell, oldest first."""
    if page.running.pattern:
        yield Line("plan", _plan(page))
    for tool in page.tools:
        yield Line(f"tool {tool.id}", _tool(tool, words))
    for finding in page.findings:
        head = f"{finding.role.title()} · {finding.handle} private research, for Main"
        yield Line(f"finding {finding.id}", f"{head}\n{shown(finding.text)}")
    for opening in page.openings:
        yield Line(f"opening {opening.id}", _opening(opening))
    for turn in page.turns:
        if turn.message is not None or turn.outcome not in _OPEN_OUTCOMES:
            yield Line(f"turn {turn.request}", _turn(turn))
        yield from _delivery(turn, has_ended=bool(page.end.result))
    if page.synthesis is not None:
        yield Line("synthesis", f"Main\n{shown(page.synthesis.summary.shown)}")
    if page.end.result:
        yield Line("end", _end(page))


def shown(text: Text) -> str:
    """Return a text for a terminal, indented, or that it is withheld."""
    if text.withheld:
        return f"{_INDENT}(withheld: your scopes do not cover what it rests on)"
    return "\n".join(
        fill(printable(line), _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
        for line in text.words.splitlines()
    )


def printable(text: str) -> str:
    """Replace what a terminal would obey, or a reader not see, by its code point."""
    return "".join(
        f"<U+{ord(one):04X}>" if unicodedata.category(one) in {"Cc", "Cf", "Cs"} else one
        for one in text
    )


def _plan(page: Transcript) -> str:
    running = page.running
    reason = f": {printable(running.reason.words)}" if running.reason else ""
    return f"Plan · {running.pattern}, {running.decided_by}{reason}"


def _tool(tool: ToolUse, words: ReportWords) -> str:
    head = f"{tool.role.title()} · {tool.handle} {printable(tool.name.words)}"
    if tool.refusal:
        return f"{head}: refused ({tool.refusal})"
    if tool.result.withheld:
        return head
    table = words.table(tool.name.words, json.loads(tool.result.words))
    return head if table is None else f"{head}: {_first_figure(table)}"


def _first_figure(table: FigureTable) -> str:
    row = table.rows[0]
    if tuple(table.columns[:2]) == ("before", "after"):
        figures = " → ".join(row.values[:2])
    else:
        figures = ", ".join(row.values)
    return f"{printable(table.title)}\n{_INDENT}{printable(f'{row.name} {figures} {row.unit}')}"


def _opening(opening: Opening) -> str:
    claims = f", stating {', '.join(opening.claims)}" if opening.claims else ""
    return f"{opening.role.title()} opens{claims}\n{shown(opening.statement)}"


def _turn(turn: Turn) -> str:
    head = f"Round {turn.round} · {turn.role.title()}"
    if turn.message is None:
        checked = "".join(f"\n{_INDENT}checked: {printable(one.words)}" for one in turn.checked)
        return f"{head}: {turn.meaning}{checked}"
    return f"{head} · {_message_head(turn.message, turn)}\n{shown(turn.message.text)}"


def _message_head(message: Message, turn: Turn) -> str:
    if turn.outcome == SlotOutcome.REFUSED:
        return f"{message.handle} refused: {turn.meaning}"
    claims = f" on {', '.join(message.claims)}" if message.claims else ""
    reply = f", in reply to {message.reply_to}" if message.reply_to else ""
    moves = "".join(f"; {one.claim} {one.kind}" for one in message.moves)
    return f"{message.handle} {message.kind}{claims}{reply}{moves}"


def _delivery(turn: Turn, *, has_ended: bool) -> Iterator[Line]:
    message = turn.message
    if message is None or turn.outcome != SlotOutcome.ACCEPTED:
        return
    mark = next(one for one in message.marks if one.name == "Delivered")
    is_under_way = mark.answer is Answer.UNKNOWN and not has_ended
    if mark.answer is not Answer.NOT_YET and not is_under_way:
        yield Line(
            f"delivered {message.handle} {mark.answer}",
            f"{message.handle} · delivered: {mark.answer}",
        )


def _end(page: Transcript) -> str:
    open_claims = [f"{one.handle} ({one.author})" for one in page.unresolved]
    asked = [] if page.synthesis is None else page.synthesis.open_questions
    lines = [f"End · {page.end.state}, {page.end.result}. {page.end.reason_meaning}".rstrip()]
    if open_claims:
        lines.append(f"{_INDENT}unresolved claims: {', '.join(open_claims)}")
    lines += [f"{_INDENT}stays open: {printable(one.shown.words)}" for one in asked]
    lines += [f"{_INDENT}gap: {printable(one.sentence)}" for one in page.gaps]
    return "\n".join(lines)
