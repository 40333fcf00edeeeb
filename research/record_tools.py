"""Record the tool calls that ran for an answer.

Source: design.md D4, D14, D15.
"""

from __future__ import annotations

from collections.abc import Sequence

from bullbear import receipts
from bullbear.content import keep, salted_digest
from bullbear.identity import sending_act
from bullbear.models import Child, ModelRequest
from research.case import Case
from research.kinds import ResearchKind
from research.models import ToolCall
from research.tool_loop import RanTool


def record_tools(case: Case, child: Child, request: ModelRequest, ran: Sequence[RanTool]) -> None:
    """Record each call with its result; its lineage is the asking request's and all its inputs'."""
    for one in ran:
        number = len(case.tool_calls) + 1
        result = keep(case.held, one.text)
        act = sending_act(request.pk, one.index)
        call = case.held.add(
            ToolCall(
                root=case.root,
                child=child,
                request=request,
                index=one.index,
                act=act,
                number=number,
                name=one.name,
                version=one.version,
                result=result,
                result_digest=salted_digest(result),
                refusal=one.refusal,
                lineage=sorted({*request.lineage, *one.used, *one.cited}),
                used=sorted(one.used),
            )
        )
        case.tool_calls.append(call)
        receipts.append(
            case.held,
            ResearchKind.TOOL_CALLED,
            act=act,
            child=child,
            subjects={
                "tool_call": str(call.pk),
                "handle": f"T{number}",
                "version": one.version,
                "refusal": one.refusal,
                "used": call.used,
            },
            digests={"result": call.result_digest},
        )
