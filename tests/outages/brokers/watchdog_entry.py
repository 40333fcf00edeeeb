"""The product's watchdog with times of a test's own.

python -m tests.outages.brokers.watchdog_entry CANARY_SECONDS SILENT_SECONDS
"""

from __future__ import annotations

import sys

from config import watchdog

if __name__ == "__main__":
    watchdog.CANARY_SECONDS, watchdog.SILENT_SECONDS = map(float, sys.argv[1:])
    sys.exit(watchdog.run())
