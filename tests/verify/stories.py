"""Two Roots told from beginning to end: one where all goes well, one where much goes wrong."""

from __future__ import annotations

import functools
import json
from typing import Any

from audit.proof.record import Record
from audit.proof.runtime_rows import RequestRow
from bullbear.bodies import Draft, Piece, Pieces
from research.blocks import host_line
from tests.verify import acts, exchanging
from tests.verify.book import Book, answer, completion
from tests.verify.ledger import sha256
from tests.verify.releasing import release

BULL_SAYS = 'More funds are safer. The ETF is cheap – "really".'
BEAR_SAYS = "Technology rises.\nThe rest is open."
COUNTER = "technology goes from 15 % to 23 %"
CHALLENGE = f"No: {COUNTER}."
CONCESSION = "I withdraw that more funds are safer."
BULL_CLAIMS = [{"quote": "More funds are safer.", "evidence": ["T1"]}]
BEAR_CLAIMS = [{"quote": "Technology rises.", "evidence": []}]
TOOL_RESULT = '{"after_pct": "23.00"}'
CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "look_through", "arguments": '{"points":"10"}'},
}


@functools.cache
def a_dialogue() -> Record:
    """Bear challenges, Bull concedes, Main withdraws the claim: `complete`."""
    book = _with_openings()
    main, bull, bear = (book.child(role) for role in ("main", "bull", "bear"))
    request = book.seal(bear, "challenge", 2, exchanging.everything_said(book), tools=True)
    half = exchanging.spend(book, request)
    said = {"kind": "challenge", "claims": ["C1"], "text": CHALLENGE, "counter_quote": COUNTER}
    challenge = exchanging.accept(
        book, request, half, kind="challenge", text=CHALLENGE, about=("C1",)
    )
    exchanging.move(book, challenge, 1, "contested", COUNTER)
    book.answered(request, answer(**said, evidence=[]), "valid")
    book.wake(bull.id, "record")
    book.park(bear.id)

    call = book.rows["tool_calls"][0]
    blocks = [*exchanging.everything_said(book), exchanging.tool_block(book, call)]
    request = book.seal(bull, "response", 2, blocks)
    half = exchanging.spend(book, request)
    response = exchanging.accept(
        book,
        request,
        half,
        kind="response",
        text=CONCESSION,
        about=("C1",),
        evidence=("T1",),
        reply_to=challenge.id,
    )
    exchanging.move(book, response, 1, "conceded", "I withdraw")
    answers = [{"claim": "C1", "action": "concede", "quote": "I withdraw"}]
    said_back = {"kind": "response", "text": CONCESSION, "answers": answers, "evidence": ["T1"]}
    book.answered(request, answer(**said_back), "valid")
    exchanging.deliver(book, challenge, request)
    acts.end_pair(book, "settled", 1)
    book.end(bull.id, "finished")
    book.end(bear.id, "finished")
    book.wake(main.id, "record")

    acts.finalize(book)
    request = _ask_for_synthesis(book)
    kinds = {"C1": ("withdrawn", "Its author conceded it."), "C2": ("stands", "Not overturned.")}
    exchanging.dispose(book, kinds, request)
    named = {handle: kind for handle, (kind, _) in kinds.items()}
    subjects = {"request": request.id, "dispositions": named}
    book.tell("synthesis_recorded", request.id, main.id, subjects=subjects)
    dispositions = [
        {
            "claim": handle,
            "disposition": kind,
            "reason": reason,
            "evidence": ["M2"] if kind == "withdrawn" else [],
        }
        for handle, (kind, reason) in kinds.items()
    ]
    book.answered(request, answer(summary="So.", dispositions=dispositions), "valid")
    acts.finish(book, "complete")
    return book.record()


