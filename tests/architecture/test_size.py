"""Small on purpose: style.md, rule 10."""

from __future__ import annotations

from tests.architecture.source import body_lines, modules, written_modules

MODULE_LINES = 300
FUNCTION_LINES = 40
# Functions that are longer, each with the reason why it reads better whole.
LONG_FUNCTIONS: dict[str, str] = {
    "audit.proof.runtime_facts.of_the_root": "one rule a line",
    "dialogue.send._accept": "the columns of one row and the subjects of its receipt",
    "research.compose._tail": "one nested literal: the messages as they are written",
}


def test_a_module_has_fewer_than_300_lines() -> None:
    long = {
        module.name: len(module.text.splitlines())
        for module in (*written_modules(), *modules("tests"))
        if len(module.text.splitlines()) >= MODULE_LINES
    }
    assert long == {}


def test_a_function_has_fewer_than_40_lines_beside_signature_and_docstring() -> None:
    long = {
        f"{module.name}.{function.name}": body_lines(function)
        for module in written_modules()
        for function in module.functions()
        if body_lines(function) >= FUNCTION_LINES
    }
    assert {name: lines for name, lines in long.items() if name not in LONG_FUNCTIONS} == {}
    assert LONG_FUNCTIONS.keys() <= long.keys(), "an exception that is none any more"
