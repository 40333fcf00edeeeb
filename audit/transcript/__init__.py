"""Assemble a Root's page: who claimed what, what was asked and answered, and what stays open.

    facts (rows, a constant number of queries) ──▶ texts (shown or withheld) ──▶ page (plain values)

Source: design.md D19.
"""

from __future__ import annotations

import json

from audit.transcript import exchange, missing, register, running
from audit.transcript.facts import load_contents, load_facts
from audit.transcript.page import Transcript
from audit.transcript.texts import Texts
from audit.viewer import READER, Viewer
from bullbear.lifecycle import Role
from bullbear.models import Root
from research.authority import root_label

__all__ = ["Transcript", "load_transcript"]


def load_transcript(root: Root, viewer: Viewer, *, using: str = READER) -> Transcript:
    """Return the page of a Root that `viewer` may read.

    Args:
        root: found by `Viewer.limited` or `readable_root`.
        viewer: who reads: texts whose lineage he does not cover are withheld.
        using: the database alias to read through.
    """
    facts = load_facts(root, using=using)
    contents = load_contents(facts, using=using)
    coverage = viewer.covers(root, facts.sources, using=using)
    results = {
        f"T{one.number}": json.loads(contents[one.result_id])
        for one in facts.tool_calls
        if not one.refusal and coverage.shows(one)
    }
    texts = Texts(contents, coverage, results)
    roles = {child.role for child in facts.children.values()}
    columns = (Role.BULL, Role.BEAR) if Role.BULL in roles else (Role.RESEARCHER,)
    question = texts.show(root.question_id, [root_label(root.pk)])
    openings = exchange.openings(facts, texts)
    turns = exchange.turns(facts, texts)
    claims = register.claims(facts, texts)
    synthesis = register.synthesis(facts, texts)
    ran = running.running(facts, texts)
    tools = running.tools(facts, texts)
    findings = running.private_research(facts, texts)
    evidence = running.evidence(facts, texts)
    return Transcript(
        question=question,
        openings=openings,
        columns=[str(role) for role in columns],
        turns=turns,
        claims=claims,
        gaps=missing.gaps(facts),
        synthesis=synthesis,
        end=register.end(facts),
        running=ran,
        tools=tools,
        findings=findings,
        evidence=evidence,
        withheld=texts.withheld,
    )
