"""From the bytes of a request to the bytes of its answer: the same in, the same out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from config.rehearsal import plan
from config.rehearsal.lookup import Call
from config.rehearsal.matters import matter_of
from config.rehearsal.request import Malformed, Request, content_of, read_request

_RULES: Mapping[str, Callable[[Request], dict[str, Any]]] = {
    "plan": plan.plan,
    "research": lambda request: matter_of(request).research(request),
    "opening": lambda request: matter_of(request).opening(request),
    "challenge": lambda request: matter_of(request).challenge(request),
    "response": lambda request: matter_of(request).response(request),
    "synthesis": lambda request: matter_of(request).synthesis(request),
}
_WITH_TOOLS = frozenset({"research", "opening", "challenge", "response"})
_BYTES_PER_TOKEN = 4  # the usage is a count of bytes, named tokens because the interface does


def complete(raw: bytes, model: str) -> bytes:
    """Answer a chat completion request.

    Args:
        raw: the request body as received.
        model: the name this server answers under, whatever name was asked for.

    Raises:
        Malformed: the body is no request that the fixed rules can answer.
    """
    body = _read(raw)
    request = read_request(body)
    rule = _RULES.get(request.purpose)
    if rule is None:
        raise Malformed(f"no rule answers the purpose {request.purpose[:40]!r}", "messages")
    digest = hashlib.sha256(raw).hexdigest()
    call = matter_of(request).next_call(request) if request.purpose in _WITH_TOOLS else None
    if call is not None:
        message, produced = _tool_call(call, digest)
        finish = "tool_calls"
    else:
        produced = _dump(rule(request))
        message = {"role": "assistant", "content": produced, "refusal": None}
        finish = "stop"
    limit = _limit(body)
    if limit is not None and _tokens(produced) > limit:
        kept = produced.encode()[: limit * _BYTES_PER_TOKEN].decode(errors="ignore")
        message = {"role": "assistant", "content": "" if call else kept, "refusal": None}
        produced, finish = ("" if call else kept), "length"
    envelope = _envelope(body, digest, model, message=message, produced=produced, finish=finish)
    try:
        return _dump(envelope).encode()
    except UnicodeEncodeError as problem:
        raise Malformed("a text holds half a character pair", "messages") from problem


def model_list(model: str) -> bytes:
    """Answer a request for the models."""
    entry = {"id": model, "object": "model", "created": 0, "owned_by": "rehearsal"}
    return _dump({"object": "list", "data": [entry]}).encode()


def error_body(message: str, *, param: str | None = None, code: str | None = None) -> bytes:
    """Shape an error as OpenAI-compatible clients expect it."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return _dump({"error": error}).encode()


def _read(raw: bytes) -> dict[str, Any]:
    try:
        body = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        raise Malformed("the body is not JSON in UTF-8") from problem
    if not isinstance(body, dict):
        raise Malformed("the body must be a JSON object")
    if not isinstance(body.get("model"), str) or not body["model"]:
        raise Malformed("model must be a name", "model")
    if body.get("stream"):
        raise Malformed("streams are not served here", "stream")
    if body.get("n", 1) != 1:
        raise Malformed("only one choice is served here", "n")
    return body


def _limit(body: Mapping[str, Any]) -> int | None:
    for name in ("max_completion_tokens", "max_tokens"):
        value = body.get(name)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise Malformed(f"{name} must be a positive integer", name)
        return value
    return None


def _tool_call(call: Call, digest: str) -> tuple[dict[str, Any], str]:
    arguments = _dump(dict(call.arguments))
    function = {"name": call.name, "arguments": arguments}
    one = {"id": f"call_{digest[:24]}", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "refusal": None, "tool_calls": [one]}
    return message, call.name + arguments


def _envelope(
    body: Mapping[str, Any],
    digest: str,
    model: str,
    *,
    message: Mapping[str, Any],
    produced: str,
    finish: str,
) -> dict[str, Any]:
    prompt = sum(_tokens(content_of(one)) for one in body["messages"])
    written = _tokens(produced)
    return {
        "id": f"chatcmpl-{digest[:24]}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "system_fingerprint": "rehearsal",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": written,
            "total_tokens": prompt + written,
        },
    }


def _tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