@functools.cache
def a_troubled_dialogue() -> Record:
    """A send refused, a worker dead, an answer late, no synthesis: `partial`; then a source is released."""
    book = _with_openings()
    main, bull, bear = (book.child(role) for role in ("main", "bull", "bear"))
    request = book.seal(bear, "challenge", 2, exchanging.everything_said(book), tools=True)
    half = exchanging.spend(book, request)
    finding = exchanging.refuse(book, request, half, CHALLENGE)
    acts.gap(book, "send_refused", finding.act, bear.id)
    said = {"kind": "challenge", "claims": ["C1"], "text": CHALLENGE, "counter_quote": COUNTER}
    book.answered(request, answer(**said, evidence=[]), "refused_send")

    lost = book.seal(bear, "challenge", 3, exchanging.everything_said(book), tools=True)
    half = exchanging.spend(book, lost)
    book.unknown(lost)
    _rescue(book, bear.id)
    exchanging.end_half_round(book, half, "unknown")
    acts.end_pair(book, "outcome_unknown", 2)
    book.end(bull.id, "finished")
    book.end(bear.id, "finished")
    book.wake(main.id, "record")

    acts.finalize(book)
    request = _ask_for_synthesis(book)
    book.rejected(request)
    timer = acts.timer(book, main.id)
    book.park(main.id)
    book.tell("timer_fired", timer.id, main.id, subjects={"cause": "retry"})
    book.wake(main.id, "timer")
    book.tell("deadline_passed", book.root.id)
    exchanging.dispose(book, dict.fromkeys(("C1", "C2"), ("unresolved", None)), None)
    book.tell("synthesis_failed", book.root.id, main.id, subjects={"reason": "not_asked"})
    acts.gap(book, "outcome_unknown", lost.id, bear.id)
    acts.gap(book, "no_message", half.id, bear.id)
    acts.gap(book, "no_synthesis", "", None)
    acts.finish(book, "partial")
    _comes_late(book, lost)
    release(book, withdraws=release(book))
    return book.record()


def _with_openings() -> Book:
    """Plan, both openings (Bull's with a tool call), and the frozen pair."""
    book = Book()
    acts.open_root(book)
    main = book.child("main")
    request = book.seal(main, "plan", 1, [acts.question(book), host_line("plan", "wished auto")])
    acts.plan(book, request)
    bull, bear = acts.create(book, "bull"), acts.create(book, "bear")
    book.answered(request, answer(pattern="dialogue", reason="A premise."), "valid")
    book.wake(bull.id, "record")
    book.wake(bear.id, "record")
    book.park(main.id)

    request = book.seal(bull, "opening", 1, [acts.question(book)], tools=True)
    book.answered(request, {"role": "assistant", "tool_calls": [CALL]}, "tool_calls")
    acts.call_tool(book, request, "look_through", TOOL_RESULT)
    tail = _tail(book, request)
    request = book.seal(bull, "opening", 1, [acts.question(book)], n=2, tail=tail, tools=True)
    _open(book, request, BULL_SAYS, BULL_CLAIMS)
    acts.offer(book)
    book.park(bull.id)

    request = book.seal(bear, "opening", 1, [acts.question(book)], tools=True)
    _open(book, request, BEAR_SAYS, BEAR_CLAIMS)
    acts.freeze(book)
    return book


def _open(book: Book, request: RequestRow, statement: str, claims: list[dict[str, Any]]) -> None:
    acts.accept_opening(book, request, statement, claims)
    said = {"statement": statement, "claims": claims, "unknown": ["the fees"], "would_change": []}
    book.answered(request, answer(**said), "valid")


def _tail(book: Book, request: RequestRow) -> list[Draft]:
    call = book.rows["tool_calls"][0]
    arguments = Piece(
        CALL["function"]["arguments"],  # type: ignore[index]
        "tool_arguments",
        call.id,
        frozenset(request.lineage),
    )
    function: dict[str, Draft] = {"name": "look_through", "arguments": Pieces((arguments,))}
    asked: dict[str, Draft] = {"id": "call_1", "type": "function", "function": function}
    shown = Pieces(exchanging.tool_block(book, call))
    return [
        {"role": "assistant", "content": None, "tool_calls": [asked]},
        {"role": "tool", "tool_call_id": "call_1", "content": shown},
    ]


def _ask_for_synthesis(book: Book) -> RequestRow:
    call = book.rows["tool_calls"][0]
    blocks = exchanging.everything_said(book, whole=True)
    blocks.append(exchanging.tool_block(book, call, "bull"))
    return book.seal(book.child("main"), "synthesis", 2, blocks)


def _rescue(book: Book, child_id: str) -> None:
    book.change("children", child_id, rescues=1, state="ready")
    subjects = {"class": "worker_lost", "rescues": 1}
    book.tell("child_rescued", f"{child_id}:1", child_id, subjects=subjects)


def _comes_late(book: Book, request: RequestRow) -> None:
    raw = completion({"role": "assistant", "content": "{}"})
    raw = json.dumps({**json.loads(raw), "usage": _DEAR}).encode()
    kept = book.keep(raw)
    book.bill(sum(_DEAR.values()) - request.reserved_tokens)
    subjects = {"request": request.id, "content": kept}
    digests = {"response": sha256(raw)}
    book.tell("late_answer", request.act, request.child_id, subjects=subjects, digests=digests)


_DEAR = {"prompt_tokens": 1100, "completion_tokens": 11}
