"""Open a Root: its sources, its frozen configuration, its budget, and Main.

Source: design.md D4, D11, D14, D17.
"""

from __future__ import annotations

import dataclasses
import json
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Group, User

from bullbear import outbox, receipts
from bullbear.content import keep, keep_for_desk, salted_digest
from bullbear.identity import digest
from bullbear.ids import new_id
from bullbear.lifecycle import ChildState, Role
from bullbear.locks import Held, hold_new_root
from bullbear.models import Child, Content, Root
from bullbear.options import Options
from bullbear.queries import database_now
from bullbear.receipts import RuntimeKind
from bullbear.transactions import transaction
from research.asking import Question, ReadFile, check_question, check_scopes, read_files
from research.children import create_child
from research.domain import Domain
from research.grants import scopes_of
from research.kinds import ResearchKind
from research.limits import HAND_BACK
from research.models import ParseReport, RootSource, Source
from research.prompts import all_prompts

CONFIGURATION_VERSION = 1


def open_root(
    question: Question, *, domain: Domain, desk: Group, requester: User, options: Options
) -> Root:
    """Open a Root for `requester`, with everything it rests on, in one transaction.

    Raises:
        QuestionRefused: it cannot be opened as asked; nothing was written.
    """
    check_question(question, options)
    read = read_files(question, domain, desk=desk.name)
    scopes = check_scopes(question, read, scopes_of(requester), subject_kind=domain.subject_kind)
    with transaction():
        root, content = _new_root(question, desk, requester, scopes, options)
        sources = [_new_source(one, domain, root) for one in read]
        configuration = _configuration(question, domain, sources, options)
        root.configuration = configuration
        root.configuration_digest = digest(configuration)
        root.domain = domain.name
        with hold_new_root(root) as held:
            held.add(content)
            _record_creation(held, content)
            for number, (source, one) in enumerate(zip(sources, read, strict=True), start=1):
                _admit(held, source, one, number)
            _create_main(held)
    return root


def _new_root(
    question: Question, desk: Group, requester: User, scopes: list[str], options: Options
) -> tuple[Root, Content]:
    now = database_now()
    deadline_at = now + timedelta(seconds=options.deadline_seconds)
    root = Root(
        id=new_id(),
        desk=desk,
        requester=requester,
        purpose=question.purpose,
        external_id=question.external_id,
        language=question.language,
        scopes=scopes,
        requested={
            "rounds": question.rounds,
            "dialogue": str(question.wish),
            "unknown_policy": str(question.unknown_policy or ""),
            "scopes": list(question.scopes),
            "readable_by": [
                None if one.readable_by is None else sorted(map(str, one.readable_by))
                for one in question.files
            ],
        },
        created_at=now,
        deadline_at=deadline_at,
        peers_stop_at=deadline_at - timedelta(seconds=options.finalize_seconds),
        model_calls_limit=options.model_calls,
        model_calls_hand_back=HAND_BACK.model_calls,
        tokens_limit=options.tokens,
        tokens_hand_back=HAND_BACK.tokens,
        tool_calls_limit=options.tool_calls,
    )
    content = keep(Held(root, now), question.text)
    root.question = content
    return root, content


def _new_source(one: ReadFile, domain: Domain, root: Root) -> Source:
    """Write a source with what its reader made of it: they belong to the desk, not to the Root."""
    desk = root.desk
    title = keep_for_desk(desk, one.given.name)
    raw = keep_for_desk(desk, one.given.raw)
    reading = keep_for_desk(desk, json.dumps(dataclasses.asdict(one.reading), ensure_ascii=False))
    Content.objects.bulk_create([title, raw, reading])
    source = Source.objects.create(
        desk=desk,
        scope=one.scope,
        title=title,
        raw=raw,
        raw_sha256=one.sha256,
        added_by=root.requester,
        added_at=root.created_at,
    )
    ParseReport.objects.create(
        source=source,
        domain=domain.name,
        reader=one.reading.reader,
        kind=one.reading.kind,
        as_of=one.reading.as_of,
        counts=dict(one.reading.counts),
        reading=reading,
    )
    return source


def _configuration(
    question: Question, domain: Domain, sources: list[Source], options: Options
) -> dict[str, Any]:
    """Freeze what later steps must not find changed.

    Shape:
        models: {role: str}, prompts: {name: sha256}, tools: {name: version}, sources: [uuid],
        readable: {uuid: [role]} of the sources that only some may read,
        rounds: int, dialogue: str, opening_order: str, unknown_policy: str, limits in units by name
    """
    return {
        "v": CONFIGURATION_VERSION,
        "domain": domain.name,
        "language": question.language,
        "dialogue": str(question.wish),
        "opening_order": "independent",
        "rounds": question.rounds or options.rounds,
        "unknown_policy": str(question.unknown_policy or options.unknown_policy),
        "models": {str(role): options.model_for(role) for role in Role},
        "prompts": {name: prompt.sha256 for name, prompt in all_prompts(domain).items()},
        "tools": {tool.name: tool.version for tool in domain.tools},
        "sources": [str(source.pk) for source in sources],
        "readable": _readable(question, sources),
        "provider_timeout_ms": int(options.provider_timeout_seconds * 1000),
        "finalize_seconds": options.finalize_seconds,
        "context_bytes": options.context_bytes,
    }


def _readable(question: Question, sources: list[Source]) -> dict[str, list[str]]:
    """Name who may read each source that the request narrows."""
    return {
        str(source.pk): sorted(map(str, given.readable_by))
        for source, given in zip(sources, question.files, strict=True)
        if given.readable_by is not None
    }


def _record_creation(held: Held, question: Content) -> None:
    root = held.root
    receipts.append(
        held,
        RuntimeKind.ROOT_CREATED,
        act=str(root.pk),
        subjects={
            "question": str(question.pk),
            "requester": root.requester_id,
            "desk": root.desk_id,
            "scopes": list(root.scopes),
            "model_calls": root.model_calls_limit,
            "tokens": root.tokens_limit,
            "tool_calls": root.tool_calls_limit,
            "deadline_at": receipts.instant(root.deadline_at),
        },
        digests={
            "question": salted_digest(question),
            "configuration": root.configuration_digest,
        },
    )


def _admit(held: Held, source: Source, one: ReadFile, number: int) -> None:
    assigned = keep(held, one.given.assigned_to) if one.given.assigned_to else None
    held.add(RootSource(root=held.root, source=source, number=number, assigned_to=assigned))
    receipts.append(
        held,
        ResearchKind.SOURCE_ADMITTED,
        act=str(source.pk),
        subjects={"source": str(source.pk), "handle": f"S{number}", "scope": source.scope},
        digests={"raw": source.raw_sha256},
    )


def _create_main(held: Held) -> Child:
    sources = held.root.configuration["sources"]
    main = create_child(held, Role.MAIN, sources=sources, tools=(), state=ChildState.READY)
    outbox.enqueue(held, main, "root_created")
    return main
