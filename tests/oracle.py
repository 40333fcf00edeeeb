"""What must hold after every scenario, whatever happened in it.

Source: scenarios.md, the oracle; the numbers in the functions' docstrings are its.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from audit.verify import Result, verify_root
from bullbear.lifecycle import ENDED_CHILD, ENDED_ROOT, ChildState, RequestState
from bullbear.models import Child, ModelRequest, OutboxEntry, Receipt, Root
from dialogue.models import HalfRound, PeerMessage, Report
from research.models import ToolCall
from tests.provider_double import Hit

BILLED = (RequestState.ANSWERED, RequestState.OUTCOME_UNKNOWN)


def check(root: Root, hits: Iterable[Hit] | None = None) -> None:
    """Check every statement that can be checked of a Root, running or ended.

    Args:
        root: read again here.
        hits: what arrived at the provider, if the scenario had one of its own.
    """
    root.refresh_from_db()
    _verifies(root)
    _budget_is_what_the_rows_say(root)
    _messages_are_on_record(root)
    _rounds_are_legal(root)
    if hits is not None:
        _one_dispatch_for_each_request(root, list(hits))
    if root.state in ENDED_ROOT:
        _nothing_is_alive(root)


def _verifies(root: Root) -> None:
    """1, 8, 9, 10."""
    verdict = verify_root(root.pk)
    assert verdict.result is Result.VERIFIED, str(verdict)


def _budget_is_what_the_rows_say(root: Root) -> None:
    """4."""
    requests = list(ModelRequest.objects.filter(root=root))
    live = [one for one in requests if one.state == RequestState.SEALED]
    billed = [one for one in requests if one.state in BILLED]
    unknown = [one for one in billed if one.state == RequestState.OUTCOME_UNKNOWN]
    tools = Counter(ToolCall.objects.filter(root=root).values_list("request_id", flat=True))
    ran = sum(min(tools[one.pk], one.reserved_tool_calls) for one in billed)
    assert root.model_calls_spent == len(billed)
    assert root.model_calls_reserved == len(live)
    assert root.tokens_reserved == sum(one.reserved_tokens for one in live)
    assert root.tool_calls_reserved == sum(one.reserved_tool_calls for one in live)
    assert root.tool_calls_spent == ran + sum(one.reserved_tool_calls for one in unknown)


def _messages_are_on_record(root: Root) -> None:
    """2: every message has one receipt, and its recipient a wake after it or an end."""
    accepted = {
        receipt.act: receipt
        for receipt in Receipt.objects.filter(root=root, kind="message_accepted")
    }
    messages = list(PeerMessage.objects.filter(root=root))
    assert sorted(accepted) == sorted(message.act for message in messages)
    for message in messages:
        seq = accepted[message.act].seq
        told = Receipt.objects.filter(root=root, child=message.recipient, seq__gt=seq)
        assert told.filter(kind__in=["child_woken", "child_ended"]).exists(), str(message)


def _rounds_are_legal(root: Root) -> None:
    """3: consecutive, Bear before Bull, within the cap."""
    halves = HalfRound.objects.filter(pair__root=root)
    places = [(half.round, half.kind) for half in halves.order_by("round", "kind")]
    rounds = sorted({round_ for round_, _ in places})
    assert rounds == list(range(1, len(rounds) + 1))
    for round_ in rounds:
        assert (round_, "challenge") in places
    for half in halves:
        assert half.round <= half.pair.max_rounds


def _one_dispatch_for_each_request(root: Root, hits: list[Hit]) -> None:
    """5 and 6: what arrived was sealed, at most once; what is answered arrived."""
    sealed = {one.act: one for one in ModelRequest.objects.filter(root=root)}
    arrived = Counter(hit.idempotency_key for hit in hits if hit.idempotency_key in sealed)
    assert max(arrived.values(), default=1) == 1
    for hit in hits:
        if hit.idempotency_key in sealed:
            assert hit.sha256 == sealed[hit.idempotency_key].body_sha256
    for act, request in sealed.items():
        assert request.state != RequestState.ANSWERED or arrived[act] == 1


def _nothing_is_alive(root: Root) -> None:
    """7 and 13: an ended Root has a report and no live work."""
    children = list(Child.objects.filter(root=root))
    assert [child for child in children if child.state not in ENDED_CHILD] == []
    keys = [f"advance:{child.pk}" for child in children]
    assert list(OutboxEntry.objects.filter(dedupe_key__in=keys)) == []
    assert not ModelRequest.objects.filter(root=root, state=RequestState.SEALED).exists()
    assert not Child.objects.filter(root=root, state=ChildState.RUNNING).exists()
    assert Report.objects.filter(root=root).count() == 1
    assert root.result in {"complete", "partial"}
    assert (root.model_calls_reserved, root.tokens_reserved, root.tool_calls_reserved) == (0, 0, 0)
