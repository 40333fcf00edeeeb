"""Write a report's document as Markdown: the three questions first, everything that backs them below.

Source: design.md D13.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bullbear.lifecycle import Role
from dialogue.report.escaping import blockquote, inline, quoted, table
from dialogue.report.markdown_run import gaps, how_it_ran, numbers
from dialogue.report.sentences import NAMES, listed

Built = Mapping[str, Any]
Lines = list[str]
_QUESTIONS = (
    ("claimed", "What was claimed"),
    ("challenged", "What was challenged, answered, revised"),
    ("unresolved", "What is unresolved"),
)


def render_markdown(document: Built) -> str:
    """Write the document; every text that is not the host's own is escaped."""
    lines = [
        *_head(document),
        *_answers(document["answers"]),
        *_question(document["question"]),
        *_evidence(document["evidence"]["sources"]),
        *_synthesis(document["synthesis"]),
        *_claims(document),
        *_openings(document["claimed"]["openings"]),
        *_exchange(document["exchange"]["half_rounds"]),
        *_refused(document["exchange"]["refused"]),
        *_private(document["exchange"].get("private_research", ())),
        *numbers(document["numbers"]),
        *_would_change(document["would_change"]),
        *gaps(document["gaps"]),
        *how_it_ran(document["how_it_ran"]),
        *_foot(document),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _head(document: Built) -> Lines:
    notes = document["how_it_ran"]["models"]["notes"]
    return [
        f"# Report: {document['result']['type']}",
        "",
        f"{document['disclaimer']} {document['result']['means']}",
        *(line for note in notes for line in ("", inline(note))),
        *_withheld(document.get("withheld", 0)),
        "",
    ]


def _withheld(places: int) -> Lines:
    """Say that this copy is not the whole report, where it is not."""
    if not places:
        return []
    return [
        "",
        (
            f"**Not the whole report.** {places} places are withheld from this reader, whose scopes do not "
            "cover what they rest on."
        ),
    ]


def _answers(answers: Built) -> Lines:
    lines: Lines = []
    for key, title in _QUESTIONS:
        lines += [f"## {title}", ""]
        lines += [_answer(one) for one in answers[key]]
        lines.append("")
    return lines


def _answer(one: Built) -> str:
    line = inline(one["line"])
    return f"- {line} {quoted(shown(one['quote']))}" if "quote" in one else f"- {line}"


def shown(text: Built) -> str:
    """Return a model's text as a reader is shown it: with the figures it cites."""
    found: str = text.get("with_figures", text["text"])
    return found


def _question(question: Built) -> Lines:
    return [
        "## The question",
        "",
        *blockquote(question["text"]),
        "",
        (
            f"Asked {question['asked_at']}, language {inline(question['language'])}, domain "
            f"{inline(question['domain'])}. What it was opened with is fixed by "
            f"{question['configuration_sha256']}."
        ),
        "",
    ]


def _evidence(sources: Sequence[Built]) -> Lines:
    if not sources:
        return ["## The evidence", "", "No source was given.", ""]
    rows = [
        [
            one["handle"],
            inline(one["kind"]),
            inline(one["as_of"]),
            inline(
                ", ".join(f"{number} {name}" for name, number in one["rows"].items() if number)
            ),
            inline(one["scope"]),
            f"{one['sha256'][:16]}…",
            inline(one["title"]),
        ]
        for one in sources
    ]
    head = ["source", "kind", "as of", "rows by class", "scope", "sha256", "title"]
    return ["## The evidence", "", *table(head, rows), ""]


def _synthesis(synthesis: Built | None) -> Lines:
    if synthesis is None:
        return []
    summary = blockquote(shown(synthesis["summary"]))
    return ["## What Main makes of it", "", *summary, ""]


def _claims(document: Built) -> Lines:
    made = {one["claim"]: one for one in document["dispositions"]}
    lines = ["## Claims", ""]
    for claim in document["claimed"]["claims"]:
        lines += _claim(claim, made[claim["handle"]])
    return [*lines, "None.", ""] if not document["claimed"]["claims"] else lines


def _claim(claim: Built, made: Built) -> Lines:
    origin = claim["origin"]["handle"] or "the opening"
    return [
        f"### {claim['handle']}, {NAMES[Role(claim['by'])]}: {claim['status']}, {made['disposition']}",
        "",
        *blockquote(shown(claim["quote"])),
        "",
        f"- From {origin}. {_evidence_line(claim['evidence'])}",
        *(
            f"- {one['means']} in {one['message']}: {quoted(shown(one['quote']))}"
            for one in claim["moves"]
        ),
        (
            f"- Disposition by {_who(made['by'])}: **{made['disposition']}** ({made['means']}). "
            f"{quoted(shown(made['reason']))} {_evidence_line(made['evidence'])}"
        ),
        "",
    ]


def _evidence_line(evidence: Sequence[Built]) -> str:
    """Say what was cited, whether its author was shown it, and that support is not checked."""
    if not evidence:
        return "No evidence cited."
    handles = [
        one["handle"] if one["shown"] else f"{one['handle']} (not shown to the author)"
        for one in evidence
    ]
    return f"Cited: {listed(handles)}; shown to the author; supporting: not checked."


def _who(by: str) -> str:
    return NAMES[Role(by)] if by in set(Role) else by


def _openings(openings: Sequence[Built]) -> Lines:
    lines = ["## Openings", ""] if openings else []
    for one in openings:
        lines += [
            f"### {NAMES[Role(one['by'])]}",
            "",
            *blockquote(shown(one["statement"])),
            "",
            *_said(one["unknown"], "What it says is not shown:"),
            *_said(one["would_change"], "What would change its view:"),
        ]
    return lines


def _said(lines: Sequence[Built], title: str) -> Lines:
    return [title, "", *(f"- {quoted(shown(line))}" for line in lines), ""] if lines else []


def _exchange(half_rounds: Sequence[Built]) -> Lines:
    lines = ["## The exchange", ""] if half_rounds else []
    for half in half_rounds:
        lines += _message(half["message"]) if half["message"] else _no_message(half)
    return lines


def _message(message: Built) -> Lines:
    sender, recipient = (NAMES[Role(message[key])] for key in ("from", "to"))
    reply = f", replies to {message['reply_to']}" if message["reply_to"] else ""
    delivery = message["delivery"]
    where = f" (request {delivery['request']})" if delivery["request"] else ""
    limits = message["does_not_establish"]
    return [
        (
            f"### {message['handle']}: round {message['round']}, {message['kind']}, "
            f"{sender} to {recipient}{reply}"
        ),
        "",
        *blockquote(message["text"]["text"]),
        "",
        *_with_figures(message["text"]),
        f"- Delivered: **{delivery['state']}** – {delivery['means']}{where}.",
        f"- {_evidence_line(message['evidence'])}",
        *(
            f"- {one['claim']} {one['means']}: {quoted(shown(one['quote']))}"
            for one in message["moved"]
        ),
        *([f"- Does not establish: {quoted(shown(limits))}"] if limits else []),
        "",
    ]


def _with_figures(text: Built) -> Lines:
    """Show a peer's text also with the figures it cites: above it stands as it was accepted."""
    if "with_figures" not in text:
        return []
    return ["With the figures it cites:", "", *blockquote(text["with_figures"]), ""]


def _no_message(half: Built) -> Lines:
    who = NAMES[Role(half["by"])]
    lines = [
        f"### Round {half['round']}, {half['kind']} by {who}: no message",
        "",
        f"{half['outcome_means'][:1].upper()}{half['outcome_means'][1:]}.",
        "",
    ]
    closing = half["closing"]
    if closing:
        lines += _said(closing["checked"], f"What {who} checked:")
        lines += _said(closing["unknown"], f"What {who} does not know:")
    return lines


def _refused(refused: Sequence[Built]) -> Lines:
    lines = ["## Refused messages: the other side never received them", ""] if refused else []
    for one in refused:
        who = NAMES[Role(one["by"])]
        lines += [f"### {one['handle']} by {who}: {one['means']}", ""]
        lines += [*blockquote(shown(one["text"])), ""]
    return lines


def _private(findings: Sequence[Built]) -> Lines:
    """Show what each side told Main alone; reports of before it could have none."""
    lines = ["## Private research: for Main, not for the other side", ""] if findings else []
    for one in findings:
        lines += [f"### {one['handle']} by {NAMES[Role(one['by'])]}", ""]
        lines += [*blockquote(shown(one["text"])), ""]
    return lines


def _would_change(lines: Sequence[Built]) -> Lines:
    if not lines:
        return []
    return ["## What would change this", "", *(_by_line(one) for one in lines), ""]


def _by_line(one: Built) -> str:
    names: Iterable[str] = (_who(by) for by in one["by"])
    return f"- {quoted(shown(one['line']))} ({', '.join(names)})"


def _foot(document: Built) -> Lines:
    return [
        "---",
        "",
        (
            f"{document['disclaimer']} Report {document['report']}, version {document['version']}, "
            f"compiled {document['compiled_at']} of research {document['question']['root']}."
        ),
    ]
