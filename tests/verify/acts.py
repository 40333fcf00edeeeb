"""What happens in a Root, written into a `Book`: each act with its row and its receipt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from audit.proof import dialogue_rows as d
from audit.proof import research_rows as r
from audit.proof.runtime_rows import ChildRow, RequestRow, RootRow, TimerRow
from bullbear.bodies import Piece
from bullbear.identity import canonical
from tests.verify.book import PROMPTS, Block, Book, block
from tests.verify.ledger import sha256

ACTS = {
    "main": ["plan", "synthesis"],
    "bull": ["opening", "respond", "no_further"],
    "bear": ["opening", "challenge", "proposition", "no_further"],
}
QUESTION = 'Is "one more fund" safer?\n'


def open_root(book: Book) -> None:
    root_id, source_id = book.new_id(), book.new_id()
    configuration: dict[str, Any] = {
        "v": 1,
        "domain": "investment",
        "language": "en",
        "dialogue": "auto",
        "opening_order": "independent",
        "rounds": 2,
        "models": dict.fromkeys(ACTS, "a-model"),
        "prompts": {name: sha256(text.encode()) for name, text in PROMPTS.items()},
        "tools": {"look_through": "look_through/1"},
        "sources": [source_id],
        "finalize_seconds": 240,
    }
    book.root = RootRow(
        id=root_id,
        desk_id=3,
        requester_id=5,
        purpose="",
        external_id="",
        question_id=book.keep(QUESTION),
        language="en",
        domain="investment",
        scopes=("public",),
        requested={"dialogue": "auto"},
        configuration=configuration,
        configuration_digest=sha256(canonical(configuration)),
        created_at=book.now,
        peers_stop_at="2026-03-01T10:26:00.000000Z",
        deadline_at="2026-03-01T10:30:00.000000Z",
        state="open",
        cause="",
        result="",
        end_reason="",
        model_calls_limit=40,
        model_calls_spent=0,
        model_calls_reserved=0,
        tokens_limit=400_000,
        tokens_spent=0,
        tokens_reserved=0,
        tool_calls_limit=60,
        tool_calls_spent=0,
        tool_calls_reserved=0,
        receipts_seq=0,
        receipts_head=bytes(32),
    )
    root = book.root
    subjects = {
        "question": root.question_id,
        "requester": 5,
        "desk": 3,
        "scopes": ["public"],
        "model_calls": 40,
        "tokens": 400_000,
        "tool_calls": 60,
        "deadline_at": root.deadline_at,
    }
    digests = {
        "question": book.salted(root.question_id),
        "configuration": root.configuration_digest,
    }
    book.tell("root_created", root_id, subjects=subjects, digests=digests)
    raw = book.keep(b"Name,Weight\nA fund,100\n")
    source = r.SourceRow(source_id, 1, "public", 3, raw, sha256(book.contents[raw].raw))
    book.row("sources", source)
    subjects = {"source": source_id, "handle": "S1", "scope": "public"}
    book.tell("source_admitted", source_id, subjects=subjects, digests={"raw": source.raw_sha256})
    create(book, "main", "ready")


def create(book: Book, role: str, state: str = "parked") -> ChildRow:
    root = book.root
    authorization: dict[str, Any] = {
        "v": 1,
        "root": root.id,
        "role": role,
        "acts": ACTS[role],
        "labels": sorted([f"root:{root.id}", *root.configuration["sources"]]),
        "tools": [] if role == "main" else ["look_through"],
    }
    digest = sha256(canonical(authorization))
    child = ChildRow(
        book.new_id(), root.id, role, authorization, digest, book.now, state, 0, 0, ""
    )
    book.row("children", child)
    digests = {"authorization": digest}
    book.tell("child_created", child.id, child.id, subjects={"role": role}, digests=digests)
    return child


def question(book: Book) -> Block:
    piece = Piece(QUESTION, "question", book.root.id, frozenset({f"root:{book.root.id}"}))
    return block("question | requester", piece)


def plan(book: Book, request: RequestRow) -> None:
    row = r.PlanRow(
        book.new_id(), book.root.id, request.id, "auto", "dialogue", "dialogue", "main"
    )
    book.row("plans", row)
    subjects = {
        "wished": "auto",
        "proposed": "dialogue",
        "pattern": "dialogue",
        "decided_by": "main",
        "request": request.id,
    }
    book.tell("plan_recorded", book.root.id, request.child_id, subjects=subjects)


def call_tool(book: Book, request: RequestRow, name: str, text: str) -> r.ToolCallRow:
    source = book.root.configuration["sources"][0]
    number = len(book.rows["tool_calls"]) + 1
    kept = book.keep(text)
    row = r.ToolCallRow(
        id=book.new_id(),
        root_id=book.root.id,
        child_id=request.child_id,
        request_id=request.id,
        index=0,
        act=f"{request.id}:0",
        number=number,
        name=name,
        version="look_through/1",
        result_id=kept,
        result_digest=book.salted(kept),
        refusal="",
        lineage=tuple(sorted({*request.lineage, source})),
        used=(source,),
    )
    book.row("tool_calls", row)
    book.bill(0, tools=1)
    subjects = {
        "tool_call": row.id,
        "handle": f"T{number}",
        "version": row.version,
        "refusal": "",
        "used": [source],
    }
    digests = {"result": row.result_digest}
    book.tell("tool_called", row.act, row.child_id, subjects=subjects, digests=digests)
    return row


def accept_opening(book: Book, request: RequestRow, statement: str, claims: list[Any]) -> None:
    kept = book.keep(statement)
    row = r.OpeningRow(
        id=book.new_id(),
        root_id=book.root.id,
        child_id=request.child_id,
        request_id=request.id,
        statement_id=kept,
        statement_digest=book.salted(kept),
        lineage=request.lineage,
    )
    book.row("openings", row)
    subjects = {"opening": row.id, "request": request.id}
    digests = {"statement": row.statement_digest}
    book.tell("opening_accepted", request.id, row.child_id, subjects=subjects, digests=digests)
    for claim in claims:
        _record_claim(book, row, claim["quote"], tuple(claim["evidence"]))


def _record_claim(
    book: Book, opening: r.OpeningRow, quote: str, evidence: tuple[str, ...]
) -> None:
    kept = book.keep(quote)
    number = len(book.rows["claims"]) + 1
    row = d.ClaimRow(
        id=book.new_id(),
        root_id=book.root.id,
        author_id=opening.child_id,
        opening_id=opening.id,
        message_id=None,
        number=number,
        quote_id=kept,
        quote_digest=book.salted(kept),
        evidence=evidence,
        lineage=opening.lineage,
    )
    book.row("claims", row)
    subjects = {
        "claim": row.id,
        "handle": f"C{number}",
        "author": row.author_id,
        "source": opening.id,
    }
    digests = {"quote": row.quote_digest}
    book.tell("claim_recorded", row.id, row.author_id, subjects=subjects, digests=digests)


def offer(book: Book) -> None:
    opening = book.rows["openings"][0]
    row = d.OfferRow(book.new_id(), book.root.id, opening.child_id)
    book.row("offers", row)
    subjects = {"offer": row.id, "opening": opening.id}
    book.tell("pair_offered", row.child_id, row.child_id, subjects=subjects)


def freeze(book: Book) -> None:
    bull, bear = book.child("bull"), book.child("bear")
    row = d.PairRow(
        id=book.new_id(),
        root_id=book.root.id,
        bull_id=bull.id,
        bear_id=bear.id,
        bull_authorization_digest=bull.authorization_digest,
        bear_authorization_digest=bear.authorization_digest,
        max_rounds=2,
        opening_order="independent",
        frozen_at=book.now,
        end_reason="",
    )
    book.row("pairs", row)
    subjects = {
        "pair": row.id,
        "bull": bull.id,
        "bear": bear.id,
        "max_rounds": 2,
        "opening_order": "independent",
    }
    digests = {
        "bull_authorization": bull.authorization_digest,
        "bear_authorization": bear.authorization_digest,
    }
    book.tell("pair_frozen", row.id, subjects=subjects, digests=digests)


def end_pair(book: Book, reason: str, rounds: int) -> None:
    pair = book.rows["pairs"][0]
    book.change("pairs", pair.id, end_reason=reason)
    subjects = {"pair": pair.id, "reason": reason, "rounds": rounds}
    book.tell("pair_ended", pair.id, subjects=subjects)


def gap(book: Book, code: str, subject: str, child_id: str | None) -> None:
    row = d.GapRow(book.new_id(), book.root.id, child_id, code, subject, book.now)
    book.row("gaps", row)
    subjects = {"code": code, "subject": subject}
    book.tell("gap_recorded", row.id, child_id or "", subjects=subjects)


def timer(book: Book, child_id: str) -> TimerRow:
    row = TimerRow(book.new_id(), child_id, "2026-03-01T10:05:00.000000Z", "retry")
    book.row("timers", row)
    subjects = {"cause": "retry", "fires_at": row.fires_at}
    book.tell("timer_set", row.id, child_id, subjects=subjects)
    return row


def finalize(book: Book) -> None:
    book.root = replace(book.root, state="finalizing", cause="completed")
    book.tell("root_finalizing", book.root.id, subjects={"cause": "completed"})


def finish(book: Book, result: str) -> None:
    raw = canonical({"report": 1, "result": result})
    row = d.ReportRow(book.new_id(), book.root.id, 1, book.keep(raw), sha256(raw), book.now)
    book.row("reports", row)
    subjects = {"report": row.id, "version": 1}
    digests = {"document": row.document_sha256}
    book.tell("report_compiled", row.id, subjects=subjects, digests=digests)
    book.end(book.child("main").id, "finished")
    book.root = replace(book.root, state="finished", result=result)
    subjects = {
        "state": "finished",
        "result": result,
        "cause": "completed",
        "end_reason": "",
        "model_calls_spent": book.root.model_calls_spent,
        "tokens_spent": book.root.tokens_spent,
        "tool_calls_spent": book.root.tool_calls_spent,
    }
    digests = {"report": row.document_sha256}
    book.tell("root_ended", book.root.id, subjects=subjects, digests=digests)
