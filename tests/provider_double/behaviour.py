"""What the double does with one call, as a value that travels as JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """One answer; by default a whole completion whose content is `content`.

    `gate` holds the answer back until the test releases the gate of that name.  `cut` says where
    the answer ends early and `then` how: `hang` keeps the connection open and silent.
    `at_connect` concerns the connection and is never a hit: it is reset at once, or as soon as the
    call begins to arrive, or never read.
    """

    when: str = ""  # only for a request whose body holds this text
    also: str = ""  # and this one
    times: int = 1  # how many calls it serves

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    content: str = "{}"
    message: Mapping[str, Any] | None = None  # in place of one with `content`
    finish_reason: str = "stop"
    body: bytes | None = None  # in place of a completion
    chunked: bool = False
    twice: bool = False  # the whole response, and then once more

    delay_seconds: float = 0.0
    gate: str = ""
    drip: Literal["", "head", "body"] = ""  # one byte at a time
    drip_seconds: float = 0.02
    cut: Literal["", "before", "head", "body", "after"] = ""
    then: Literal["close", "reset", "hang"] = "close"
    raw: bytes | None = None  # these bytes in place of an HTTP response
    forward: str = ""  # ask this base URL and pass its answer on
    at_connect: Literal["", "reset", "break", "stall"] = ""

    def to_json(self) -> dict[str, Any]:
        """Write it as JSON values."""
        values = asdict(self)
        for name in ("body", "raw"):
            if values[name] is not None:
                values[name] = base64.b64encode(values[name]).decode("ascii")
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Behaviour:
        """Read what `to_json` wrote."""
        binary = {
            name: base64.b64decode(values[name])
            for name in ("body", "raw")
            if values[name] is not None
        }
        return cls(**{**values, **binary})

    def response_body(self, model: str) -> bytes:
        """Return the body: the one given, or a completion."""
        if self.body is not None:
            return self.body
        message = self.message or {"role": "assistant", "content": self.content}
        completion = {
            "id": "chatcmpl-double",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish_reason}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }
        return json.dumps(completion, ensure_ascii=False).encode("utf-8", "surrogatepass")
