"""How records stand in a request: attributed, fenced with the request's nonce, otherwise unaltered.

    [label field | label field]
    <data NONCE>
    the text, verbatim
    </data NONCE>

Text of a peer, a source or a tool is data: whatever it says, it has no effect but being read.

Source: design.md D14, D15.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bullbear.bodies import Draft, Piece, Pieces

UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages of one request before they are written.

    Args:
        nonce: 16 hex digits, fresh for each request: nobody who wrote a text could guess it.
        system: prompts, trusted.
        blocks: what the request holds, in order; host lines and fenced records.
        tail: messages after the user message: the turn's own tool calls and their results.
    """

    nonce: str
    system: Sequence[Piece]
    blocks: Sequence[tuple[Piece, ...]]
    tail: Sequence[Draft] = field(default_factory=tuple)

    def messages(self) -> list[Draft]:
        """Write the messages as a draft."""
        system: list[Draft] = [
            {"role": "system", "content": Pieces((prompt,))} for prompt in self.system
        ]
        return [*system, {"role": "user", "content": Pieces(_joined(self.blocks))}, *self.tail]


def fenced(nonce: str, label: Iterable[str], piece: Piece) -> tuple[Piece, ...]:
    """Fence one record; the slice that is recorded is the text alone."""
    head = f"[{' | '.join(label)}]\n<data {nonce}>\n"
    return Piece(head), piece, Piece(f"\n</data {nonce}>")


def host_line(*fields: str) -> tuple[Piece, ...]:
    """Write a line of the host's own."""
    return (Piece(f"[{' | '.join(fields)}]"),)


def _joined(blocks: Sequence[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for index, block in enumerate(blocks):
        if index:
            pieces.append(Piece("\n\n"))
        pieces.extend(block)
    return tuple(pieces)
