"""The facts of research are append-only.

Source: design.md D4.
"""

from importlib import import_module

from django.db import migrations

fact_triggers = import_module("bullbear.migrations.0002_facts").fact_triggers

FACTS = [
    "research_source", "research_parsereport", "research_rootsource", "research_toolcall",
    "research_plan", "research_opening", "research_finding",
]


class Migration(migrations.Migration):
    dependencies = [("research", "0001_initial"), ("bullbear", "0002_facts")]
    operations = [migrations.RunSQL(fact_triggers(table)) for table in FACTS]
