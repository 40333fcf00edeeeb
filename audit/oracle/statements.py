"""What must hold of one Root, running or ended: a function for each statement.

Source: scenarios.md, "The oracle"; the numbers are its.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from uuid import UUID

from audit.oracle.scene import Arrival, Complaint, Scene, load_scene, subject
from audit.proof import facts, layout, lineage, parts, states
from audit.proof.evidence import Evidence
from audit.verify import Result
from audit.viewer import READER
from bullbear.lifecycle import ENDED_CHILD, ENDED_ROOT, ChildState, RequestState
from bullbear.models import Child, ModelRequest, RequestPart
from bullbear.queries import database_now
from dialogue.models import PeerMessage, Report
from research.models import ToolCall

BILLED = frozenset({RequestState.ANSWERED, RequestState.OUTCOME_UNKNOWN})
_TOLD = frozenset({"child_woken", "child_ended"})
_CHECKS: Mapping[int, tuple[Callable[[Evidence], int], ...]] = {
    8: (states.every_executions_states_are_legal, states.the_roots_states_are_legal),
    9: (facts.every_row_has_its_receipt, facts.every_receipt_has_its_row),
    10: (
        parts.every_part_is_of_a_request,
        parts.every_slice_is_its_records_text,
        layout.every_body_holds_its_parts_and_nothing_else,
        lineage.nobody_was_shown_what_he_may_not_see,
        lineage.every_part_carries_its_records_lineage,
        lineage.every_requests_lineage_is_its_parts_union,
        lineage.every_text_carries_its_requests_lineage,
        lineage.openings_and_exchange_are_built_from_what_both_may_see,
        lineage.every_messages_lineage_may_flow_to_its_recipient,
        lineage.nothing_was_shown_before_it_was_on_record,
    ),
}
_STATEMENT_OF = {
    check.__name__.replace("_", " "): statement
    for statement, checks in _CHECKS.items()
    for check in checks
}


def look_at(
    root_id: UUID,
    arrived: Iterable[Arrival] | None = None,
    *,
    patience: timedelta | None = None,
) -> list[Complaint]:
    """Return every statement that does not hold of a Root, running or ended.

    Args:
        root_id: the Root.
        arrived: what arrived at the provider, of this Root and others.
        patience: how long work may stand unclaimed or a lease be overdue; None where nobody works at it.
    """
    everything = None if arrived is None else list(arrived)
    scene = load_scene(root_id, everything, patience=patience)
    return [
        Complaint(statement, problem, root_id)
        for statement, holds in STATEMENTS
        for problem in holds(scene)
    ]


def _verification_complains(scene: Scene, statement: int) -> Iterator[str]:
    """Tell the first bad place that verification found, under the statement it is about."""
    verdict = scene.verdict
    if verdict.result is Result.VERIFIED:
        return
    if _STATEMENT_OF.get(verdict.check, 1) == statement:
        yield str(verdict)


def chains_and_digests_verify(scene: Scene) -> Iterator[str]:
    """1: everything on record recomputes from its bytes."""
    return _verification_complains(scene, 1)


def every_message_is_on_record(scene: Scene) -> Iterator[str]:
    """2: one receipt, then a wake or an end of its recipient; one first delivering request at most."""
    accepted = {receipt.act: receipt.seq for receipt in scene.of_kind("message_accepted")}
    if sorted(accepted) != sorted(message.act for message in scene.messages):
        yield "messages and their receipts are not the same"
    answered = {receipt.act: receipt.seq for receipt in scene.of_kind("request_answered")}
    delivered = {
        receipt.act: subject(receipt, "request") for receipt in scene.of_kind("message_delivered")
    }
    for message in scene.messages:
        told = (
            receipt
            for receipt in scene.receipts
            if receipt.child_id == message.recipient_id
            and receipt.kind in _TOLD
            and receipt.seq > accepted.get(message.act, 0)
        )
        if next(told, None) is None:
            yield f"{message}: its recipient was not woken"
        first = _first_delivering(scene, message, answered)
        if delivered.get(str(message.pk)) != (str(first.pk) if first else None):
            yield f"{message}: its delivering request is not the first answered one that holds it"


def _first_delivering(
    scene: Scene, message: PeerMessage, answered: Mapping[str, int]
) -> ModelRequest | None:
    holding = RequestPart.objects.using(READER).filter(
        request__root=scene.root, kind="message", record=str(message.pk)
    )
    ids = set(holding.values_list("request_id", flat=True))
    requests = [
        request
        for request in scene.requests
        if request.pk in ids
        and request.child_id == message.recipient_id
        and request.state == RequestState.ANSWERED
    ]
    return min(requests, key=lambda request: answered.get(request.act, 0), default=None)


def rounds_are_legal(scene: Scene) -> Iterator[str]:
    """3: consecutive from one, Bear's half first, within the frozen cap."""
    places = [(half.round, half.kind) for half in scene.half_rounds]
    numbers = sorted({number for number, _ in places})
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"its rounds are {numbers}"
    if any((number, "challenge") not in places for number in numbers):
        yield "a round has no challenge"
    if any(half.round > half.pair.max_rounds for half in scene.half_rounds):
        yield "a round is past the cap"


