"""Tools: read-only, within the authorization, counted whether they ran or were refused."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from research.completions import AskedTool
from research.domain import SourceView, Tool, ToolResult
from research.domains.registry import domain
from research.models import ToolCall
from research.tool_loop import run_tools
from tests.factories import limited, plan_a_dialogue
from tests.scripted import BULL_CLAIM, BULL_OPENING, an_opening, asks_for, says
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene, text_of

FUND = {"source": "S2", "offset": 0, "limit": 1}
PORTFOLIO = {"source": "S1", "offset": 0, "limit": 1}
LOOK = {"dimension": "sector", "fund": "", "points": "0", "funding": "pro_rata"}


def bulls_turn(opened: OpenScene, *calls: tuple[str, Any], **question: Any) -> Scene:
    scene = opened(asks_for(BULL_OPENING, *calls), **question)
    scene.step(Role.MAIN)
    scene.step(Role.BULL)
    return scene


def calls_of(scene: Scene) -> list[tuple[str, str, str]]:
    found = ToolCall.objects.filter(root=scene.root).order_by("number")
    return [(f"T{one.number}", one.name, one.refusal) for one in found]


def spent(scene: Scene) -> tuple[int, int]:
    scene.root.refresh_from_db()
    return scene.root.tool_calls_spent, scene.root.tool_calls_reserved


@pytest.mark.usefixtures("database")
class TestRanTool:
    """A tool call within the authorization."""

    def test_is_recorded_with_its_result_and_inputs(self, opened: OpenScene) -> None:
        """The projection, its digest, the sources it rests on and the asking request are kept."""
        scene = bulls_turn(opened, ("read_source", FUND))
        call = ToolCall.objects.get(root=scene.root)
        first = scene.requests(Role.BULL)[0]
        fund = str(scene.root.sources.get(number=2).source_id)
        assert (call.request, call.index, call.act) == (first, 0, f"{first.pk}:0")
        assert (call.name, call.version, call.refusal) == ("read_source", "1", "")
        assert json.loads(text_of(call, "result"))["rows"][0]["name"] == "NVIDIA Corp"
        assert call.used == [fund]
        assert call.lineage == sorted([fund, f"root:{scene.root.pk}"])
        [fact] = scene.facts("tool_called")
        assert fact["subjects"]["handle"] == "T1"
        assert fact["digests"] == {"result": call.result_digest}
        assert spent(scene) == (1, 0)
        scene.check()

    def test_is_shown_in_the_same_attempt_next_request(self, opened: OpenScene) -> None:
        """The turn goes on with the call and its result, fenced and attributed."""
        scene = bulls_turn(opened, ("read_source", FUND))
        assert scene.outcomes(Role.BULL) == [
            (1, 1, "answered", "tool_calls"),
            (1, 2, "answered", "valid"),
        ]
        body = json.loads(load_bytes(scene.requests(Role.BULL)[1].body))
        asked, result = body["messages"][-2:]
        assert asked["tool_calls"][0]["function"]["name"] == "read_source"
        assert json.loads(asked["tool_calls"][0]["function"]["arguments"]) == FUND
        assert (result["role"], result["tool_call_id"]) == ("tool", "call_0")
        assert result["content"].startswith("[tool T1 | read_source | untrusted]\n<data ")

    def test_that_computes_inherits_the_scopes_of_all_its_inputs(self, opened: OpenScene) -> None:
        """A share made of a client's weights is account material, though the fund is public. Scenario H10."""
        scene = bulls_turn(opened, ("look_through", LOOK))
        call = ToolCall.objects.get(root=scene.root)
        portfolio, fund = (str(scene.root.sources.get(number=n).source_id) for n in (1, 2))
        assert call.used == sorted([portfolio, fund])
        assert call.lineage == sorted([portfolio, fund, f"root:{scene.root.pk}"])
        after = scene.requests(Role.BULL)[-1]
        assert set(call.lineage) <= set(after.lineage)

    def test_of_several_runs_in_order(self, opened: OpenScene) -> None:
        """All calls of an answer are numbered in their order, within one request's reservation."""
        scene = bulls_turn(
            opened, ("list_sources", {}), ("read_source", PORTFOLIO), ("look_through", LOOK)
        )
        assert calls_of(scene) == [
            ("T1", "list_sources", ""),
            ("T2", "read_source", ""),
            ("T3", "look_through", ""),
        ]
        assert spent(scene) == (3, 0)
        scene.check()

    @pytest.mark.parametrize(
        ("name", "arguments", "inputs"),
        [
            ("search_sources", {"query": "nvidia", "source": "S2"}, (2,)),
            ("concentration", {"level": "lines"}, (1,)),
            ("concentration", {"level": "security", "of": "S2"}, (2,)),
            ("fund_costs", {"ratios": [{"fund": "S2", "ratio_pct": "0.15"}]}, (1,)),
            (
                "volatility_effect",
                {
                    "fund": "S2",
                    "points": "10",
                    "funding": "pro_rata",
                    "portfolio_volatility_pct": "12",
                    "fund_volatility_pct": "22",
                },
                (1,),
            ),
        ],
    )
    def test_takes_the_scope_of_every_input(
        self, opened: OpenScene, name: str, arguments: Any, inputs: tuple[int, ...]
    ) -> None:
        """Scenario H10: a computed number inherits its inputs and the request that asked, with every tool."""
        scene = bulls_turn(opened, (name, arguments))
        assert calls_of(scene) == [("T1", name, "")]
        call = ToolCall.objects.get(root=scene.root)
        used = {str(scene.root.sources.get(number=number).source_id) for number in inputs}
        assert set(call.used) == used
        assert set(call.lineage) >= used | {f"root:{scene.root.pk}"}
        assert json.loads(text_of(call, "result"))["does_not_show"]
        scene.check()


