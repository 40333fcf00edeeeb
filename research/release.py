"""Release a source or a number of a Root to its human readers, or withdraw that again.

A reader who may read the Root then sees what rests on the source, or that one result and nothing that rests
on it, although he does not hold the scope.  No execution sees more.  The receipt stands in the desk chain.

Source: design.md D14, D15, D18.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import User

from bullbear import receipts
from bullbear.boundedjson import holds_unstorable_text
from bullbear.content import keep, salted_digest
from bullbear.locks import Held, hold_root
from bullbear.transactions import retried, transaction
from research.authority import root_label
from research.grants import scopes_of
from research.kinds import ResearchKind
from research.models import Release, RootSource, Source, ToolCall

LONGEST_REASON = 1_000


class CannotRelease(Exception):
    """Nothing was written; the message says why, without telling what the person may not know."""


@retried
def release(
    root_id: UUID, handle: str, *, reason: str, by: User, withdraw: bool = False
) -> Release:
    """Release the source `S2`, or the number that the tool call `T2` returned, or take that back.

    Args:
        root_id: the Root, running or ended.
        handle: what is released to its readers.
        reason: why, kept with the record.
        by: who does it: he may see it himself.
        withdraw: take a release back from now on; the record of it stays.

    Raises:
        UnknownRoot: there is none of this id.
        CannotRelease: it is not there for this person, stands released already, or does not.
    """
    with transaction(), hold_root(root_id) as held:
        source, call = _found(held, handle, by)
        standing = _standing(held, source, call)
        if withdraw and standing is None:
            raise CannotRelease(f"{handle} is not released")
        if standing is not None and not withdraw:
            raise CannotRelease(f"{handle} is released already")
        return _record(held, source, call, reason=reason, by=by, withdraws=standing)


def _found(held: Held, handle: str, person: User) -> tuple[Source | None, ToolCall | None]:
    """Find what a handle names, if the person himself may see all that it rests on."""
    root, scopes = held.root, scopes_of(person)
    unknown = CannotRelease(f"there is no {handle} of this research that {person} may release")
    if not (person.groups.filter(pk=root.desk_id).exists() and set(root.scopes) <= scopes):
        raise unknown
    letter, number = handle[:1], handle[1:]
    if letter not in {"S", "T"} or not (number.isascii() and number.isdigit()):
        raise unknown
    linked = RootSource.objects.filter(root=root).select_related("source")
    own = {str(one.source_id) for one in linked if one.source.scope in scopes - {""}}
    if letter == "S":
        source = next((one.source for one in linked if one.number == int(number)), None)
        if source is None or str(source.pk) not in own:
            raise unknown
        return source, None
    call = ToolCall.objects.filter(root=root, number=int(number), refusal="").first()
    if call is None or not set(call.lineage) <= own | {root_label(root.pk)}:
        raise unknown
    return None, call


def _standing(held: Held, source: Source | None, call: ToolCall | None) -> Release | None:
    of_subject = Release.objects.filter(root=held.root, source=source, tool_call=call)
    return of_subject.filter(withdraws=None, withdrawn_by=None).first()


def _record(
    held: Held,
    source: Source | None,
    call: ToolCall | None,
    *,
    reason: str,
    by: User,
    withdraws: Release | None = None,
) -> Release:
    if not reason.strip() or len(reason) > LONGEST_REASON or holds_unstorable_text([reason]):
        raise CannotRelease(f"a reason is needed, of at most {LONGEST_REASON} characters")
    kept = keep(held, reason)
    row = held.add(
        Release(
            root=held.root,
            source=source,
            tool_call=call,
            withdraws=withdraws,
            reason=kept,
            reason_digest=salted_digest(kept),
            released_by=by,
            released_at=held.now,
        )
    )
    receipts.append_to_desk_chain(
        held,
        ResearchKind.RELEASE_WITHDRAWN if withdraws else ResearchKind.RELEASE_RECORDED,
        act=str(row.pk),
        subjects={
            "release": str(row.pk),
            "source": str(source.pk) if source else "",
            "tool_call": str(call.pk) if call else "",
            "withdraws": str(withdraws.pk) if withdraws else "",
            "released_by": by.pk,
        },
        digests={"reason": row.reason_digest},
    )
    return row