def the_budget_is_what_the_rows_say(scene: Scene) -> Iterator[str]:
    """4: debits are sealed minus rejected requests; only what is under way is reserved."""
    root = scene.root
    live = [one for one in scene.requests if one.state == RequestState.SEALED]
    billed = [one for one in scene.requests if one.state in BILLED]
    tools = ToolCall.objects.using(READER).filter(root=root)
    ran = Counter(tools.values_list("request_id", flat=True))
    spent_on_tools = sum(
        one.reserved_tool_calls
        if one.state == RequestState.OUTCOME_UNKNOWN
        else min(ran[one.pk], one.reserved_tool_calls)
        for one in billed
    )
    figures = {
        "model calls spent": (root.model_calls_spent, len(billed)),
        "model calls reserved": (root.model_calls_reserved, len(live)),
        "tokens reserved": (root.tokens_reserved, sum(one.reserved_tokens for one in live)),
        "tool calls spent": (root.tool_calls_spent, spent_on_tools),
        "tool calls reserved": (
            root.tool_calls_reserved,
            sum(one.reserved_tool_calls for one in live),
        ),
    }
    for name, (said, found) in figures.items():
        if said != found:
            yield f"it says {said} {name}, and its rows make {found}"


def nothing_was_dispatched_twice(scene: Scene) -> Iterator[str]:
    """5: what arrived of this Root arrived once, with the sealed bytes."""
    sealed = {request.act: request.body_sha256 for request in scene.requests}
    arrived = [one for one in scene.arrived or () if one.idempotency_key in sealed]
    for act, times in Counter(one.idempotency_key for one in arrived).items():
        if times > 1:
            yield f"request {act} arrived {times} times"
    for one in arrived:
        if one.sha256 != sealed[one.idempotency_key]:
            yield f"request {one.idempotency_key} arrived with other bytes"


def no_answer_without_an_arrival(scene: Scene) -> Iterator[str]:
    """6: what is answered has arrived."""
    if scene.arrived is None:
        return
    arrived = {one.idempotency_key for one in scene.arrived}
    for request in scene.requests:
        if request.state == RequestState.ANSWERED and request.act not in arrived:
            yield f"request {request.act} is answered and never arrived"


def nobody_is_forgotten(scene: Scene) -> Iterator[str]:
    """7: no wake unseen by a parked execution, no work unclaimed, no lease overdue."""
    seen = {
        receipt.child_id: subject(receipt, "wakes") for receipt in scene.of_kind("child_parked")
    }
    late = None if scene.patience is None else database_now() - scene.patience
    for child in scene.children:
        if child.state == ChildState.PARKED and child.wakes != seen.get(child.pk, 0):
            yield f"{child} is parked and has not seen its last wake"
        if child.state == ChildState.READY and child.pk not in scene.owed:
            yield f"{child} is ready and nothing is owed to it"
        if late is not None:
            yield from _overdue(scene, child, late)


def _overdue(scene: Scene, child: Child, late: datetime) -> Iterator[str]:
    entry = scene.owed.get(child.pk)
    if child.state == ChildState.READY and entry is not None and entry.created_at < late:
        yield f"{child} is ready and unclaimed since {entry.created_at}"
    if child.worker is None or child.hard_end_at is None:
        return
    if min(child.hard_end_at, child.worker.alive_until) < late:
        yield f"{child} is running and its lease is overdue"


def state_moves_are_legal(scene: Scene) -> Iterator[str]:
    """8: replayed from the chain, every state follows from the one before."""
    return _verification_complains(scene, 8)


def no_receipt_without_its_row(scene: Scene) -> Iterator[str]:
    """9: each receipt has its evidence, and each row its receipt."""
    return _verification_complains(scene, 9)


def parts_cover_what_was_shown(scene: Scene) -> Iterator[str]:
    """10: each shown record is a part, and each accepted message's lineage may flow to its recipient."""
    return _verification_complains(scene, 10)


def an_ended_root_has_no_live_work(scene: Scene) -> Iterator[str]:
    """13: one report, a result, nothing running, nothing owed, nothing reserved."""
    root = scene.root
    if root.state not in ENDED_ROOT:
        return
    for child in scene.children:
        if child.state not in ENDED_CHILD:
            yield f"it has ended, and {child} is {child.state}"
    if scene.owed:
        yield f"it has ended, and a step is owed: {', '.join(map(str, sorted(scene.owed)))}"
    if any(one.state == RequestState.SEALED for one in scene.requests):
        yield "it has ended, and a request is still sealed"
    if root.model_calls_reserved or root.tokens_reserved or root.tool_calls_reserved:
        yield "it has ended, and something is reserved"
    reports = Report.objects.using(READER).filter(root=root).count()
    if reports != 1 or root.result not in {"complete", "partial"}:
        yield f"it has ended with {reports} reports and the result {root.result!r}"


STATEMENTS: tuple[tuple[int, Callable[[Scene], Iterator[str]]], ...] = (
    (1, chains_and_digests_verify),
    (2, every_message_is_on_record),
    (3, rounds_are_legal),
    (4, the_budget_is_what_the_rows_say),
    (5, nothing_was_dispatched_twice),
    (6, no_answer_without_an_arrival),
    (7, nobody_is_forgotten),
    (8, state_moves_are_legal),
    (9, no_receipt_without_its_row),
    (10, parts_cover_what_was_shown),
    (13, an_ended_root_has_no_live_work),
)
