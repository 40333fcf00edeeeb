"""What a follower tells: each thing once, in words a terminal can bear."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from audit.transcript.page import Answer, Mark, Message, Text, ToolUse, Turn
from config.cli.news import _delivery, _tool, _turn, printable, shown
from research.domain import FigureRow, FigureTable, Json, ReportWords

ID = UUID(int=1)


def message(**changes: object) -> Message:
    plain: dict[str, object] = {
        "handle": "M1",
        "kind": "challenge",
        "text": Text("I challenge C1."),
        "reply_to": "",
        "claims": ["C1"],
        "evidence": [],
        "does_not_establish": None,
        "moves": [],
        "marks": [Mark("Delivered", Answer.NOT_YET, "")],
        "in_synthesis": None,
        "at": None,
    }
    return Message(**(plain | changes))  # type: ignore[arg-type]


def turn(**changes: object) -> Turn:
    plain: dict[str, object] = {
        "round": 1,
        "kind": "challenge",
        "role": "bear",
        "outcome": "accepted",
        "meaning": "It brought a message.",
        "attempts": 1,
        "request": ID,
        "request_state": "answered",
        "request_outcome": "",
        "message": message(),
        "checked": [],
        "unknown": [],
    }
    return Turn(**(plain | changes))  # type: ignore[arg-type]


class TestPrintable:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("\x1b[2Jverified", "<U+001B>[2Jverified"),
            ("a\u202eb", "a<U+202E>b"),
            ("\U000e0041", "<U+E0041>"),
            ("科技 15,00 % → 23,00 %", "科技 15,00 % → 23,00 %"),
        ],
        ids=["an escape sequence", "a bidi override", "a tag character", "other scripts"],
    )
    def test_shows_what_a_terminal_would_obey(self, text: str, told: str) -> None:
        """A model's text cannot clear the screen or imitate a badge."""
        assert printable(text) == told


class TestShown:
    def test_indents_every_line(self) -> None:
        """A text cannot begin a line of the follower's own."""
        assert shown(Text("one\nEnd · finished")) == "    one\n    End · finished"

    def test_says_that_a_text_is_withheld(self) -> None:
        """And nothing of it."""
        assert shown(Text("", withheld=True)).strip().startswith("(withheld: ")


class TestTurn:
    def test_names_round_side_message_and_claims(self) -> None:
        """The words follow, verbatim."""
        assert _turn(turn()) == ("Round 1 · Bear · M1 challenge on C1\n    I challenge C1.")

    def test_says_how_a_turn_ended_that_brought_no_message(self) -> None:
        """With what was checked."""
        told = _turn(
            turn(message=None, outcome="closed", meaning="It ended.", checked=[Text("x")])
        )
        assert told == "Round 1 · Bear: It ended.\n    checked: x"


class TestDelivery:
    def test_waits_until_it_is_known(self) -> None:
        """An accepted message is not a delivered one."""
        assert list(_delivery(turn(), has_ended=False)) == []

    def test_does_not_call_a_call_under_way_unknown(self) -> None:
        """Its outcome may still come; at the end it stays unknown."""
        under_way = turn(message=message(marks=[Mark("Delivered", Answer.UNKNOWN, "")]))
        assert list(_delivery(under_way, has_ended=False)) == []
        assert len(list(_delivery(under_way, has_ended=True))) == 1

    @pytest.mark.parametrize("answer", [Answer.YES, Answer.UNKNOWN, Answer.NO_FURTHER_TURN])
    def test_tells_each_answer_once(self, answer: Answer) -> None:
        """Unknown is told as unknown."""
        told = turn(message=message(marks=[Mark("Delivered", answer, "")]))
        [line] = _delivery(told, has_ended=True)
        assert (line.key, line.text) == (f"delivered M1 {answer}", f"M1 · delivered: {answer}")


class TestTool:
    def use(self, **changes: object) -> ToolUse:
        plain: dict[str, object] = {
            "id": ID,
            "handle": "T1",
            "role": "bull",
            "name": Text("measure"),
            "version": "1",
            "refusal": "",
            "sources": [],
            "request": ID,
            "result": Text(json.dumps({"before": "1.50", "after": "2.30"})),
        }
        return ToolUse(**(plain | changes))  # type: ignore[arg-type]

    def test_tells_the_first_figure_in_the_domains_words(self) -> None:
        """As the tool computed it."""

        def table(name: str, result: Json) -> FigureTable:
            row = FigureRow("Height", "m", [result["before"], result["after"]])
            return FigureTable("Heights", ("before", "after"), [row], "", {}, [], "", "")

        told = _tool(self.use(), ReportWords(table=table))
        assert told == "Bull · T1 measure: Heights\n    Height 1.50 → 2.30 m"

    def test_tells_a_refusal(self) -> None:
        """By its code."""
        told = _tool(self.use(refusal="unknown_source"), ReportWords())
        assert told == "Bull · T1 measure: refused (unknown_source)"
