"""What was frozen is unchanged: configuration, prompts, authorizations, sources.

Source: design.md D8, D9, D14, D15.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

from audit.proof.evidence import Evidence
from audit.proof.reading import mapping, sequence
from audit.proof.runtime_rows import ChildRow
from audit.proof.verdict import Bad, Unknown, require
from audit.proof.vocabulary import CONFIGURATION_VERSION
from bullbear.identity import canonical

_NARROWED = frozenset({"researcher", "bull", "bear"})
_INSTANT = "%Y-%m-%dT%H:%M:%S.%fZ"


def the_configuration_is_the_frozen_one(evidence: Evidence) -> int:
    """Its digest is recomputed; what the Root repeats of it is the same."""
    root, frozen = evidence.root, evidence.root.configuration
    place = "configuration"
    if frozen.get("v") != CONFIGURATION_VERSION:
        raise Unknown(place, f"its version is {frozen.get('v')!r}")
    require(_digest(frozen, place) == root.configuration_digest, place, "it has another digest")
    require(frozen.get("domain") == root.domain, "Root", "its domain is not the frozen one")
    require(frozen.get("language") == root.language, "Root", "its language is not the frozen one")
    _check_times(evidence)
    return 1


def _check_times(evidence: Evidence) -> None:
    root, seconds = evidence.root, evidence.root.configuration.get("finalize_seconds")
    try:
        stop = datetime.strptime(root.peers_stop_at, _INSTANT).replace(tzinfo=UTC)
        end = datetime.strptime(root.deadline_at, _INSTANT).replace(tzinfo=UTC)
    except ValueError as error:
        raise Bad("Root", "a time of it is no instant") from error
    right = isinstance(seconds, int) and end - stop == timedelta(seconds=seconds)
    require(right, "Root", "its peers stop at another time than was frozen")


def every_authorization_is_the_issued_one(evidence: Evidence) -> int:
    """Each is compared by structure with the digest of what was issued, and is of its holder."""
    for child in evidence.record.children:
        place = f"execution {child.role}"
        issued = _digest(child.authorization, place)
        require(issued == child.authorization_digest, place, "its authorization was changed")
        for name, said in (("root", evidence.root.id), ("role", child.role)):
            require(
                child.authorization.get(name) == said,
                place,
                f"its authorization was issued for another {name}",
            )
    pair = evidence.pair
    if pair is not None:
        sides = (
            ("bull", pair.bull_id, pair.bull_authorization_digest),
            ("bear", pair.bear_id, pair.bear_authorization_digest),
        )
        for role, child_id, digest in sides:
            child = evidence.child(child_id, "pair")
            require(child.role == role, "pair", f"its {role} is an execution of another role")
            require(
                child.authorization_digest == digest,
                "pair",
                f"it was frozen with another authorization of {role}",
            )
    return len(evidence.record.children)


def no_authorization_is_wider_than_was_frozen(evidence: Evidence) -> int:
    """Each lists no source but those that the request lets its role read, and no tool but the frozen ones."""
    frozen = evidence.root.configuration
    readers = frozen.get("readable", {})
    tools = mapping(frozen.get("tools"), "configuration", "the frozen tools")
    require(isinstance(readers, dict), "configuration", "it does not say who may read its sources")
    for child in evidence.record.children:
        place = f"execution {child.role}"
        allowed = {evidence.label}
        for source in sequence(frozen.get("sources"), "configuration", "the frozen sources"):
            narrowed = child.role in _NARROWED and source in readers
            if not narrowed or child.role in sequence(readers[source], place, "the readers"):
                allowed.add(source)
        require(labels_of(child, place) <= allowed, place, "it may read more than was asked for")
        issued = sequence(child.authorization.get("tools"), place, "the issued tools")
        require(set(issued) <= tools.keys(), place, "it may use a tool that was not frozen")
    return len(evidence.record.children)


def the_sources_are_the_frozen_ones(evidence: Evidence) -> int:
    """The evidence snapshot is the configuration's, in its order, and no byte of it changed."""
    sources = sorted(evidence.record.sources, key=lambda source: source.number)
    frozen = evidence.root.configuration.get("sources")
    require(frozen == [source.id for source in sources], "configuration", "it froze other sources")
    for source in sources:
        place = f"source S{source.number}"
        raw = evidence.raw(source.raw_id, place)
        require(_sha256(raw) == source.raw_sha256, place, "its bytes have another digest")
        require(bool(source.scope), place, "it has no scope, so that nobody may see it")
    return len(sources)


def the_pair_keeps_to_what_was_frozen(evidence: Evidence) -> int:
    """Its rounds and the order of its openings are the configuration's."""
    pair = evidence.pair
    if pair is None:
        return 0
    frozen = evidence.root.configuration
    require(pair.max_rounds == frozen.get("rounds"), "pair", "its rounds are not the frozen ones")
    require(
        pair.opening_order == frozen.get("opening_order"),
        "pair",
        "its order of openings is not the frozen one",
    )
    return 1


def labels_of(child: ChildRow, place: str) -> frozenset[str]:
    """Return the lineage labels that an authorization covers."""
    labels = child.authorization.get("labels")
    if not isinstance(labels, list):
        raise Bad(place, "its authorization lists no labels")
    return frozenset(labels)


def _digest(value: Any, place: str) -> str:
    try:
        return _sha256(canonical(value))
    except ValueError as error:
        raise Bad(place, "it has no canonical form") from error


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
