"""What happens between Bull and Bear, written into a `Book`."""

from __future__ import annotations

from collections.abc import Mapping

from audit.proof import dialogue_rows as d
from audit.proof import research_rows as r
from audit.proof.runtime_rows import RequestRow
from bullbear.bodies import Piece
from tests.verify.acts import question
from tests.verify.book import Block, Book, block


def everything_said(book: Book, *, whole: bool = False) -> list[Block]:
    """The blocks of an exchange or, `whole`, of the synthesis."""
    blocks = [question(book), *_openings(book)]
    if whole:
        blocks += _opening_lines(book)
    blocks += _messages(book)
    if whole:
        blocks += _findings(book)
    blocks += _claims(book)
    return blocks


def tool_block(book: Book, call: r.ToolCallRow, whose: str = "") -> Block:
    text = book.contents[call.result_id].raw.decode()
    piece = Piece(text, "tool_result", call.id, frozenset(call.lineage))
    owner = f" | {whose}" if whose else ""
    return block(f"tool T{call.number} | {call.name}{owner}", piece)


def _role(book: Book, child_id: str) -> str:
    return next(str(child.role) for child in book.rows["children"] if child.id == child_id)


def _openings(book: Book) -> list[Block]:
    return [
        block(
            f"opening | {_role(book, row.child_id)}",
            Piece(
                book.contents[row.statement_id].raw.decode(),
                "opening",
                row.id,
                frozenset(row.lineage),
            ),
        )
        for row in book.rows["openings"]
    ]


def _opening_lines(book: Book) -> list[Block]:
    row = book.rows["openings"][0]
    piece = Piece("the fees", "opening_line", f"{row.id}:unknown:0", frozenset(row.lineage))
    return [block(f"unknown | {_role(book, row.child_id)}", piece)]


def _messages(book: Book) -> list[Block]:
    blocks = []
    for row in book.rows["messages"]:
        half = next(one for one in book.rows["half_rounds"] if one.id == row.half_round_id)
        sender = _role(book, row.sender_id)
        label = f"message M{row.number} | {sender} | {row.kind} | round {half.round}"
        text = book.contents[row.text_id].raw.decode()
        blocks.append(block(label, Piece(text, "message", row.id, frozenset(row.lineage))))
    return blocks


def _findings(book: Book) -> list[Block]:
    return [
        block(
            f"finding F{row.number} | {_role(book, row.child_id)} | refused send",
            Piece(
                book.contents[row.text_id].raw.decode(),
                "finding",
                row.id,
                frozenset(row.lineage),
            ),
        )
        for row in book.rows["findings"]
    ]


def _claims(book: Book) -> list[Block]:
    blocks = []
    for row in book.rows["claims"]:
        moves = {move.move for move in book.rows["moves"] if move.claim_id == row.id}
        status = "CONTESTED" if "contested" in moves else "OPEN"
        status = "CONCEDED" if "conceded" in moves else status
        text = book.contents[row.quote_id].raw.decode()
        piece = Piece(text, "claim_quote", row.id, frozenset(row.lineage))
        label = f"claim C{row.number} | {_role(book, row.author_id)} | {status}"
        blocks.append(block(label, piece))
    return blocks


def spend(book: Book, request: RequestRow) -> d.HalfRoundRow:
    pair = book.rows["pairs"][0]
    row = d.HalfRoundRow(
        id=book.new_id(),
        pair_id=pair.id,
        round=request.turn - 1,
        kind=request.purpose,
        child_id=request.child_id,
        first_request_id=request.id,
        attempts=1,
        outcome="spent",
    )
    book.row("half_rounds", row)
    subjects = {
        "half_round": row.id,
        "round": row.round,
        "kind": row.kind,
        "request": request.id,
    }
    book.tell("half_round_spent", _act(row), row.child_id, subjects=subjects)
    return row


def end_half_round(book: Book, half: d.HalfRoundRow, outcome: str) -> None:
    book.change("half_rounds", half.id, outcome=outcome)
    subjects = {"half_round": half.id, "outcome": outcome}
    book.tell("half_round_ended", _act(half), half.child_id, subjects=subjects)


