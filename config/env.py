"""Every setting of bullbear, typed and frozen; `configuration` loads and checks them.

A value comes from the environment, else from the runtime file of the embedded stack that runs in
`BULLBEAR_HOME`, else from its default.

Source: design.md D17, D20.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from config.database_roles import DatabaseAddress
from config.embedded.runtime_file import running
from research.allowed_hosts import allowed_host

REHEARSAL_MODEL = "bullbear-rehearsal"
PROJECT = Path(__file__).resolve().parents[1]
PREFIX = "BULLBEAR_"


def _postgresql(value: SecretStr) -> SecretStr:
    if value.get_secret_value():
        DatabaseAddress.parse(value.get_secret_value())
    return value


def _redis(value: SecretStr) -> SecretStr:
    parts = urlsplit(value.get_secret_value())
    if value.get_secret_value() and (
        parts.scheme not in {"redis", "rediss"} or not parts.hostname
    ):
        raise ValueError("it is not a redis:// or rediss:// URL with a host")
    return value


def _http(value: str) -> str:
    parts = urlsplit(value)
    if value and (parts.scheme not in {"http", "https"} or not parts.hostname):
        raise ValueError("it is not an http:// or https:// URL with a host")
    if parts.username or parts.password:
        raise ValueError("it carries a user or a password, which belong elsewhere")
    return value.rstrip("/")


def _by_comma(value: str | tuple[str, ...]) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(part.strip() for part in parts if part.strip())


def _hosts(entries: tuple[str, ...]) -> tuple[str, ...]:
    for entry in entries:
        allowed_host(entry)
    return entries


def _default_home() -> Path:
    is_checkout = (PROJECT / "pyproject.toml").exists()
    return (PROJECT if is_checkout else Path.cwd()) / ".var"


Seconds = Annotated[float, Field(gt=0, le=86_400)]
Count = Annotated[int, Field(ge=1, le=100_000_000)]
HttpUrl = Annotated[str, AfterValidator(_http)]


class Env(BaseSettings):
    """The settings; `name` is read from `BULLBEAR_NAME` unless an alias says otherwise.

    A description is the remedy that is shown when the setting is missing or wrong.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    home: Annotated[Path, AfterValidator(Path.absolute)] = Field(
        default_factory=_default_home, description="Name a folder that you may write to."
    )

    process_name: str = "bullbear"  # as whom sessions and workers show

    # Servers
    database_url: Annotated[SecretStr, AfterValidator(_postgresql)] = Field(
        SecretStr(""),
        description="Set postgresql://OWNER:PASSWORD@HOST:PORT/NAME, or start `bullbear up`.",
    )
    broker_url: Annotated[SecretStr, AfterValidator(_redis)] = Field(
        SecretStr(""), description="Set redis://:PASSWORD@HOST:PORT/0, or start `bullbear up`."
    )
    database_pool_size: Annotated[int, Field(ge=0, le=500)] = 16  # 0: no pool
    lock_timeout_seconds: Seconds = 8
    statement_timeout_seconds: Seconds = 10
    idle_in_transaction_timeout_seconds: Seconds = 5

    # Provider
    openai_base_url: HttpUrl = Field(
        "",
        validation_alias="OPENAI_BASE_URL",
        description="Set the URL of an OpenAI-compatible server, up to /v1; "
        "`bullbear up` without it starts the rehearsal model.",
    )
    openai_api_key: SecretStr = Field(SecretStr(""), validation_alias="OPENAI_API_KEY")
    model: str = Field("", description="Name a model that the provider serves.")
    model_main: str = ""
    model_researcher: str = ""
    model_bull: str = ""
    model_bear: str = ""
    model_registrar: str = ""
    model_critic: str = ""
    provider_timeout_seconds: Seconds = 60
    rehearsal_latency_seconds: Annotated[float, Field(ge=0, le=600)] = 0

    # Work
    worker_concurrency: Count = (
        72  # more than permits: a hint without one, and a canary, come through
    )
    permits_per_process: Count = 64
    calls_in_flight_per_root: Count = 2
    drain_seconds: Seconds = 75

    # A Root's limits
    domain: str = "investment"
    model_calls: Count = 40
    tokens: Count = 400_000
    tool_calls: Count = 60
    deadline_seconds: Count = 1_800
    finalize_seconds: Count = 240
    rounds: Annotated[int, Field(ge=1)] = 2
    context_bytes: Count = 400_000  # a request body that is larger ends the dialogue
    rounds_limit: Annotated[int, Field(ge=1, le=3)] = 3
    unknown_policy: Literal["end", "hold", "reask"] = "end"

    # Files from addresses: none, unless a host is named
    url_hosts: Annotated[
        tuple[str, ...], NoDecode, BeforeValidator(_by_comma), AfterValidator(_hosts)
    ] = Field(
        (),
        description="Set HOST or HOST:PORT, with =ADDRESS in an intranet, or http://HOST:PORT, separated "
        "by commas; empty: files are not fetched.",
    )

    # Web
    secret_key: SecretStr = Field(
        SecretStr(""), description="Set 50 random characters, the same for every web process."
    )
    allowed_hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_by_comma)] = Field(
        (), description="Set host names, separated by commas."
    )
    public_url: HttpUrl = Field("", description="Set the address that browsers use.")
    web_port: Annotated[int, Field(ge=0, le=65_535)] = 0  # 0: a free one

    @property
    def database(self) -> DatabaseAddress | None:
        """The owner's address, or None where none is set."""
        url = self.database_url.get_secret_value()
        return DatabaseAddress.parse(url) if url else None

    @property
    def has_provider(self) -> bool:
        """Whether a provider is set, the rehearsal model of a running stack included."""
        return bool(self.openai_base_url or self.openai_api_key.get_secret_value())

    @property
    def provider_url(self) -> str:
        """The provider's base URL; a key alone means OpenAI itself."""
        return self.openai_base_url or ("https://api.openai.com/v1" if self.has_provider else "")

    @property
    def provider_key(self) -> str:
        """The provider's key; where none is set a word, because the client wants one."""
        return self.openai_api_key.get_secret_value() or "none"

    def model_for(self, role: str) -> str:
        """Return the model that a role is asked from."""
        return getattr(self, f"model_{role}") or self.model

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Look into the environment first and into the running stack second."""
        home = {**env_settings(), **init_settings()}.get("home") or _default_home()
        return init_settings, env_settings, _RunningStack(settings_cls, Path(home))


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    alias = Env.model_fields[name].validation_alias
    return str(alias) if alias else f"{PREFIX}{name.upper()}"


class _RunningStack(PydanticBaseSettingsSource):
    """The settings that a running embedded stack published."""

    def __init__(self, settings_cls: type[BaseSettings], home: Path) -> None:
        super().__init__(settings_cls)
        found = running(home / "runtime.json")
        self._values = found.settings if found is not None else {}

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return the published value of one setting, and the key pydantic knows it by."""
        key = str(field.validation_alias or field_name)
        return self._values.get(variable(field_name)), key, False

    def __call__(self) -> dict[str, Any]:
        found = (self.get_field_value(one, name) for name, one in Env.model_fields.items())
        return {key: value for value, key, _ in found if value is not None}
