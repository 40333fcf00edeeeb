"""States: replayed from the chain, they are legal and end where the rows say.

    created ──▶ ready (Main) | parked        woken: parked ──▶ ready        parked: ready ──▶ parked
    sealed: ready ──▶ running                outcome: running ──▶ ready      ended: any ──▶ ended

Between an outcome and what its execution does next there is no receipt: it counts as ready here.

Source: design.md D5, D7; scenarios.md, the oracle 7, 8 and 13.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.proof.evidence import Evidence
from audit.proof.reading import Fact
from audit.proof.runtime_rows import ChildRow
from audit.proof.verdict import Bad, require
from audit.proof.vocabulary import ENDED_CHILD, ENDED_ROOT, OUTCOME_KINDS

_OUTCOMES = frozenset(OUTCOME_KINDS.values())
_AFTER_THE_END = frozenset({"late_answer"})


@dataclass(slots=True)
class _Life:
    """One execution as its receipts tell it."""

    child: ChildRow
    state: str = ""
    wakes: int = 0
    rescues: int = 0
    live: str = ""  # the act of its sealed request


def every_executions_states_are_legal(evidence: Evidence) -> int:
    """Each execution's receipts are legal moves, and lead to its state, wakes and rescues."""
    lives = {child.id: _Life(child) for child in evidence.record.children}
    for fact in evidence.facts:
        if fact.child:
            evidence.child(fact.child, fact.place)
            _live(lives[fact.child], fact)
    for life in lives.values():
        child, place = life.child, f"execution {life.child.role}"
        require(child.wakes == life.wakes, place, "it counts other wakes than its receipts")
        require(child.rescues == life.rescues, place, "it counts other rescues than its receipts")
        require(child.state == life.state, place, f"its receipts lead to {life.state}")
        ended = child.state in ENDED_CHILD
        require(ended or not child.end_reason, place, "it has an end reason and no end")
    return len(lives)


def _live(life: _Life, fact: Fact) -> None:
    if life.state in ENDED_CHILD and fact.kind in {"child_woken", "child_parked", "child_ended"}:
        raise Bad(fact.place, "its execution had ended")
    match fact.kind:
        case "child_created":
            require(not life.state, fact.place, "its execution stood before")
            life.state = "ready" if life.child.role == "main" else "parked"
        case "child_woken":
            life.wakes += 1
            right = (fact.act, fact.subjects.get("wakes")) == (
                f"{fact.child}:{life.wakes}",
                life.wakes,
            )
            require(right, fact.place, "it does not count the wakes of its execution")
            require(
                fact.subjects.keys() == {"cause", "wakes"}, fact.place, "it names other things"
            )
            life.state = "ready" if life.state == "parked" else life.state
        case "child_parked":
            require(life.state == "ready", fact.place, f"its execution was {life.state}")
            right = (fact.act, dict(fact.subjects)) == (
                f"{fact.child}:{fact.seq}",
                {"wakes": life.wakes},
            )
            require(right, fact.place, "it names another count of wakes")
            life.state = "parked"
        case "child_rescued":
            _rescue(life, fact)
        case "child_ended":
            life.state = str(fact.subjects.get("state"))
        case "request_sealed":
            require(life.state == "ready", fact.place, f"its execution was {life.state}")
            life.state, life.live = "running", fact.act
        case kind if kind in _OUTCOMES:
            require(life.live == fact.act, fact.place, "its request was not the sealed one")
            life.live = ""
            life.state = "ready" if life.state == "running" else life.state
        case _:
            require(bool(life.state), fact.place, "its execution was not created yet")


def _rescue(life: _Life, fact: Fact) -> None:
    life.rescues += 1
    right = (fact.act, fact.subjects.get("rescues")) == (
        f"{fact.child}:{life.rescues}",
        life.rescues,
    )
    require(right, fact.place, "it does not count the rescues of its execution")
    require(fact.subjects.keys() == {"class", "rescues"}, fact.place, "it names other things")
    require(not life.live, fact.place, "its request was still sealed")


def the_roots_states_are_legal(evidence: Evidence) -> int:
    """Open, finalising, ended: in that order; after the end there are only late answers."""
    root = evidence.root
    finalizing = evidence.fact("root_finalizing", root.id)
    end = evidence.fact("root_ended", root.id)
    first = evidence.facts[0] if evidence.facts else None
    require(first is not None and first.kind == "root_created", "receipt #1", "it creates no Root")
    if root.state == "open":
        bare = (root.cause, root.result) == ("", "")
        require(bare, "Root", "it is open and has a cause or a result of its end")
        return 1
    require(root.state in {*ENDED_ROOT, "finalizing"}, "Root", "its state is not known")
    if end is None:
        require(not root.result, "Root", "it has a result and no end")
        return 1
    right = finalizing is not None and finalizing.seq < end.seq
    require(right, end.place, "the Root was not finalised before")
    for fact in evidence.facts[end.seq :]:
        require(fact.kind in _AFTER_THE_END, fact.place, "it stands after the Root's end")
    return 1


def an_ended_root_has_no_live_work(evidence: Evidence) -> int:
    """Every execution of it has ended, and every request has its outcome."""
    if evidence.root.state not in ENDED_ROOT:
        return 0
    for child in evidence.record.children:
        require(child.state in ENDED_CHILD, f"execution {child.role}", "its Root ended before it")
    for request in evidence.record.requests:
        place = evidence.place_of(request)
        require(request.state != "sealed", place, "its Root ended and it is still sealed")
    return len(evidence.record.children)


def timers_and_deadlines_are_on_record(evidence: Evidence) -> int:
    """A timer fires once set; a deadline passes for the Root itself; a given-up synthesis is Main's."""
    count = 0
    timers = {timer.id: timer for timer in evidence.record.timers}
    for fact in evidence.facts:
        match fact.kind:
            case "timer_fired":
                timer = timers.get(fact.act)
                require(timer is not None, fact.place, "its timer is not on record")
                set_at = evidence.seq("timer_set", fact.act, fact.place)
                require(set_at < fact.seq, fact.place, "it fired before it was set")
                same = timer is not None and (
                    (fact.child, dict(fact.subjects)) == (timer.child_id, {"cause": timer.cause})
                )
                require(same, fact.place, "it is of another timer")
            case "deadline_passed":
                bare = (fact.act, fact.child, dict(fact.subjects)) == (evidence.root.id, "", {})
                require(bare, fact.place, "it is not of this Root")
            case "synthesis_failed":
                _check_failed(evidence, fact)
            case _:
                continue
        count += 1
    return count


def _check_failed(evidence: Evidence, fact: Fact) -> None:
    role = evidence.role(fact.child, fact.place)
    bare = (fact.act, role, [*fact.subjects]) == (evidence.root.id, "main", ["reason"])
    require(bare, fact.place, "it is not Main's")
    given_up = all(one.request_id is None for one in evidence.record.dispositions)
    require(given_up, fact.place, "there is a synthesis on record")
