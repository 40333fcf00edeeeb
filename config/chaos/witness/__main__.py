"""Set Django up, then watch: `python -m config.chaos.witness`."""

from __future__ import annotations

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.chaos.witness.watching import main  # noqa: E402  models need Django

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
