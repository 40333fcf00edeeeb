"""Arguments of tools: JSON schemas fit for strict servers, and the same rules checked again."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from research.domain import Json, ToolRefused

_TYPES: Final[Mapping[str, type]] = {"string": str, "integer": int}


class Code(StrEnum):
    """Why a tool refuses; the whole vocabulary, without handles or titles."""

    UNKNOWN_SOURCE = "unknown_source"  # no source the caller may read has this handle
    UNKNOWN_FUND = "unknown_fund"  # no line and no holdings file, or several, go by this name
    BAD_ARGUMENTS = "bad_arguments"  # the arguments have the wrong shape, or cannot be
    NO_PORTFOLIO = "no_portfolio"  # no portfolio among the sources
    NO_HOLDINGS = "no_holdings"  # no holdings file among the sources, and the lines do not tell
    NO_DATA = "no_data"  # the files that are there hold no label of this kind


def schema(properties: Json) -> Json:
    """Return the JSON schema of an object that has all these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def checked(arguments: Json, parameters: Json, optional: Json) -> dict[str, Any]:
    """Return the arguments with the optional ones filled in.

    Raises:
        ToolRefused: `bad_arguments`: an unknown, missing or mistyped one.
    """
    properties = parameters["properties"]
    unknown = sorted(set(arguments) - set(properties))
    if unknown:
        raise ToolRefused(Code.BAD_ARGUMENTS, f"unknown arguments: {', '.join(unknown)}")
    found = {**optional, **arguments}
    for name, rule in properties.items():
        if name not in found:
            raise ToolRefused(Code.BAD_ARGUMENTS, f"missing argument: {name}")
        # type() and not isinstance(): True is no integer.
        if type(found[name]) is not _TYPES[rule["type"]]:
            raise ToolRefused(Code.BAD_ARGUMENTS, f"{name} is a JSON {rule['type']}")
        if "enum" in rule and found[name] not in rule["enum"]:
            raise ToolRefused(Code.BAD_ARGUMENTS, f"{name} is one of: {', '.join(rule['enum'])}")
    return found
