"""What an execution may do and see: issued by the host, compared by structure, never widened.

Labels of a lineage are source ids and `root:<id>` for what belongs to the Root's own scope: its question.

Source: design.md D14, D15.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from bullbear.identity import JsonValue, digest
from bullbear.lifecycle import Role

VERSION = 1
PUBLIC = "public"

ACTS: Mapping[Role, tuple[str, ...]] = {
    Role.MAIN: ("plan", "synthesis"),
    Role.RESEARCHER: ("opening", "research"),
    Role.BULL: ("opening", "respond", "no_further"),
    Role.BEAR: ("opening", "challenge", "proposition", "no_further"),
    Role.REGISTRAR: ("registration",),
    Role.CRITIC: ("reasoning_audit",),
}
NEEDED_IN_A_PAIR: Mapping[Role, frozenset[str]] = {
    Role.BULL: frozenset({"respond", "no_further"}),
    Role.BEAR: frozenset({"challenge", "proposition", "no_further"}),
}
RESEARCH = "research"  # an act: private research, whose result is a finding for Main only
NARROWED = (
    Role.RESEARCHER,
    Role.BULL,
    Role.BEAR,
)  # Main, registrar and critic hold the whole scope
PEER_OF: Mapping[Role, Role] = {Role.BULL: Role.BEAR, Role.BEAR: Role.BULL}
USES_TOOLS = frozenset({Role.RESEARCHER, Role.BULL, Role.BEAR})


def root_label(root_id: UUID) -> str:
    """Name what belongs to a Root's own scope."""
    return f"root:{root_id}"


def desk_scope(desk: str) -> str:
    """Name the scope that every member of a desk holds."""
    return f"desk:{desk}"


def readable_sources(configuration: Mapping[str, Any], role: Role) -> list[str]:
    """Name the sources that executions of a role may read: all, unless the request narrowed one.

    Shape:
        configuration: {sources: [uuid], readable: {uuid: [role]}}; one not in `readable` is everybody's
    """
    narrowed: Mapping[str, Any] = configuration.get("readable", {})
    return [
        source
        for source in configuration["sources"]
        if role not in NARROWED or source not in narrowed or role in narrowed[source]
    ]


def issue(
    *,
    root_id: UUID,
    role: Role,
    sources: Iterable[UUID],
    tools: Iterable[str],
    researches: bool = False,
) -> dict[str, JsonValue]:
    """Write the authorization of an execution; one that `researches` has material of its own for that.

    Shape:
        v: int, root: uuid, role: str, acts: [str], labels: [str], tools: [str]
    """
    return {
        "v": VERSION,
        "root": str(root_id),
        "role": str(role),
        "acts": [*ACTS[role], *([RESEARCH] if researches else [])],
        "labels": sorted([root_label(root_id), *(str(source) for source in sources)]),
        "tools": sorted(tools) if role in USES_TOOLS else [],
    }


def authorization_digest(authorization: Mapping[str, Any]) -> str:
    """Return the digest of an authorization's canonical bytes.

    Raises:
        NotCanonical: it holds a float or a key that is no string.
    """
    return digest(authorization)


def may_see(authorization: Mapping[str, Any], lineage: Collection[str]) -> bool:
    """Whether an authorization covers a whole lineage: only then may the text reach its holder."""
    return frozenset(lineage) <= frozenset(authorization["labels"])


def both_may_see(one: Mapping[str, Any], other: Mapping[str, Any]) -> frozenset[str]:
    """Return the labels that two authorizations have in common."""
    return frozenset(one["labels"]) & frozenset(other["labels"])


def may_act(authorization: Mapping[str, Any], act: str) -> bool:
    """Whether the holder was issued this act."""
    return act in authorization["acts"]


def may_use(authorization: Mapping[str, Any], tool: str) -> bool:
    """Whether the holder was issued this tool."""
    return tool in authorization["tools"]