@pytest.mark.usefixtures("database")
class TestRefusedTool:
    """A tool call that the host or the tool refuses."""

    @pytest.mark.parametrize(
        ("name", "arguments", "code"),
        [
            pytest.param("execute_trade", {"isin": "x"}, "unknown_tool", id="no such tool G01"),
            pytest.param("read_source", "{not json", "bad_arguments", id="broken arguments F05"),
            pytest.param("read_source", "[1]", "bad_arguments", id="no object F05"),
            pytest.param(
                "read_source", '{"source":"S2","source":"S1"}', "bad_arguments", id="F07"
            ),
            pytest.param("read_source", {}, "bad_arguments", id="a missing argument F05"),
            pytest.param("read_source", {**FUND, "x": 1}, "bad_arguments", id="one too many F05"),
            pytest.param("read_source", {**FUND, "limit": "1"}, "bad_arguments", id="a type F05"),
            pytest.param("read_source", {**FUND, "limit": True}, "bad_arguments", id="true F05"),
            pytest.param("read_source", {**FUND, "source": "S9"}, "unknown_source", id="S9"),
            pytest.param(
                "look_through", {**LOOK, "points": "1e400"}, "bad_arguments", id="1e400 F11"
            ),
            pytest.param(
                "look_through", {**LOOK, "points": "9" * 5000}, "bad_arguments", id="digits F11"
            ),
            pytest.param("look_through", {**LOOK, "points": "NaN"}, "bad_arguments", id="NaN F11"),
        ],
    )
    def test_gives_a_code_and_counts(
        self, opened: OpenScene, name: str, arguments: Any, code: str
    ) -> None:
        """The model is told a code of a fixed vocabulary; the call is recorded and counted."""
        scene = bulls_turn(opened, (name, arguments))
        assert calls_of(scene) == [("T1", name, code)]
        call = ToolCall.objects.get(root=scene.root)
        assert text_of(call, "result") == f'{{"error": "{code}"}}'
        assert call.used == []
        assert spent(scene) == (1, 0)
        assert scene.outcomes(Role.BULL)[-1] == (1, 2, "answered", "valid")
        scene.check()

    def test_was_not_issued(self, opened: OpenScene) -> None:
        """A tool of the domain that the authorization does not list is refused. Scenario G04."""
        scene = opened(asks_for(BULL_OPENING, ("read_source", FUND)), wish="require")
        plan_a_dialogue(scene.root, tools=["list_sources"])
        scene.step(Role.BULL)
        assert calls_of(scene) == [("T1", "read_source", "not_authorized")]
        body = json.loads(load_bytes(scene.requests(Role.BULL)[0].body))
        assert [tool["function"]["name"] for tool in body["tools"]] == ["list_sources"]

    def test_of_a_source_out_of_scope_is_like_one_of_none(self, opened: OpenScene) -> None:
        """A source that was not issued answers as one that does not exist. Scenarios G09, H12."""
        scene = opened(
            asks_for(
                BULL_OPENING, ("read_source", PORTFOLIO), ("read_source", {**FUND, "source": "S9"})
            ),
            wish="require",
        )
        plan_a_dialogue(scene.root, bull=["S2"])
        scene.step(Role.BULL)
        protected, missing = ToolCall.objects.filter(root=scene.root).order_by("number")
        assert protected.refusal == missing.refusal == "unknown_source"
        assert text_of(protected, "result") == text_of(missing, "result")

    def test_shows_nothing_that_may_be_cited(self, opened: OpenScene) -> None:
        """A refused call is no evidence. Scenario F15."""
        scene = opened(
            asks_for(BULL_OPENING, ("read_source", {**FUND, "source": "S9"})),
            says(BULL_OPENING, an_opening(BULL_CLAIM, evidence=["T1"])),
        )
        scene.step(Role.MAIN)
        scene.step(Role.BULL)
        assert scene.outcomes(Role.BULL)[1] == (1, 2, "answered", "unknown_evidence")


