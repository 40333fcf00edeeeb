"""Requests built by hand as the contract writes them, and a client that sends them over HTTP."""

from __future__ import annotations

import http.client
import json
from collections.abc import Sequence
from typing import Any

NONCE = "0123456789abcdef"
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "A tool.",
            "parameters": {"type": "object", "properties": {}, "required": []},
        },
    }
    for name in ("list_sources", "look_through")
]


def block(label: str, text: str, nonce: str = NONCE) -> str:
    return f"[{label} | untrusted]\n<data {nonce}>\n{text}\n</data {nonce}>"


def tool_block(handle: str, name: str, result: object, author: str = "") -> str:
    who = f" | {author}" if author else ""
    return block(f"tool {handle} | {name}{who}", json.dumps(result))


def task(purpose: str, role: str) -> str:
    rounds = " | round 1 of 2" if purpose in {"challenge", "response"} else ""
    return f"[task | {purpose} | {role}{rounds} | language en]"


def body(
    purpose: str, role: str, blocks: Sequence[str] = (), *, tools: bool = False, **extra: Any
) -> dict[str, Any]:
    """Return a request body whose last user message ends with the task line."""
    request: dict[str, Any] = {
        "model": "bullbear-rehearsal",
        "messages": [
            {"role": "system", "content": "You are a researcher."},
            {"role": "user", "content": "\n\n".join([*blocks, task(purpose, role)])},
        ],
        "max_tokens": 4_000,
        "temperature": 0,
        "response_format": {"type": "json_schema", "json_schema": {"name": purpose}},
        **extra,
    }
    if tools:
        request["tools"] = TOOLS
    return request


def encode(request: object) -> bytes:
    return json.dumps(request, ensure_ascii=False).encode()


class Client:
    """One kept-alive connection to the server."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def send(
        self, raw: bytes, path: str = "/v1/chat/completions", method: str = "POST"
    ) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
        self.connection.request(method, path, raw or None, headers)
        response = self.connection.getresponse()
        return response.status, response.read()

    def choice(self, request: object) -> dict[str, Any]:
        status, raw = self.send(encode(request))
        assert status == 200, raw
        choice: dict[str, Any] = json.loads(raw)["choices"][0]
        return choice

    def call(self, request: object) -> tuple[str, dict[str, str]]:
        """Return the name and the arguments of the tool call that the answer asks for."""
        choice = self.choice(request)
        assert choice["finish_reason"] == "tool_calls"
        (call,) = choice["message"]["tool_calls"]
        return call["function"]["name"], json.loads(call["function"]["arguments"])

    def text(self, request: object) -> str:
        """Return the content of the answer's message."""
        choice = self.choice(request)
        assert choice["finish_reason"] == "stop"
        assert isinstance(choice["message"]["content"], str)
        return choice["message"]["content"]
