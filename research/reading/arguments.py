"""Arguments of tools: pydantic models, and the JSON schemas that strict servers take.

A schema requires every argument, names no others and holds no patterns (servers compile them
differently); what a model leaves out gets the default here, and every rule is checked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from research.domain import Json, ToolRefused

MAX_TEXT: Final = 200
_DROPPED: Final = frozenset(
    {"title", "default", "maxLength", "minLength", "maxItems", "minimum", "maximum"}
)


class ReadingCode(StrEnum):
    """Why a tool on sources refuses in any domain: without handles or titles."""

    UNKNOWN_SOURCE = "unknown_source"  # no source the caller may read has this handle
    BAD_ARGUMENTS = "bad_arguments"  # the arguments have the wrong shape, or cannot be
    NO_DATA = (
        "no_data"  # what is there holds nothing of this kind; that says nothing about the matter
    )


class Arguments(BaseModel):
    """Arguments of one tool: JSON types as they are, no other names."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, str_strip_whitespace=True)


Text = Annotated[str, Field(max_length=MAX_TEXT)]

A = TypeVar("A", bound=Arguments)


def checked(arguments: Json, shape: type[A]) -> A:
    """Return the arguments in their shape.

    Raises:
        ToolRefused: `bad_arguments`: an unknown, missing, mistyped or impossible one.
    """
    try:
        return shape.model_validate(dict(arguments))
    except ValidationError as error:
        raise ToolRefused(ReadingCode.BAD_ARGUMENTS, _told(error)) from error


def _told(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the arguments"
    return f"{where}: {first['msg']}"[:MAX_TEXT]


def parameters_of(shape: type[Arguments]) -> Json:
    """Return the JSON schema of the arguments: all of them required, and no others."""
    schema = shape.model_json_schema()
    return _strict(schema, schema.get("$defs", {}))


def _strict(node: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        inlined = known[node["$ref"].rpartition("/")[2]]
        own = {
            key: value for key, value in node.items() if key not in ("$ref", "default", "title")
        }
        return _strict({**inlined, **own}, known)
    found = {key: value for key, value in node.items() if key not in _DROPPED | {"$defs"}}
    if "items" in found:
        found["items"] = _strict(found["items"], known)
    if found.get("type") == "object":
        properties = found.get("properties", {})
        found["properties"] = {name: _strict(each, known) for name, each in properties.items()}
        found["required"] = list(properties)
        found["additionalProperties"] = False
        found.pop("description", None)  # the docstring of the shape is not for a model
    return found
