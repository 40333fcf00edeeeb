"""A provider that misbehaves on request, over real HTTP, in a process of its own."""

from tests.provider_double.behaviour import Behaviour
from tests.provider_double.double import Hit, ProviderDouble

__all__ = ["Behaviour", "Hit", "ProviderDouble"]
