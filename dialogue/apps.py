"""The dialogue package as a Django application."""

from django.apps import AppConfig


class DialogueConfig(AppConfig):
    """Pairs, messages, claims, reports."""

    name = "dialogue"
    verbose_name = "Dialogue"
