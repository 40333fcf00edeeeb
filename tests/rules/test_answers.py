"""Which answers are valid, field by field: design.md D8, D10 to D13.

Each case is a valid answer with one thing changed.
"""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from dialogue.answers import BearAnswer, BullAnswer, SynthesisAnswer
from research.answers import Answer, OpeningAnswer, PlanAnswer

PLAN = {"pattern": "dialogue", "reason": "A premise is worth testing."}
OPENING = {
    "statement": "One more fund means more diversification. Costs stay low.",
    "claims": [{"quote": "One more fund means more diversification.", "evidence": ["T1", "S2"]}],
    "unknown": ["What volatility does."],
    "would_change": ["A look-through that shows less concentration."],
}
CHALLENGE = {
    "kind": "challenge",
    "claims": ["C1"],
    "text": "Technology rises from 15.00 to 23.00 percent.",
    "counter_quote": "rises from 15.00 to 23.00",
    "evidence": ["T1"],
    "does_not_establish": "Whether volatility rises.",
    "checked": [],
    "unknown": [],
}
PROPOSITION = {**CHALLENGE, "kind": "proposition", "counter_quote": ""}
NOTHING_FURTHER = {
    "kind": "no_further",
    "claims": [],
    "text": "",
    "counter_quote": "",
    "evidence": [],
    "does_not_establish": "",
    "checked": ["The look-through of all lines."],
    "unknown": ["Correlations."],
}
RESPONSE = {
    "kind": "response",
    "text": "I withdraw this: the fund adds what is there.",
    "answers": [{"claim": "C1", "action": "concede", "quote": "I withdraw this"}],
    "evidence": ["T1"],
    "checked": [],
    "unknown": [],
}
DECLINED = {
    "kind": "no_further",
    "text": "",
    "answers": [],
    "evidence": [],
    "checked": ["Both tool results."],
    "unknown": ["Nothing else."],
}
SYNTHESIS = {
    "summary": "Exposure goes to [[T1.after_pct]].",
    "dispositions": [
        {"claim": "C1", "disposition": "withdrawn", "reason": "Conceded.", "evidence": ["M2"]}
    ],
    "open_questions": ["The direction of volatility."],
    "would_change": [],
}

VALID: list[tuple[type[Answer], dict[str, Any], str]] = [
    (PlanAnswer, PLAN, "a plan"),
    (OpeningAnswer, OPENING, "an opening"),
    (OpeningAnswer, {**OPENING, "unknown": [], "would_change": []}, "an opening without lists"),
    (BearAnswer, CHALLENGE, "a challenge"),
    (BearAnswer, PROPOSITION, "a proposition without a counter-quote"),
    (BearAnswer, {**PROPOSITION, "counter_quote": "Technology"}, "a proposition with one"),
    (BearAnswer, {**CHALLENGE, "evidence": []}, "a challenge that cites nothing"),
    (BearAnswer, NOTHING_FURTHER, "no strong counterexample"),
    (BullAnswer, RESPONSE, "a response"),
    (BullAnswer, DECLINED, "bull declines"),
    (SynthesisAnswer, SYNTHESIS, "a synthesis"),
    (SynthesisAnswer, {**SYNTHESIS, "dispositions": []}, "a synthesis without claims"),
]


def claim(**changed: Any) -> dict[str, Any]:
    return {**OPENING, "claims": [{"quote": "Costs stay low.", "evidence": [], **changed}]}


def answer(**changed: Any) -> dict[str, Any]:
    one = {"claim": "C1", "action": "defend", "quote": "I withdraw", **changed}
    return {**RESPONSE, "answers": [one]}


def disposed(**changed: Any) -> dict[str, Any]:
    one = {"claim": "C1", "disposition": "stands", "reason": "r", "evidence": [], **changed}
    return {**SYNTHESIS, "dispositions": [one]}


