"""What the exit status of `bullbear` says.

Source: design.md D19.
"""

from enum import IntEnum


class Exit(IntEnum):
    """Distinct on purpose: a script can tell them apart."""

    OK = 0
    FAILURE = 1  # it did not work
    USAGE = 2  # wrong arguments or settings; nothing was begun
    NOT_FOUND = 3  # no such thing, or none that you may see
    MISMATCH = 4  # the record does not verify
    OUTCOME_UNKNOWN = 5  # a model call may or may not have happened
    ENDED_EARLY = 6  # the research ended, and its report is partial
    TEMPORARY = 75  # try again later


class Problem(Exception):
    """A command cannot do what it was asked; the message is for the person who asked."""

    def __init__(self, status: Exit, message: str) -> None:
        """Keep the status that the process ends with."""
        super().__init__(message)
        self.status = status
