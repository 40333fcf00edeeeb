"""Which settings cannot hold together, and what to do about it: one table.

A worker that is told to stop must be able to see its calls through.  A session that waits for the
lock of a frozen one must outlive the guard that frees it, and give up before a lease ends.

Source: design.md D7, D17; scenario E05.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bullbear.options import HARD_END_SLACK_SECONDS
from config.env import Env

CALLS_IN_THE_RESERVE = 4  # twice a synthesis and a reasoning audit


@dataclass(frozen=True, slots=True)
class Rule:
    """What must hold, and what is said where it does not; `{env.…}` shows the values."""

    holds: Callable[[Env], bool]
    otherwise: str


def hard_end_seconds(env: Env) -> float:
    """Return how long a call may last at most."""
    return env.provider_timeout_seconds + HARD_END_SLACK_SECONDS


RULES = (
    Rule(
        lambda env: env.drain_seconds >= hard_end_seconds(env),
        "BULLBEAR_DRAIN_SECONDS ({env.drain_seconds:g}) is less than a call may last: set it to "
        f"at least {HARD_END_SLACK_SECONDS} more than BULLBEAR_PROVIDER_TIMEOUT_SECONDS "
        "({env.provider_timeout_seconds:g}).",
    ),
    Rule(
        lambda env: env.finalize_seconds >= CALLS_IN_THE_RESERVE * env.provider_timeout_seconds,
        "BULLBEAR_FINALIZE_SECONDS ({env.finalize_seconds}) leaves no time for the "
        f"{CALLS_IN_THE_RESERVE} calls of the hand-back reserve: set it to at least "
        f"{CALLS_IN_THE_RESERVE} x BULLBEAR_PROVIDER_TIMEOUT_SECONDS "
        "({env.provider_timeout_seconds:g}), or lower that.",
    ),
    Rule(
        lambda env: env.deadline_seconds > env.finalize_seconds,
        "BULLBEAR_DEADLINE_SECONDS ({env.deadline_seconds}) leaves no time for research: set it "
        "to more than BULLBEAR_FINALIZE_SECONDS ({env.finalize_seconds}).",
    ),
    Rule(
        lambda env: env.idle_in_transaction_timeout_seconds < env.lock_timeout_seconds,
        "BULLBEAR_LOCK_TIMEOUT_SECONDS ({env.lock_timeout_seconds:g}) gives up before a frozen "
        "peer is freed: set it above BULLBEAR_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS "
        "({env.idle_in_transaction_timeout_seconds:g}).",
    ),
    Rule(
        lambda env: env.lock_timeout_seconds < env.statement_timeout_seconds,
        "BULLBEAR_STATEMENT_TIMEOUT_SECONDS ({env.statement_timeout_seconds:g}) ends a statement "
        "that still waits for its lock: set it above BULLBEAR_LOCK_TIMEOUT_SECONDS "
        "({env.lock_timeout_seconds:g}).",
    ),
    Rule(
        lambda env: env.statement_timeout_seconds < HARD_END_SLACK_SECONDS,
        "BULLBEAR_STATEMENT_TIMEOUT_SECONDS ({env.statement_timeout_seconds:g}) outlasts a lease: "
        f"set it below {HARD_END_SLACK_SECONDS}.",
    ),
    Rule(
        lambda env: env.permits_per_process <= env.worker_concurrency,
        "BULLBEAR_PERMITS_PER_PROCESS ({env.permits_per_process}) exceeds a worker's threads: set "
        "BULLBEAR_WORKER_CONCURRENCY ({env.worker_concurrency}) to at least as many.",
    ),
    Rule(
        lambda env: env.rounds <= env.rounds_limit,
        "BULLBEAR_ROUNDS ({env.rounds}) is more than BULLBEAR_ROUNDS_LIMIT ({env.rounds_limit}): "
        "lower the first or raise the second (3 at most).",
    ),
    Rule(
        lambda env: bool(env.model) or not env.has_provider,
        "BULLBEAR_MODEL is not set, but OPENAI_BASE_URL or OPENAI_API_KEY is: name the model that "
        "this provider serves.",
    ),
)


def contradictions(env: Env) -> list[str]:
    """Return one line for each rule that does not hold."""
    return [rule.otherwise.format(env=env) for rule in RULES if not rule.holds(env)]
