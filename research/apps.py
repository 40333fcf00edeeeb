"""The research package as a Django application."""

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    """Sources, openings, findings."""

    name = "research"
    verbose_name = "Research"
