"""A scripted provider, a client of it, and calls sealed for it."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from bullbear.wire.call import Endpoint, SealedCall
from bullbear.wire.clock import steady_seconds
from bullbear.wire.provider import Provider
from tests.provider_double import ProviderDouble

BODY = '{"model":"m","messages":[{"role":"user","content":"Größe: 15 % → 23 %"}]}'.encode()
LOOPBACK_PEM = Path(__file__).parents[1] / "provider_double" / "loopback.pem"


class Seal(Protocol):
    """Seals a call for the scripted provider."""

    def __call__(
        self,
        *,
        body: bytes = BODY,
        act: str = "",
        seconds: float = 10.0,
        to_hard_end: float = 25.0,
        base_url: str = "",
    ) -> SealedCall: ...


@pytest.fixture(scope="session")
def double_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProviderDouble]:
    with ProviderDouble(tmp_path_factory.mktemp("double")) as double:
        yield double


@pytest.fixture
def double(double_process: ProviderDouble) -> ProviderDouble:
    double_process.forget()
    return double_process


@pytest.fixture(scope="session")
def double_under_tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProviderDouble]:
    with ProviderDouble(tmp_path_factory.mktemp("double"), tls=LOOPBACK_PEM) as double:
        yield double


@pytest.fixture
def provider(double: ProviderDouble) -> Provider:
    return Provider(Endpoint.from_base_url(double.base_url), "key")


@pytest.fixture
def seal(double: ProviderDouble) -> Seal:
    def sealed(
        *,
        body: bytes = BODY,
        act: str = "",
        seconds: float = 10.0,
        to_hard_end: float = 25.0,
        base_url: str = "",
    ) -> SealedCall:
        return SealedCall(
            request_id=str(uuid.uuid4()),
            act=act or f"{uuid.uuid4()}:1:1:1",
            body=body,
            sha256=hashlib.sha256(body).digest(),
            endpoint=Endpoint.from_base_url(base_url or double.base_url),
            hard_end=steady_seconds() + to_hard_end,
            timeout_seconds=seconds,
        )

    return sealed
