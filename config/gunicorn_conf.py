"""How gunicorn runs the web process: threads, loopback, and no worker outlives its master.

Source: https://docs.gunicorn.org/en/stable/settings.html.
"""

import signal
from typing import Protocol

from config.configuration import load
from config.embedded.ports import LOOPBACK
from config.embedded.processes import die_with_parent
from config.log import logging_config

bind = f"{LOOPBACK}:{load().web_port}"
worker_class = "gthread"
workers = 1
threads = 16
timeout = 60
graceful_timeout = 5
control_socket_disable = True
logconfig_dict = logging_config()


class GunicornWorker(Protocol):
    """What is used of it."""

    ppid: int


def post_fork(_server: object, worker: GunicornWorker) -> None:
    """Let the kernel end this worker when its master is killed.

    See Note [Death signal].
    """
    die_with_parent(signal.SIGKILL, parent=worker.ppid)()
