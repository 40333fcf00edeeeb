"""The Celery application: hints in, hints out, and nothing that must not be lost.

Importing this module connects `bullbear.hints` to the broker, in every process that imports it.
The broker is no recovery mechanism: tasks may come twice, late or never; the database decides.  So a hint
that is taken is gone: nothing about it is kept in the broker, which a full one would refuse.

Source: design.md D7, D20;
https://docs.celeryq.dev/en/stable/getting-started/backends-and-brokers/redis.html.
"""

from __future__ import annotations

import logging.config
import os
from collections.abc import Mapping

from celery import Celery
from celery.signals import setup_logging
from django.conf import settings
from kombu import Queue

from bullbear import hints
from config import broker
from config.canary import canary_queue
from config.env import Env

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_SOCKET_SECONDS = 5
_CONNECT_SECONDS = 2
_PUBLISH_RETRIES = {"max_retries": 1, "interval_start": 0.1, "interval_step": 0.2}

broker.use()
env: Env = settings.BULLBEAR
app = Celery("bullbear")
app.conf.update(
    broker_url=env.broker_url.get_secret_value() or "memory://",
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_channel_error_retry=True,  # a full broker refuses what a worker declares when it connects
    broker_connection_timeout=_CONNECT_SECONDS,
    broker_transport_options={
        "ack_emulation": False,
        "socket_timeout": _SOCKET_SECONDS,
        "socket_connect_timeout": _CONNECT_SECONDS,
        "socket_keepalive": True,
        "health_check_interval": 10,
    },
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    result_backend=None,
    task_publish_retry=True,
    task_publish_retry_policy=_PUBLISH_RETRIES,
    task_default_queue="bullbear",
    task_queues=[Queue("bullbear"), Queue(canary_queue(env.process_name))],
    task_create_missing_queues=False,
    task_acks_late=False,
    enable_utc=True,
    timezone="UTC",
    imports=["dialogue.tasks", "config.canary", "config.celery_worker"],
    worker_pool="threads",
    worker_concurrency=env.worker_concurrency,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_redirect_stdouts=False,
    worker_send_task_events=True,
    task_send_sent_event=True,
)


def publish(task: str, keys: Mapping[str, str]) -> None:
    """Put a hint into the broker, or raise.

    Units: where the broker is dead that takes a moment, where it is frozen three times a socket's patience.
    """
    app.send_task(task, kwargs=dict(keys), ignore_result=True)


if env.broker_url.get_secret_value():
    hints.set_publisher(publish)


@setup_logging.connect
def _log_as_django_does(**_: object) -> None:
    logging.config.dictConfig(settings.LOGGING)
