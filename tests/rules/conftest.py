"""How hypothesis looks for counter-examples here: the same ones each time, and no clock in judgement."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("rules", max_examples=50, deadline=None, derandomize=True, database=None)
settings.load_profile("rules")
