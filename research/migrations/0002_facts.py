"""The facts of research are append-only.

Source: design.md D4.
"""

from importlib import import_module

from django.db import migrations

_facts = import_module("bullbear.migrations.0002_facts")

FACTS = [
    "research_source", "research_parsereport", "research_rootsource", "research_toolcall",
    "research_plan", "research_opening", "research_finding",
]

# A grant is no fact: it is taken back by deleting it.  Until then it grants the same.
GRANTS = {"research_scopegrant": []}
KEYS = {
    ("research_plan", "root_id"): "one plan for each root",
    ("research_opening", "child_id"): "one opening for each execution",
    ("research_parsereport", "source_id"): "one reading of each source",
    ("research_finding", "act"): "one finding for each act",
    ("research_toolcall", "act"): "one tool call for each act",
}


class Migration(migrations.Migration):
    dependencies = [("research", "0001_initial"), ("bullbear", "0002_facts")]
    operations = [
        *(migrations.RunSQL(_facts.fact_triggers(table)) for table in FACTS),
        *(migrations.RunSQL(_facts.identity_trigger(table, cols)) for table, cols in GRANTS.items()),
        migrations.RunSQL(_facts.named_keys(KEYS)),
    ]
