"""The columns of the runtime's tables that may change; all others are facts.

A trigger holds it, and the application's role has UPDATE on nothing else.

Source: design.md D4.
"""

MUTABLE_COLUMNS = {
    "bullbear_root": [
        "state",
        "cause",
        "result",
        "end_reason",
        "model_calls_spent",
        "model_calls_reserved",
        "model_calls_hand_back",
        "tokens_spent",
        "tokens_reserved",
        "tokens_hand_back",
        "tool_calls_spent",
        "tool_calls_reserved",
        "receipts_seq",
        "receipts_head",
    ],
    "bullbear_child": [
        "state",
        "wakes",
        "rescues",
        "worker_id",
        "lease_token",
        "hard_end_at",
        "end_reason",
    ],
    "bullbear_modelrequest": [
        "state",
        "outcome_class",
        "status_code",
        "response_id",
        "response_sha256",
        "served_model",
        "provider_request_id",
        "finish_reason",
        "prompt_tokens",
        "completion_tokens",
        "call_ms",
    ],
    "bullbear_outboxentry": ["attempts", "last_error", "offer_at"],
    "bullbear_worker": ["alive_until"],
}