INVALID: list[tuple[type[Answer], Any, str]] = [
    (PlanAnswer, {**PLAN, "pattern": "mediated"}, "a pattern of a later day"),
    (PlanAnswer, {**PLAN, "pattern": "Dialogue"}, "a pattern in another case"),
    (PlanAnswer, {**PLAN, "reason": ""}, "a plan without a reason"),
    (PlanAnswer, {**PLAN, "reason": " \n"}, "a reason of white space"),
    (PlanAnswer, {**PLAN, "reason": "x" * 1_001}, "a reason that is too long"),
    (PlanAnswer, {**PLAN, "recipient": "bear"}, "a field that no plan has"),
    (PlanAnswer, {"pattern": "single"}, "a missing field"),
    (PlanAnswer, ["dialogue", "why"], "a list"),
    (PlanAnswer, None, "null"),
    (OpeningAnswer, {**OPENING, "statement": ""}, "an empty statement"),
    (OpeningAnswer, {**OPENING, "statement": "x" * 8_001}, "a statement that is too long"),
    (OpeningAnswer, {**OPENING, "claims": []}, "an opening without a claim"),
    (OpeningAnswer, {**OPENING, "claims": OPENING["claims"] * 9}, "more than eight claims"),  # type: ignore[operator]
    (OpeningAnswer, {**OPENING, "unknown": ["x"] * 13}, "more than twelve unknowns"),
    (OpeningAnswer, {**OPENING, "unknown": [""]}, "an empty unknown"),
    (OpeningAnswer, {**OPENING, "unknown": "volatility"}, "a text where a list is wanted"),
    (OpeningAnswer, claim(quote="\t"), "a claim of white space"),
    (OpeningAnswer, claim(evidence=["S0"]), "a handle that counts from zero"),
    (OpeningAnswer, claim(evidence=["X1"]), "a handle of no kind"),
    (OpeningAnswer, claim(evidence=["S1 "]), "a handle with a space"),
    (OpeningAnswer, claim(evidence=["S1\n"]), "a handle with a line break"),
    (OpeningAnswer, claim(evidence=["S\u0661"]), "a handle in other digits"),
    (OpeningAnswer, claim(evidence=["S12345"]), "a handle that is too long"),
    (OpeningAnswer, claim(evidence=[1]), "a number where a handle is wanted"),
    (OpeningAnswer, claim(evidence=["01980000-0000-7000-8000-000000000001"]), "a host id"),
    (OpeningAnswer, claim(author="bear"), "a claim that names its author"),
    (BearAnswer, {**CHALLENGE, "kind": "accusation"}, "an unknown kind"),
    (BearAnswer, {**CHALLENGE, "claims": []}, "a challenge of no claim"),
    (BearAnswer, {**CHALLENGE, "claims": ["M1"]}, "a challenge of a message"),
    (BearAnswer, {**CHALLENGE, "text": "", "counter_quote": ""}, "a challenge without text"),
    (BearAnswer, {**CHALLENGE, "text": "  ", "counter_quote": " "}, "a text of white space"),
    (BearAnswer, {**CHALLENGE, "counter_quote": ""}, "a challenge without counter-evidence"),
    (BearAnswer, {**CHALLENGE, "counter_quote": " "}, "counter-evidence of white space"),
    (
        BearAnswer,
        {**CHALLENGE, "counter_quote": "falls"},
        "a counter-quote that is not in the text",
    ),
    (BearAnswer, {**CHALLENGE, "counter_quote": "RISES from"}, "a counter-quote in other letters"),
    (BearAnswer, {**CHALLENGE, "does_not_establish": ""}, "no limit of what it establishes"),
    (BearAnswer, {**PROPOSITION, "claims": []}, "a proposition about no claim"),
    (BearAnswer, {**PROPOSITION, "does_not_establish": "\n"}, "a proposition without its limit"),
    (BearAnswer, {**NOTHING_FURTHER, "checked": []}, "none, without what was checked"),
    (BearAnswer, {**NOTHING_FURTHER, "unknown": []}, "none, without what is unknown"),
    (BearAnswer, {**NOTHING_FURTHER, "checked": [" "]}, "none, having checked white space"),
    (BearAnswer, {**NOTHING_FURTHER, "text": "But still"}, "none, with a message"),
    (BearAnswer, {**NOTHING_FURTHER, "claims": ["C1"]}, "none, against a claim"),
    (BearAnswer, {**NOTHING_FURTHER, "counter_quote": "x"}, "none, with a counter-quote"),
    (BearAnswer, {**CHALLENGE, "to": "bull"}, "a challenge that names its recipient"),
    (BearAnswer, {**CHALLENGE, "evidence": ["T1"] * 13}, "more evidence than is taken"),
    (BearAnswer, {k: v for k, v in CHALLENGE.items() if k != "unknown"}, "an absent empty field"),
    (BullAnswer, {**RESPONSE, "kind": "challenge"}, "bull challenges"),
    (BullAnswer, {**RESPONSE, "text": "", "answers": []}, "a response without text"),
    (BullAnswer, {**RESPONSE, "answers": []}, "a response that answers nothing"),
    (BullAnswer, answer(action="refute"), "an unknown action"),
    (BullAnswer, answer(claim="1"), "a claim without its letter"),
    (BullAnswer, answer(quote=""), "an answer without its words"),
    (BullAnswer, answer(quote="I defend this"), "a quote that is not in the text"),
    (BullAnswer, {**DECLINED, "checked": []}, "bull declines without what was checked"),
    (BullAnswer, {**DECLINED, "unknown": []}, "bull declines without what is unknown"),
    (BullAnswer, {**DECLINED, "text": "Enough"}, "bull declines with a message"),
    (BullAnswer, {**DECLINED, "answers": RESPONSE["answers"]}, "bull declines and answers"),
    (SynthesisAnswer, {**SYNTHESIS, "summary": ""}, "a synthesis without a summary"),
    (SynthesisAnswer, {**SYNTHESIS, "winner": "bear"}, "a winner"),
    (SynthesisAnswer, {**SYNTHESIS, "score": 0.7}, "a score"),
    (SynthesisAnswer, {**SYNTHESIS, "action": "buy"}, "an action"),
    (SynthesisAnswer, {**SYNTHESIS, "size_pct": "10"}, "a size"),
    (SynthesisAnswer, disposed(disposition="true"), "a claim that is true"),
    (SynthesisAnswer, disposed(disposition=""), "a claim without a disposition"),
    (SynthesisAnswer, disposed(reason=""), "a disposition without a reason"),
    (SynthesisAnswer, disposed(claim="c1"), "a claim in another case"),
    (SynthesisAnswer, disposed(confidence="high"), "a confidence"),
]


