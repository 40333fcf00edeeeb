"""Write the record of a Root by hand: its calls, with bodies, parts and outcomes.

A `Book` only keeps books: what happens in which order is told in `stories.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from audit.proof.runtime_rows import ChildRow, PartRow, RequestRow
from bullbear.bodies import Body, Draft, Piece, write
from research.blocks import Conversation, fenced, host_line
from tests.verify.ledger import Ledger, sha256

NONCE = "0123456789abcdef"
PROMPTS = {
    name: f"You are asked for {name}."
    for name in (
        "common",
        "main_plan",
        "bull_opening",
        "bear_opening",
        "bear_challenge",
        "bull_response",
        "main_synthesis",
    )
}
Block = tuple[Piece, ...]


class Book(Ledger):
    """A ledger that also makes model calls."""

    def seal(
        self,
        child: ChildRow,
        purpose: str,
        turn: int,
        blocks: Sequence[Block],
        *,
        attempt: int = 1,
        n: int = 1,
        tail: Sequence[Draft] = (),
        tools: bool = False,
    ) -> RequestRow:
        body = self._body(child, purpose, turn, blocks, tail=tail, tools=tools)
        request = RequestRow(
            id=self.new_id(),
            root_id=self.root.id,
            child_id=child.id,
            act=f"{child.id}:{turn}:{attempt}:{n}",
            purpose=purpose,
            turn=turn,
            attempt=attempt,
            n=n,
            body_id=self.keep(body.raw),
            body_sha256=body.sha256,
            scheme="http",
            host="127.0.0.1",
            port=9,
            path="/v1/chat/completions",
            header_names=("Authorization", "Idempotency-Key"),
            lineage=tuple(sorted(body.lineage)),
            requested_model="a-model",
            reserved_tokens=1000,
            reserved_tool_calls=2 if tools else 0,
            sealed_at=self.now,
            state="sealed",
            outcome_class="",
            status_code=None,
            response_id=None,
            response_sha256="",
            served_model="",
            provider_request_id="",
            finish_reason="",
            prompt_tokens=None,
            completion_tokens=None,
            call_ms=None,
        )
        self.row("requests", request)
        self._place_parts(request, body)
        self.change("children", child.id, state="running")
        self.tell(
            "request_sealed",
            request.act,
            child.id,
            subjects={
                "request": request.id,
                "purpose": purpose,
                "model": "a-model",
                "parts": len(body.spans),
                "authorization": child.authorization_digest,
                "repeats": "",
            },
            digests={"body": body.sha256},
        )
        return request

    def _body(
        self,
        child: ChildRow,
        purpose: str,
        turn: int,
        blocks: Sequence[Block],
        *,
        tail: Sequence[Draft],
        tools: bool,
    ) -> Body:
        rounds = (f"round {turn - 1} of 2",) if purpose in {"challenge", "response"} else ()
        task = host_line("task", purpose, child.role, *rounds, "language en")
        names = ("common", f"{child.role}_{purpose}")
        conversation = Conversation(
            nonce=NONCE,
            system=[Piece(PROMPTS[name], "prompt", name) for name in names],
            blocks=[*blocks, task],
            tail=tail,
        )
        draft: dict[str, Draft] = {"model": "a-model", "messages": conversation.messages()}
        if tools:
            draft["tools"] = [{"type": "function", "function": {"name": "look_through"}}]
        draft["response_format"] = {"type": "json_schema", "json_schema": {"name": purpose}}
        return write(draft)

    def _place_parts(self, request: RequestRow, body: Body) -> None:
        for ordinal, span in enumerate(body.spans):
            self.row(
                "parts",
                PartRow(
                    request_id=request.id,
                    ordinal=ordinal,
                    kind=span.piece.kind,
                    record=span.piece.record,
                    byte_start=span.start,
                    byte_end=span.end,
                    sha256=span.sha256,
                    lineage=tuple(sorted(span.piece.lineage)),
                ),
            )

    def bill(self, tokens: int, *, calls: int = 0, tools: int = 0) -> None:
        root = self.root
        self.root = replace(
            root,
            model_calls_spent=root.model_calls_spent + calls,
            tokens_spent=root.tokens_spent + tokens,
            tool_calls_spent=root.tool_calls_spent + tools,
        )

    def answered(self, request: RequestRow, message: Mapping[str, Any], worth: str) -> None:
        """Record a completion object that holds `message`."""
        raw = completion(message)
        self.bill(120, calls=1)
        self._outcome(
            request,
            "answered",
            worth,
            raw,
            status_code=200,
            served_model="a-model-1",
            finish_reason="stop",
            prompt_tokens=100,
            completion_tokens=20,
            call_ms=7,
        )

    def rejected(self, request: RequestRow) -> None:
        self._outcome(request, "rejected", "rate_limited", b"slower, please", status_code=429)

    def unknown(self, request: RequestRow) -> None:
        self.bill(request.reserved_tokens, calls=1, tools=request.reserved_tool_calls)
        self._outcome(request, "outcome_unknown", "worker_lost", b"")

    def _outcome(
        self, request: RequestRow, state: str, worth: str, raw: bytes, **fields: Any
    ) -> None:
        changed = self.change(
            "requests",
            request.id,
            state=state,
            outcome_class=worth,
            response_id=self.keep(raw) if raw else None,
            response_sha256=sha256(raw) if raw else "",
            **fields,
        )
        self.tell(
            f"request_{state}",
            request.act,
            request.child_id,
            subjects={
                "request": request.id,
                "class": worth,
                "served_model": changed.served_model,
            },
            digests={"response": sha256(raw)} if raw else {},
        )


def completion(message: Mapping[str, Any]) -> bytes:
    return json.dumps(
        {
            "id": "cmpl-1",
            "object": "chat.completion",
            "model": "a-model-1",
            "choices": [{"index": 0, "finish_reason": "stop", "message": dict(message)}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }
    ).encode()


def answer(**fields: Any) -> dict[str, Any]:
    """A message whose content is a structured answer."""
    return {"role": "assistant", "content": json.dumps(fields)}


def block(label: str, piece: Piece) -> Block:
    return fenced(NONCE, [*label.split(" | "), "untrusted"], piece)
