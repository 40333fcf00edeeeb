"""Gaps: each disclosed once, however many steps meet it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bullbear.lifecycle import Role
from research.rules import Wish
from tests.driving import Driver
from tests.provider_double import ProviderDouble
from tests.usecases.scene import Scene


@pytest.mark.usefixtures("database")
class TestRecordGap:
    """A prompt that all executions share is no longer the one the Root was opened with."""

    def test_discloses_it_once_for_all_who_miss_it(
        self, asking: Driver, double: ProviderDouble, tmp_path: Path
    ) -> None:
        """Main, Bull and Bear meet it in steps of their own; no model is asked, and the Root ends."""
        shutil.copytree(asking.domain.prompts, tmp_path, dirs_exist_ok=True)
        (tmp_path / "common.md").write_text("What it said when the Root was opened.")
        earlier = replace(asking, domain=replace(asking.domain, prompts=tmp_path))
        scene = Scene(double, asking, earlier.open(wish=Wish.REQUIRE))
        root = scene.end()
        assert (root.state, root.result) == ("finished", "partial")
        assert double.hits() == []
        assert scene.gaps().count(("configuration_changed", "common")) == 1
        assert [scene.child(role).state for role in (Role.BULL, Role.BEAR)] == ["failed", "failed"]
