"""The durable runtime as a Django application."""

from django.apps import AppConfig


class BullbearConfig(AppConfig):
    """Roots, executions, requests, receipts."""

    name = "bullbear"
    verbose_name = "Runtime"
