"""The provider of this process: one client for all threads.

Source: design.md D7 step 2, D20.
"""

from __future__ import annotations

import functools

from bullbear.options import options
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider


@functools.cache
def provider() -> Provider:
    """Return the process's one provider; made at its first use, closed with the process."""
    of_process = options()
    return Provider(Endpoint.from_base_url(of_process.provider_url), of_process.provider_key)