def _act(half: d.HalfRoundRow) -> str:
    return f"{half.pair_id}:{half.round}:{half.kind}"


def accept(
    book: Book,
    request: RequestRow,
    half: d.HalfRoundRow,
    *,
    kind: str,
    text: str,
    about: tuple[str, ...],
    evidence: tuple[str, ...] = (),
    reply_to: str | None = None,
) -> d.MessageRow:
    pair = book.rows["pairs"][0]
    kept = book.keep(text)
    shown = [
        part.record
        for part in book.rows["parts"]
        if part.request_id == request.id and part.kind == "message"
    ]
    end_half_round(book, half, "accepted")
    row = d.MessageRow(
        id=book.new_id(),
        root_id=book.root.id,
        pair_id=pair.id,
        half_round_id=half.id,
        sender_id=request.child_id,
        recipient_id=pair.bull_id if request.child_id == pair.bear_id else pair.bear_id,
        number=len(book.rows["messages"]) + 1,
        kind=kind,
        reply_to_id=reply_to,
        text_id=kept,
        text_digest=book.salted(kept),
        field="text",
        about=about,
        evidence=evidence,
        lineage=request.lineage,
        act=f"{request.id}:0",
        request_id=request.id,
        saw=tuple(shown),
        accepted_at=book.now,
    )
    book.row("messages", row)
    subjects = {
        "message": row.id,
        "handle": f"M{row.number}",
        "pair": pair.id,
        "half_round": half.id,
        "round": half.round,
        "kind": kind,
        "request": request.id,
        "reply_to": reply_to or "",
        "recipient": row.recipient_id,
    }
    digests = {"text": row.text_digest}
    book.tell("message_accepted", row.act, row.sender_id, subjects=subjects, digests=digests)
    return row


def move(book: Book, message: d.MessageRow, number: int, kind: str, quote: str) -> None:
    claim = book.rows["claims"][number - 1]
    kept = book.keep(quote)
    row = d.MoveRow(book.new_id(), claim.id, message.id, kind, kept, book.salted(kept))
    book.row("moves", row)
    subjects = {
        "claim": claim.id,
        "handle": f"C{number}",
        "move": kind,
        "message": message.id,
    }
    digests = {"quote": row.quote_digest}
    book.tell("claim_moved", row.id, message.sender_id, subjects=subjects, digests=digests)


def deliver(book: Book, message: d.MessageRow, request: RequestRow) -> None:
    subjects = {"message": message.id, "request": request.id}
    book.tell("message_delivered", message.id, message.recipient_id, subjects=subjects)


def refuse(book: Book, request: RequestRow, half: d.HalfRoundRow, text: str) -> r.FindingRow:
    kept = book.keep(text)
    row = r.FindingRow(
        id=book.new_id(),
        root_id=book.root.id,
        child_id=request.child_id,
        request_id=request.id,
        act=f"{request.id}:0",
        number=len(book.rows["findings"]) + 1,
        kind="refused_send",
        reason="refused_scope",
        text_id=kept,
        text_digest=book.salted(kept),
        lineage=request.lineage,
    )
    book.row("findings", row)
    subjects = {
        "finding": row.id,
        "handle": f"F{row.number}",
        "kind": row.kind,
        "reason": row.reason,
    }
    digests = {"text": row.text_digest}
    book.tell("finding_recorded", row.act, row.child_id, subjects=subjects, digests=digests)
    end_half_round(book, half, "refused")
    refused = {"reason": row.reason, "finding": row.id}
    book.tell("send_refused", row.act, row.child_id, subjects=refused)
    return row


def dispose(
    book: Book, dispositions: Mapping[str, tuple[str, str | None]], request: RequestRow | None
) -> None:
    for handle, (kind, reason) in dispositions.items():
        row = d.DispositionRow(
            id=book.new_id(),
            root_id=book.root.id,
            claim_id=book.rows["claims"][int(handle[1:]) - 1].id,
            request_id=request.id if request else None,
            report_version=1,
            disposition=kind,
            reason_id=book.keep(reason) if reason else None,
            evidence=("M2",) if kind == "withdrawn" else (),
        )
        book.row("dispositions", row)
