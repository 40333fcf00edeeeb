"""How large a file and its text may be: past each limit it is refused, with the limit named."""

from __future__ import annotations

from typing import Final

MAX_BYTES: Final = 50 * 1024 * 1024
MAX_PAGES: Final = 300  # of a PDF
MAX_PASSAGES: Final = 5_000  # of a document
PASSAGE_CHARACTERS: Final = 2_000  # a longer paragraph becomes several passages
MAX_DOCUMENT_CHARACTERS: Final = 5_000_000
