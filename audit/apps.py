"""The audit package as a Django application."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Reading, proving, exporting."""

    name = "audit"
    verbose_name = "Audit"
