"""Make a valid message a fact, or refuse it with a reason.

`dialogue/rules.py` decides; here the decision is written, in the transaction that records the sender's
answer: the message with its receipt, or the refusal with a gap and a finding for Main.  The peer learns only
that no message came.

Source: design.md D6, D8, D14.
"""

from __future__ import annotations

from bullbear import receipts
from bullbear.content import keep, salted_digest
from bullbear.identity import sending_act
from bullbear.models import Child, ModelRequest, RequestPart
from dialogue.case import DialogueCase
from dialogue.gaps import record_gap
from dialogue.half_rounds import end_half_round
from dialogue.kinds import DialogueKind, GapCode
from dialogue.models import HalfRound, PeerMessage
from dialogue.rules import MessageKind, SendRefusal, SlotKind, SlotOutcome, decide_send
from research.findings import record_refused_send
from research.kinds import PartKind
from research.rules import AnswerClass

TEXT_FIELD = "text"
ACT_OF = {
    MessageKind.CHALLENGE: "challenge",
    MessageKind.PROPOSITION: "proposition",
    MessageKind.RESPONSE: "respond",
}


def check_send(
    case: DialogueCase, sender: Child, request: ModelRequest, kind: MessageKind
) -> AnswerClass:
    """Say whether a valid message may be sent; writes nothing."""
    refused = _decide(case, sender, request, kind) is not None
    return AnswerClass.REFUSED_SEND if refused else AnswerClass.VALID


def _decide(
    case: DialogueCase, sender: Child, request: ModelRequest, kind: MessageKind
) -> SendRefusal | None:
    return decide_send(
        act=ACT_OF[kind],
        issued=sender.authorization["acts"],
        lineage=request.lineage,
        recipient=case.peer_of(sender).authorization["labels"],
    )


def send(
    case: DialogueCase,
    sender: Child,
    request: ModelRequest,
    half: HalfRound,
    *,
    kind: MessageKind,
    text: str,
    claims: list[str],
    evidence: list[str],
) -> PeerMessage | SendRefusal:
    """Accept `text` as the sender's message of this half-round, or refuse it.

    Args:
        case: the Root's facts.
        sender: whose half-round it is; the recipient follows from the pair.
        request: the answered request whose answer holds the text.
        half: the half-round, spent.
        kind: what the message is.
        text: verbatim.
        claims: handles of the claims it is about.
        evidence: handles it cites, checked.
    """
    act = sending_act(request.pk, 0)
    refusal = _decide(case, sender, request, kind)
    if refusal is not None:
        _refuse(case, sender, request, half, act=act, text=text, reason=refusal)
        return refusal
    return _accept(
        case, sender, case.peer_of(sender), request, half, act=act, kind=kind, text=text, claims=claims,
        evidence=evidence,
    )  # fmt: skip


def _accept(
    case: DialogueCase,
    sender: Child,
    recipient: Child,
    request: ModelRequest,
    half: HalfRound,
    *,
    act: str,
    kind: MessageKind,
    text: str,
    claims: list[str],
    evidence: list[str],
) -> PeerMessage:
    kept = keep(case.held, text)
    message = case.held.add(
        PeerMessage(
            root=case.root,
            pair=case.pair,
            half_round=half,
            sender=sender,
            recipient=recipient,
            number=len(case.messages) + 1,
            kind=kind,
            reply_to=challenge_of(case, half) if kind is MessageKind.RESPONSE else None,
            text=kept,
            text_digest=salted_digest(kept),
            field=TEXT_FIELD,
            about=claims,
            evidence=evidence,
            lineage=list(request.lineage),
            act=act,
            request=request,
            saw=_messages_in(request),
            accepted_at=case.now,
        )
    )
    case.messages.append(message)
    end_half_round(case, sender, half, SlotOutcome.ACCEPTED)
    receipts.append(
        case.held,
        DialogueKind.MESSAGE_ACCEPTED,
        act=act,
        child=sender,
        subjects={
            "message": str(message.pk),
            "handle": f"M{message.number}",
            "pair": str(message.pair_id),
            "half_round": str(half.pk),
            "round": half.round,
            "kind": str(kind),
            "request": str(request.pk),
            "reply_to": str(message.reply_to_id or ""),
            "recipient": str(recipient.pk),
        },
        digests={"text": message.text_digest},
    )
    return message


def challenge_of(case: DialogueCase, half: HalfRound) -> PeerMessage | None:
    """Return the message that opened a half-round's round."""
    opened = case.half_round(SlotKind.CHALLENGE, half.round)
    return next((one for one in case.messages if opened and one.half_round_id == opened.pk), None)


def _messages_in(request: ModelRequest) -> list[str]:
    parts = RequestPart.objects.filter(request=request, kind=PartKind.MESSAGE)
    return list(parts.order_by("ordinal").values_list("record", flat=True))


def _refuse(
    case: DialogueCase,
    sender: Child,
    request: ModelRequest,
    half: HalfRound,
    *,
    act: str,
    text: str,
    reason: SendRefusal,
) -> None:
    finding = record_refused_send(case, sender, request, act=act, text=text, reason=str(reason))
    end_half_round(case, sender, half, SlotOutcome.REFUSED)
    receipts.append(
        case.held,
        DialogueKind.SEND_REFUSED,
        act=act,
        child=sender,
        subjects={"reason": str(reason), "finding": str(finding.pk)},
    )
    record_gap(case, GapCode.SEND_REFUSED, act, child=sender)
