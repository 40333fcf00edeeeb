"""JSON: every array of objects is a table; what stands beside it is said of it.

Numbers stay as they are written.  A key that stands twice in one object would hide a value, so it is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from research.domain import Unreadable
from research.domains.investment.readers import columns
from research.domains.investment.readers.limits import MAX_COLUMNS, MAX_DEPTH, MAX_JSON_BYTES
from research.domains.investment.readers.preamble import key_of
from research.domains.investment.readers.sheets import Record, Sheet, clean
from research.reading.containers import refusal
from research.reading.encoding import Text

_FLATTENED: Final = 3  # objects within a row's object that become columns of it
_ALIKE: Final = 2  # so many objects or rows alike are a table
_HEADS: Final = ("columns", "fields", "headers", "header")  # beside rows of cells
_Array = list[Any]


def sheets(text: Text) -> list[Sheet]:
    """Return one sheet for each array of objects; its rows are numbered from 1, its header is row 0.

    Raises:
        Unreadable: broken, too large, too deep, or without any array of objects.
    """
    if len(text.raw) > MAX_JSON_BYTES:
        raise Unreadable(
            f"the JSON document has {len(text.raw):,} bytes, more than the limit of "
            f"{MAX_JSON_BYTES:,} for JSON"
        )
    document = _parsed(text)
    _check_depth(document)
    found = [_sheet(array, above, path, text.findings) for array, above, path in _arrays(document)]
    if not found:
        raise refusal("a JSON document without an array of objects (no table)", text.raw)
    return found if len(found) > 1 else [_nameless(found[0])]


def _parsed(text: Text) -> Any:
    try:
        return _loaded(text.whole())
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and (lines := _lines(text)):
            return lines
        raise Unreadable(
            f"this is a JSON document that is broken in row {error.lineno}: {error.msg}",
            row=error.lineno,
            first_bytes=text.raw,
        ) from error
    except RecursionError as error:
        raise _too_deep() from error


def _loaded(text: str) -> Any:
    return json.loads(
        text, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_object
    )


def _lines(text: Text) -> list[Any]:
    """Return the objects of a document with one in each line, nothing where it is none."""
    try:
        return [_loaded(line) for line in text.whole().splitlines() if line.strip()]
    except json.JSONDecodeError:
        return []


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Unreadable(f"the key {twice[:60]!r} stands twice in one object of the JSON document")
    return made


def _check_depth(document: Any) -> None:
    waiting = [(document, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise _too_deep()
        inner = value.values() if isinstance(value, dict) else value
        waiting += [(each, depth + 1) for each in inner if isinstance(each, dict | list)]


def _too_deep() -> Unreadable:
    return Unreadable(f"the JSON document is nested deeper than the limit of {MAX_DEPTH}")


def _arrays(document: Any) -> Iterator[tuple[_Array, dict[str, str], str]]:
    """Yield each array of objects with what is said beside and above it, and its path."""
    waiting: list[tuple[Any, dict[str, str], str]] = [(document, {}, "")]
    while waiting:
        value, above, path = waiting.pop(0)
        if isinstance(value, list):
            if _rows_of_cells(value):
                yield value, above, path
                continue
            objects = [each for each in value if isinstance(each, dict)]
            if objects and not _only_around(objects):
                yield value, above, path
            inner = enumerate(value)
        else:
            above = {**above, **_said(value)}
            inner = value.items()
            keyed = _keyed(value)
            if keyed:
                yield keyed, above, path
                continue
        waiting += [
            (each, above, clean(f"{path}.{key}".lstrip(".")))
            for key, each in inner
            if _nested(each)
        ]


def _said(value: dict[str, Any]) -> dict[str, str]:
    """Return what an object says beside its tables; a list of column names is kept as JSON.

    Of an object beside them only what is known to speak of the tables: `fund.name`, `report.date`.
    """
    said = {key: _text(each) for key, each in value.items() if not _nested(each)}
    said |= {
        f"{key}.{inner}": _text(each)
        for key, beside in value.items()
        if isinstance(beside, dict)
        for inner, each in beside.items()
        if not _nested(each) and key_of(f"{key}.{inner}")
    }
    heads = {
        key: json.dumps([_text(cell) for cell in each])
        for key, each in value.items()
        if key in _HEADS and isinstance(each, list) and not any(map(_nested, each))
    }
    return said | heads


def _keyed(value: dict[str, Any]) -> _Array:
    """Return the rows of an object whose keys are codes and whose values are objects alike, or nothing."""
    inner = list(value.values())
    if len(inner) < _ALIKE or not all(isinstance(each, dict) and each for each in inner):
        return []
    keys = set(inner[0])
    if any(len(keys & set(each)) * 2 < len(keys) for each in inner) or any(map(_nests, inner)):
        return []
    return [{"id": key, **each} for key, each in value.items()]


def _nests(one: dict[str, Any]) -> bool:
    return any(_nested(each) for each in one.values())


def _rows_of_cells(value: _Array) -> bool:
    """Whether an array holds rows of cells, its header among them or beside it."""
    return len(value) >= _ALIKE and all(
        isinstance(each, list) and each and not any(map(_nested, each)) for each in value
    )


def _only_around(objects: _Array) -> bool:
    """Whether objects only stand around the tables within them: what they say is then said of those."""
    around = any(
        isinstance(each, list) and any(isinstance(inner, dict) for inner in each)
        for one in objects
        for each in one.values()
    )
    keys = tuple(dict.fromkeys(key for one in objects for key in _flat(one)))
    return around and columns.kind_of(keys) is None


def _sheet(array: _Array, above: dict[str, str], path: str, findings: Sequence[str]) -> Sheet:
    if _rows_of_cells(array):
        return _sheet_of_cells(array, above, path, findings)
    rows = [_flat(each) if isinstance(each, dict) else {"": _text(each)} for each in array]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    if len(keys) > MAX_COLUMNS:
        raise Unreadable(
            f"the objects at {path or 'the top'} have {len(keys):,} keys, more than the limit "
            f"of {MAX_COLUMNS}"
        )

    def records() -> Iterator[Record]:
        for key, value in above.items():
            yield Record(0, (clean(key), value), path)
        yield Record(0, tuple(clean(key) for key in keys), path)
        for number, row in enumerate(rows, start=1):
            yield Record(number, tuple([row.get(key, "").strip() for key in keys]), path)

    return Sheet(container="json", rows=records, name=path, findings=tuple(findings))


def _sheet_of_cells(
    array: _Array, above: dict[str, str], path: str, findings: Sequence[str]
) -> Sheet:
    if max(map(len, array)) > MAX_COLUMNS:
        raise Unreadable(
            f"a row at {path or 'the top'} has more than the limit of {MAX_COLUMNS} cells"
        )

    def records() -> Iterator[Record]:
        for key, value in above.items():
            cells = tuple(map(clean, json.loads(value))) if key in _HEADS else (clean(key), value)
            yield Record(0, cells, path)
        for number, row in enumerate(array, start=1):
            yield Record(number, tuple(_text(cell) for cell in row), path)

    return Sheet(container="json", rows=records, name=path, findings=tuple(findings))


def _nameless(sheet: Sheet) -> Sheet:
    def records() -> Iterator[Record]:
        return (Record(record.row, record.cells) for record in sheet)

    return Sheet(container="json", rows=records, findings=sheet.findings)


def _flat(row: dict[str, Any], before: str = "", depth: int = 1) -> dict[str, str]:
    cells: dict[str, str] = {}
    for key, value in row.items():
        if isinstance(value, dict) and depth < _FLATTENED:
            cells |= _flat(value, f"{before}{key}.", depth + 1)
        elif not _nested(value):
            cells[f"{before}{key}"] = _text(value)
        elif value and not any(isinstance(each, dict) for each in value):
            cells[f"{before}{key}"] = json.dumps(
                value, ensure_ascii=False
            )  # an array of objects is a table itself
    return cells


def _nested(value: Any) -> bool:
    return isinstance(value, dict | list)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return clean(value) if isinstance(value, str) else str(value).upper()
