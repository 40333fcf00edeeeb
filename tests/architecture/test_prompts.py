"""Prompts are files: style.md, rule 14."""

from __future__ import annotations

import ast
import re

import pytest

from dialogue.turns import TURNS
from research.authority import ACTS
from research.domains.registry import DOMAINS, domain
from research.prompts import all_prompts
from research.rules import Purpose
from tests.architecture.source import written_modules

PACKAGES_THAT_ASK = ("bullbear", "research", "dialogue")
ADDRESSES_A_MODEL = re.compile(
    r"\b(you are|you must|your (answer|task|role|opening)|answer (with|as) |respond with|"
    r"as (bull|bear)|think step)\b",
    re.IGNORECASE,
)
ROLES_OF = {
    Purpose.PLAN: ("main",),
    Purpose.RESEARCH: ("bull", "bear"),
    Purpose.OPENING: ("researcher", "bull", "bear"),
    Purpose.CHALLENGE: ("bear",),
    Purpose.RESPONSE: ("bull",),
    Purpose.SYNTHESIS: ("main",),
}


def test_no_text_in_python_addresses_a_model() -> None:
    found = [
        f"{module.named(string)} {string.value!r}"
        for module in written_modules(*PACKAGES_THAT_ASK)
        for string in module.strings()
        if ADDRESSES_A_MODEL.search(str(string.value))
    ]
    assert found == []


def test_only_blocks_writes_a_system_message() -> None:
    found = {
        module.name
        for module in written_modules(*PACKAGES_THAT_ASK)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "role"
        if isinstance(value, ast.Constant) and value.value == "system"
    }
    assert found == {"research.blocks"}


def test_only_the_loader_opens_prompt_files() -> None:
    found = {
        module.name
        for module in written_modules(*PACKAGES_THAT_ASK)
        for string in module.strings()
        if str(string.value).endswith("*.md")
    }
    assert found == {"research.prompts"}


@pytest.mark.parametrize("name", sorted(DOMAINS))
def test_every_turn_has_the_prompt_of_each_role_that_takes_it(name: str) -> None:
    assert ROLES_OF.keys() == TURNS.keys()
    wanted = {f"{role}_{purpose}" for purpose, roles in ROLES_OF.items() for role in roles}
    assert {"common", *wanted} == set(all_prompts(domain(name)))


def test_every_role_that_takes_a_turn_is_issued_its_acts() -> None:
    roles = {role for roles in ROLES_OF.values() for role in roles}
    assert roles <= {str(role) for role in ACTS}


@pytest.mark.parametrize("name", sorted(DOMAINS))
def test_no_prompt_is_empty_and_none_is_twice(name: str) -> None:
    prompts = all_prompts(domain(name)).values()
    assert all(prompt.text for prompt in prompts)
    assert len({prompt.sha256 for prompt in prompts}) == len(prompts)
