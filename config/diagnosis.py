"""What `bullbear doctor` finds: settings, versions, and who answers; secrets are never shown."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException

import psycopg
import redis
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from pydantic import SecretStr

from config.configuration import unknown_variables
from config.database_roles import ROLES, DatabaseAddress
from config.embedded.programs import versions as embedded_versions
from config.env import Env, variable
from research.domains.registry import DOMAINS

ROLES_OF_MODELS = ("main", "researcher", "bull", "bear", "registrar", "critic")
_PACKAGES = ("django", "celery", "redis", "psycopg", "openai", "pydantic", "gunicorn")
_SECONDS = 5
_OLDEST_POSTGRESQL = 150_000  # 15.0, as the server numbers itself


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `ok` is None where there is nothing to look at."""

    subject: str
    ok: bool | None
    detail: str


def settings_shown(env: Env) -> dict[str, str]:
    """Return every setting by its variable; of a secret only whether it is set."""
    shown = {}
    for name in Env.model_fields:
        value = getattr(env, name)
        if isinstance(value, SecretStr):
            shown[variable(name)] = "(set)" if value.get_secret_value() else ""
        elif isinstance(value, tuple):
            shown[variable(name)] = ",".join(value)
        else:
            shown[variable(name)] = str(value)
    return shown


def versions() -> dict[str, str]:
    """Return the versions of what runs here."""
    packages = {name: importlib.metadata.version(name) for name in _PACKAGES}
    return {"python": platform.python_version(), **packages, **embedded_versions()}


def findings(env: Env) -> list[Finding]:
    """Ask everything that the settings name whether it is there."""
    unknown = unknown_variables(os.environ)
    misspelt = [Finding(name, ok=False, detail="no such setting: misspelt?") for name in unknown]
    return [*misspelt, _domain(env), *_database(env.database), _broker(env), *_provider(env)]


def _domain(env: Env) -> Finding:
    known = sorted(DOMAINS)
    if env.domain in known:
        others = ", ".join(name for name in known if name != env.domain)
        return Finding("domain", ok=True, detail=f"{env.domain}; per Root also {others}")
    detail = f"there is no {env.domain!r}: set {variable('domain')} to {' or '.join(known)}"
    return Finding("domain", ok=False, detail=detail)


def _database(owner: DatabaseAddress | None) -> list[Finding]:
    if owner is None:
        return [Finding("database", ok=None, detail="not set")]
    entries = [("database", owner), *((f"database as {one}", owner.as_role(one)) for one in ROLES)]
    found = [_entered(subject, address) for subject, address in entries]
    return [*found, _migrations()] if all(one.ok for one in found) else found


def _entered(subject: str, address: DatabaseAddress) -> Finding:
    try:
        with address.connect() as connection:
            version = connection.info.server_version
            detail = f"PostgreSQL {version // 10_000}.{version % 10_000} as {address.user}"
            return Finding(subject, ok=version >= _OLDEST_POSTGRESQL, detail=detail)
    except psycopg.Error as error:
        detail = f"{type(error).__name__}: {str(error).splitlines()[0]}. Try `bullbear migrate`."
        return Finding(subject, ok=False, detail=detail)


def _migrations() -> Finding:
    try:
        executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        return Finding("migrations", ok=False, detail=type(error).__name__)
    detail = f"{len(waiting)} to apply: `bullbear migrate`" if waiting else "all applied"
    return Finding("migrations", ok=not waiting, detail=detail)


def _broker(env: Env) -> Finding:
    url = env.broker_url.get_secret_value()
    if not url:
        return Finding("broker", ok=None, detail="not set")
    client = redis.Redis.from_url(url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS)
    try:
        told = client.info("server")
    except redis.RedisError as error:
        return Finding("broker", ok=False, detail=type(error).__name__)
    finally:
        client.close()
    kind = "Valkey" if "valkey_version" in told else "Redis"
    version = told.get("valkey_version", told.get("redis_version"))
    return Finding("broker", ok=True, detail=f"{kind} {version}")


def _provider(env: Env) -> list[Finding]:
    if not env.has_provider:
        return [
            Finding(
                "provider", ok=None, detail="not set: `bullbear up` starts the rehearsal model"
            )
        ]
    wanted = {role: env.model_for(role) for role in ROLES_OF_MODELS}
    named = ", ".join(f"{role} {model}" for role, model in wanted.items())
    try:
        served = _models(env)
    except urllib.error.HTTPError as error:
        lists_none = error.code == HTTPStatus.NOT_FOUND
        why = "does not list its models" if lists_none else f"answers HTTP {error.code}"
        return [
            Finding(
                "provider",
                ok=None if lists_none else False,
                detail=f"{env.provider_url}: {named}; {why}",
            )
        ]
    except (OSError, ValueError, HTTPException) as error:
        detail = f"{env.provider_url}: {type(error).__name__}"
        return [Finding("provider", ok=False, detail=detail)]
    missing = sorted(set(wanted.values()) - served)
    said = f"; not served: {', '.join(missing)}" if missing else ""
    return [Finding("provider", ok=not missing, detail=f"{env.provider_url}: {named}{said}")]


def _models(env: Env) -> set[str]:
    request = urllib.request.Request(  # noqa: S310 - `Env` admits http and https only
        f"{env.provider_url}/models", headers={"Authorization": f"Bearer {env.provider_key}"}
    )
    with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
        return {str(one["id"]) for one in json.load(answer)["data"]}