@pytest.mark.parametrize(("shape", "value"), [pytest.param(*row[:2], id=row[2]) for row in VALID])
def test_is_taken(shape: type[Answer], value: dict[str, Any]) -> None:
    assert shape.model_validate(value).model_dump(mode="json") == value


@pytest.mark.parametrize(
    ("shape", "value"), [pytest.param(*row[:2], id=row[2]) for row in INVALID]
)
def test_is_refused(shape: type[Answer], value: Any) -> None:
    with pytest.raises(ValidationError):
        shape.model_validate(value)


SHAPES = (PlanAnswer, OpeningAnswer, BearAnswer, BullAnswer, SynthesisAnswer)


def objects(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """All objects that a schema describes."""
    return [
        one for one in (schema, *schema.get("$defs", {}).values()) if one.get("type") == "object"
    ]


class TestSchema:
    """What strict structured output demands, so that one schema serves every server."""

    @pytest.mark.parametrize("shape", SHAPES)
    def test_requires_every_field_and_allows_no_other(self, shape: type[Answer]) -> None:
        for one in objects(shape.model_json_schema()):
            assert sorted(one["required"]) == sorted(one["properties"])
            assert one["additionalProperties"] is False

    @pytest.mark.parametrize("shape", SHAPES)
    def test_leaves_no_field_without_a_type(self, shape: type[Answer]) -> None:
        for one in objects(shape.model_json_schema()):
            for name, field in one["properties"].items():
                assert {"type", "$ref"} & field.keys(), name

    @pytest.mark.parametrize("shape", SHAPES)
    def test_uses_no_pattern_class_that_servers_compile_differently(
        self, shape: type[Answer]
    ) -> None:
        assert "\\\\d" not in str(shape.model_json_schema())

    @pytest.mark.parametrize("shape", SHAPES)
    def test_has_no_number(self, shape: type[Answer]) -> None:
        """A model answers in words and handles; figures come from tools."""
        kinds = {
            field.get("type")
            for one in objects(shape.model_json_schema())
            for field in one["properties"].values()
        }
        assert kinds <= {"string", "array", None}