@pytest.mark.usefixtures("database")
class TestToolBudget:
    """What is reserved at the seal is the most that runs."""

    def test_of_one_answer_is_four_calls(self, opened: OpenScene) -> None:
        """The fifth is refused, recorded, and not debited."""
        scene = bulls_turn(opened, *[("list_sources", {})] * 5)
        assert [refusal for _, _, refusal in calls_of(scene)] == ["", "", "", "", "tool_budget"]
        assert spent(scene) == (4, 0)
        scene.check()

    def test_refuses_an_answer_of_more_than_eight(self, opened: OpenScene) -> None:
        """Such an answer is no valid one: none of its calls runs."""
        scene = bulls_turn(opened, *[("list_sources", {})] * 9)
        assert scene.outcomes(Role.BULL)[0] == (1, 1, "answered", "not_the_schema")
        assert calls_of(scene) == []
        assert spent(scene) == (0, 0)

    def test_of_the_root_is_not_exceeded(self, opened: OpenScene) -> None:
        """With two calls left, two are reserved; afterwards tools are offered no more."""
        scene = bulls_turn(opened, *[("list_sources", {})] * 3, options=limited(tool_calls=2))
        assert [refusal for _, _, refusal in calls_of(scene)] == ["", "", "tool_budget"]
        assert spent(scene) == (2, 0)
        first, second = (json.loads(load_bytes(r.body)) for r in scene.requests(Role.BULL))
        assert "tools" in first
        assert "tools" not in second
        scene.check()

    def test_caps_endless_requests(self, opened: OpenScene) -> None:
        """After six answers with tool calls it must answer without. Scenario F20."""
        scene = opened(asks_for(BULL_OPENING, ("list_sources", {}), times=20))
        scene.step(Role.MAIN)
        bull = scene.step(Role.BULL)
        attempt = ["tool_calls"] * 6 + ["tools_not_offered"]
        assert [one[3] for one in scene.outcomes(Role.BULL)] == attempt * 2
        assert (bull.state, bull.end_reason) == ("failed", "invalid_output")
        scene.check()


def slow_domain(entered: threading.Event, go_on: threading.Event) -> Any:
    def run(_arguments: Mapping[str, Any], _sources: Any) -> ToolResult:
        entered.set()
        go_on.wait(30)
        return ToolResult(shown={}, used=frozenset())

    slow = Tool("list_sources", "1", "", {}, run)
    return replace(domain("investment"), tools=(slow,))


class TestRunTools:
    """The loop itself, with a tool that does not come back."""

    def test_refuses_what_takes_too_long_and_all_after_it(self) -> None:
        """Two seconds for all calls of an answer: the rest is refused, not awaited."""
        entered, go_on = threading.Event(), threading.Event()
        asked = [AskedTool("a", "list_sources", "{}"), AskedTool("b", "list_sources", "{}")]
        sources: list[SourceView] = []
        try:
            ran = run_tools(
                asked,
                domain=slow_domain(entered, go_on),
                authorization={"tools": ["list_sources"]},
                sources=sources,
                allowed=2,
            )
        finally:
            go_on.set()
        assert entered.is_set()
        assert [one.refusal for one in ran] == ["tool_too_slow", "tool_too_slow"]
        assert [one.text for one in ran] == ['{"error": "tool_too_slow"}'] * 2
