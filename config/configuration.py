"""Load the settings, and refuse missing or contradictory ones by name and with a remedy.

Source: design.md D20; scenario E05.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import SecretStr, ValidationError

from config.contradictions import contradictions
from config.env import PREFIX, Env, variable


class ConfigurationProblem(Exception):
    """Settings cannot be used; the message names each one, with a remedy, and no secret."""


def load() -> Env:
    """Read and check every setting.

    Raises:
        ConfigurationProblem: some are wrong or contradict each other.
    """
    try:
        env = Env()
    except ValidationError as error:
        raise ConfigurationProblem("\n".join(_lines(error))) from None
    found = contradictions(env)
    if found:
        raise ConfigurationProblem("\n".join(found))
    return env


def require(env: Env, *names: str) -> None:
    """Refuse to go on without these settings.

    Raises:
        ConfigurationProblem: one or more are not set.
    """
    missing = [name for name in names if not _is_set(getattr(env, name))]
    if missing:
        lines = (f"{variable(name)} is not set. {_remedy(name)}" for name in missing)
        raise ConfigurationProblem("\n".join(lines))


def unknown_variables(names: Iterable[str]) -> list[str]:
    """Return those with our prefix that are no setting: most often misspelt ones."""
    known = {variable(name) for name in Env.model_fields}
    return sorted(name for name in names if name.startswith(PREFIX) and name not in known)


def _lines(error: ValidationError) -> list[str]:
    names = {str(field.validation_alias or name): name for name, field in Env.model_fields.items()}
    lines = []
    for one in error.errors(include_input=False, include_url=False, include_context=False):
        name = names[str(one["loc"][0])]
        problem = one["msg"].removeprefix("Value error, ")
        lines.append(f"{variable(name)} cannot be used: {problem}. {_remedy(name)}")
    return lines


def _remedy(name: str) -> str:
    field = Env.model_fields[name]
    return field.description or f"Remove it to take the default, {field.default!r}."


def _is_set(value: object) -> bool:
    return bool(value.get_secret_value() if isinstance(value, SecretStr) else value)
