"""Settings are typed, checked against each other, and refused by name with a remedy."""

from __future__ import annotations

import pytest

from config.configuration import ConfigurationProblem, load, require, unknown_variables
from config.diagnosis import Finding, findings, settings_shown
from config.env import Env

SECRETS = {
    "BULLBEAR_DATABASE_URL": "postgresql://owner:hunter2@db.example:5433/desk?sslmode=require",
    "BULLBEAR_BROKER_URL": "redis://:hunter2@broker.example:6380/0",
    "OPENAI_API_KEY": "hunter2",
    "BULLBEAR_SECRET_KEY": "hunter2",
    "BULLBEAR_MODEL": "a-model",
}


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    for name in SECRETS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("BULLBEAR_HOME", str(tmp_path))


def set_all(monkeypatch: pytest.MonkeyPatch, values: dict[str, str]) -> None:
    for name, value in values.items():
        monkeypatch.setenv(name, value)


class TestLoad:
    @pytest.mark.parametrize(
        ("values", "named"),
        [
            ({"BULLBEAR_DRAIN_SECONDS": "74"}, "BULLBEAR_DRAIN_SECONDS (74)"),
            ({"BULLBEAR_PROVIDER_TIMEOUT_SECONDS": "61"}, "BULLBEAR_DRAIN_SECONDS (75)"),
            ({"BULLBEAR_FINALIZE_SECONDS": "239"}, "BULLBEAR_FINALIZE_SECONDS (239)"),
            ({"BULLBEAR_DEADLINE_SECONDS": "240"}, "BULLBEAR_DEADLINE_SECONDS (240)"),
            ({"BULLBEAR_LOCK_TIMEOUT_SECONDS": "5"}, "BULLBEAR_LOCK_TIMEOUT_SECONDS (5)"),
            ({"BULLBEAR_STATEMENT_TIMEOUT_SECONDS": "8"}, "BULLBEAR_STATEMENT_TIMEOUT_SECONDS"),
            ({"BULLBEAR_STATEMENT_TIMEOUT_SECONDS": "15"}, "outlasts a lease: set it below 15"),
            ({"BULLBEAR_WORKER_CONCURRENCY": "8"}, "BULLBEAR_PERMITS_PER_PROCESS (64)"),
            ({"BULLBEAR_ROUNDS_LIMIT": "1"}, "BULLBEAR_ROUNDS (2)"),
            ({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, "BULLBEAR_MODEL is not set"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_refuses_a_contradiction(
        self, monkeypatch: pytest.MonkeyPatch, values: dict[str, str], named: str
    ) -> None:
        """The setting and what to do are named. Scenario E05."""
        set_all(monkeypatch, values)
        with pytest.raises(ConfigurationProblem) as refused:
            load()
        assert named in str(refused.value)

    @pytest.mark.parametrize(
        ("name", "value", "problem"),
        [
            ("BULLBEAR_ROUNDS_LIMIT", "99", "less than or equal to 3"),
            ("BULLBEAR_ROUNDS", "0", "greater than or equal to 1"),
            ("BULLBEAR_TOKENS", "many", "valid integer"),
            ("BULLBEAR_DATABASE_URL", "mysql://owner:hunter2@host/db", "begin with postgresql://"),
            ("BULLBEAR_DATABASE_URL", "postgresql://owner@host/db", "names no password"),
            ("BULLBEAR_BROKER_URL", "amqp://:hunter2@host", "not a redis://"),
            ("OPENAI_BASE_URL", "http://me:hunter2@host/v1", "carries a user or a password"),
            ("BULLBEAR_UNKNOWN_POLICY", "hunter2", "Input should be 'end'"),
            ("BULLBEAR_URL_HOSTS", "files.example,me:hunter2@host", "an entry is no"),
        ],
    )
    def test_refuses_a_wrong_value_without_showing_it(
        self, monkeypatch: pytest.MonkeyPatch, name: str, value: str, problem: str
    ) -> None:
        """A value may be a secret in the wrong place."""
        monkeypatch.setenv(name, value)
        with pytest.raises(ConfigurationProblem) as refused:
            load()
        assert str(refused.value).startswith(f"{name} cannot be used: ")
        assert problem in str(refused.value)
        assert "hunter2" not in str(refused.value)

    def test_takes_an_empty_variable_as_unset(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An empty line in an environment file changes nothing."""
        monkeypatch.setenv("BULLBEAR_ROUNDS", "")
        assert load().rounds == 2


class TestEnv:
    def test_never_prints_a_secret(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Neither its text nor doctor's table hold one."""
        set_all(monkeypatch, SECRETS)
        env = load()
        assert "hunter2" not in f"{env} {env!r} {settings_shown(env)} {env.database!r}"
        assert settings_shown(env)["OPENAI_API_KEY"] == "(set)"

    def test_names_a_model_for_each_role(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A role without a model of its own takes the default."""
        set_all(monkeypatch, SECRETS | {"BULLBEAR_MODEL_BEAR": "another"})
        assert (load().model_for("bear"), load().model_for("bull")) == ("another", "a-model")

    def test_takes_a_key_alone_as_openai(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nobody else has a default address."""
        assert Env().provider_url == ""
        set_all(monkeypatch, SECRETS)
        assert load().provider_url == "https://api.openai.com/v1"


class TestRequire:
    def test_names_what_is_missing_and_what_to_do(self) -> None:
        """All at once, each on a line."""
        with pytest.raises(ConfigurationProblem) as refused:
            require(load(), "database_url", "broker_url", "home")
        lines = str(refused.value).splitlines()
        assert [line.split()[0] for line in lines] == [
            "BULLBEAR_DATABASE_URL",
            "BULLBEAR_BROKER_URL",
        ]
        assert all("bullbear up" in line for line in lines)


class TestFindings:
    def test_names_the_domain_and_the_others(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The default of a Root that names none; an unknown one with its remedy."""
        assert Finding("domain", ok=True, detail="investment; per Root also decision") in findings(
            load()
        )
        monkeypatch.setenv("BULLBEAR_DOMAIN", "chess")
        detail = "there is no 'chess': set BULLBEAR_DOMAIN to decision or investment"
        assert Finding("domain", ok=False, detail=detail) in findings(load())


class TestUnknownVariables:
    def test_finds_the_misspelt(self) -> None:
        """Only names with our prefix are ours to judge."""
        assert unknown_variables(["BULLBEAR_RUONDS", "BULLBEAR_ROUNDS", "HOME"]) == [
            "BULLBEAR_RUONDS"
        ]
