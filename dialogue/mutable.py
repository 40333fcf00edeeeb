"""The columns of the dialogue's tables that may change; all others are facts.

Source: design.md D4.
"""

MUTABLE_COLUMNS = {
    "dialogue_pair": ["end_reason"],
    "dialogue_halfround": ["attempts", "outcome"],
}
