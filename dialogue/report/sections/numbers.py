"""The numbers table: figures of tool results in the words of their domain, never a model's own.

Source: design.md D13, D16.
"""

from __future__ import annotations

from bullbear.identity import JsonValue, digest
from dialogue.report.material import Material, Section
from research.domain import FigureTable


def numbers(material: Material) -> list[JsonValue]:
    """One table for each result that has figures; equal results of several calls stand once."""
    tables: dict[str, Section] = {}
    for call in material.case.tool_calls:
        result = material.results.get(f"T{call.number}")
        table = material.domain.report.table(call.name, result) if result is not None else None
        if table is None:
            continue
        section = _table(table)
        known = tables.setdefault(digest(section), section | {"results": [], "tool": call.name})
        results = known["results"]
        if isinstance(results, list):
            results.append({"handle": f"T{call.number}", "by": str(material.role(call.child_id))})
    return list(tables.values())


def _table(table: FigureTable) -> Section:
    return {
        "title": table.title,
        "columns": list(table.columns),
        "rows": [
            {
                "name": row.name,
                "unit": row.unit,
                "values": list(row.values),
                "bounds": row.bounds,
            }
            for row in table.rows
        ],
        "denominator": table.denominator,
        "coverage": [{"of": of, "value": value} for of, value in table.coverage.items()],
        "sources": list(table.sources),
        "does_not_show": table.does_not_show,
        "formula": table.formula,
    }
