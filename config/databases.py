"""Django's three connections to one database: `default` works, `owner` migrates, `audit` reads.

The sessions of `default` and `audit` carry guards: a frozen worker's transaction is ended before
its peers give up waiting for it.

Source: design.md D4, D7; https://docs.djangoproject.com/en/5.2/ref/databases/#connection-pool.
"""

from __future__ import annotations

from typing import Any

from config.database_roles import DatabaseAddress
from config.env import Env

_CONNECT_SECONDS = 5
_POOL_WAIT_SECONDS = 10
# A pool's pauses between tries double for this long and then begin anew: else they would outlast an
# outage of half a minute by as much again.
_POOL_RECONNECT_SECONDS = 5


def databases(env: Env) -> dict[str, dict[str, Any]]:
    """Return Django's DATABASES; empty where no database is set: then none is reached."""
    owner = env.database
    if owner is None:
        return {}
    name = env.process_name
    return {
        "default": _alias(owner.as_role("app"), name, _guards(env) | _pool(env)),
        "owner": _alias(owner, name, {}),
        "audit": _alias(owner.as_role("audit"), name, _guards(env)),
    }


def _alias(
    address: DatabaseAddress, application_name: str, options: dict[str, Any]
) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": address.host,
        "PORT": address.port,
        "NAME": address.name,
        "USER": address.user,
        "PASSWORD": address.password,
        "CONN_MAX_AGE": 0,
        "ATOMIC_REQUESTS": False,
        "OPTIONS": {
            "application_name": application_name,
            "connect_timeout": _CONNECT_SECONDS,
            **address.options,
            **options,
        },
    }


def _guards(env: Env) -> dict[str, Any]:
    guards = {
        "lock_timeout": env.lock_timeout_seconds,
        "statement_timeout": env.statement_timeout_seconds,
        "idle_in_transaction_session_timeout": env.idle_in_transaction_timeout_seconds,
    }
    return {
        "options": " ".join(f"-c {name}={round(value * 1000)}" for name, value in guards.items())
    }


def _pool(env: Env) -> dict[str, Any]:
    if env.database_pool_size == 0:
        return {}
    return {
        "pool": {
            "min_size": 1,
            "max_size": env.database_pool_size,
            "timeout": _POOL_WAIT_SECONDS,
            "reconnect_timeout": _POOL_RECONNECT_SECONDS,
        }
    }
