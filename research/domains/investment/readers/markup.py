"""XML: walked element by element, so that a large document is never held whole.

Entities and document types are refused; depth and number of elements have limits.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from research.domain import Unreadable
from research.domains.investment.readers import columns
from research.domains.investment.readers.limits import MAX_COLUMNS, MAX_DEPTH, MAX_ELEMENTS
from research.domains.investment.readers.sheets import Record, Sheet
from research.reading.containers import refusal
from research.reading.encoding import Text

_SPACE: Final = re.compile(rb"\s*")
_PATHS: Final = 2_000  # different places of elements in one document
_PREAMBLE: Final = 100
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Xml:
    """The bytes of one XML document, from its first angle bracket."""

    raw: bytes
    start: int = 0

    @classmethod
    def of(cls, text: Text) -> Xml:
        """Return the document of a text; white space before its declaration is passed over."""
        if not text.encoding.startswith("utf-8"):
            return cls(text.raw)
        found = _SPACE.match(text.raw, text.mark)
        return cls(text.raw, found.end() if found else 0)

    def root(self) -> tuple[str, str]:
        """Return the name of the root element and its namespace.

        Raises:
            Unreadable: this is no XML after all.
        """
        for _, element in _events(self):
            namespace, _, name = element.tag.rpartition("}")
            return name, namespace.lstrip("{")
        raise refusal("an XML document without an element", self.raw)


def name_of(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def text_of(element: Element) -> str:
    """Return the text of an element, trimmed."""
    return (element.text or "").strip()


def walk(xml: Xml, is_record: Callable[[Path], bool]) -> Iterator[tuple[Path, Element, bool]]:
    """Yield each record as a whole (True) and each element without children elsewhere (False), with its path.

    Raises:
        Unreadable: broken XML, an entity, a document type, a record within another, or a limit.
    """
    path: list[str] = []
    open_elements: list[Element] = []
    within = 0
    for event, element in _events(xml):
        if event == "start":
            path.append(name_of(element))
            open_elements.append(element)
            is_one = is_record(tuple(path))
            if within and is_one:
                raise refusal(f"XML in which one {path[-1]} stands within another", xml.raw)
            within += within > 0 or is_one
            continue
        place = tuple(path)
        open_elements.pop()
        if within:
            within -= 1
            if not within:
                yield place, element, True
        elif not len(element):
            yield place, element, False
        if not within and open_elements:
            open_elements[-1].remove(element)  # its only child: what came before is gone
        path.pop()


def _events(xml: Xml) -> Iterator[tuple[str, Element]]:
    stream = io.BytesIO(xml.raw)  # shares the bytes
    stream.seek(xml.start)
    depth = elements = 0
    try:
        for event, element in iterparse(stream, ("start", "end"), forbid_dtd=True):
            depth += 1 if event == "start" else -1
            elements += event == "start"
            if depth > MAX_DEPTH:
                raise Unreadable(
                    f"the XML document is nested deeper than the limit of {MAX_DEPTH}"
                )
            if elements > MAX_ELEMENTS:
                raise Unreadable(
                    f"the XML document has more than the limit of {MAX_ELEMENTS:,} elements"
                )
            yield event, element
    except DefusedXmlException as error:
        raise refusal(
            f"an XML document with a document type or an entity ({type(error).__name__}), which is not read",
            xml.raw,
        ) from error
    except ParseError as error:
        row = error.position[0]
        raise Unreadable(
            f"this is an XML document that is broken in row {row}: {str(error)[:100]}",
            row=row,
            first_bytes=xml.raw[xml.start : xml.start + 64],
        ) from error
    except (LookupError, ValueError) as error:
        if isinstance(error, Unreadable):
            raise
        raise refusal(
            f"an XML document in an unknown encoding ({str(error)[:60]})", xml.raw
        ) from error


def sheets(xml: Xml, findings: tuple[str, ...]) -> list[Sheet]:
    """Return one sheet for each kind of element whose parts read as the header of a table.

    Raises:
        Unreadable: there is none.
    """
    keys = _keys(xml)
    tables = [path for path, names in keys.items() if columns.kind_of(tuple(names)) is not None]
    # What stands around a table has the parts of its rows within it: the innermost is the row.
    inner = [
        path for path in tables if not any(path == other[: len(path)] != other for other in tables)
    ]
    found = [(path, tuple(keys[path])) for path in inner]
    if not found:
        name, namespace = xml.root()
        of = f" of {namespace[:80]}" if namespace else ""
        raise refusal(
            f"an XML document (root element {name[:60]}{of}) without a table of positions", xml.raw
        )
    single = len(found) == 1
    return [
        _sheet(xml, path, names, "" if single else "/".join(path), findings)
        for path, names in found
    ]


def _keys(xml: Xml) -> dict[Path, dict[str, None]]:
    """Return for each place of an element the names of its attributes and of its parts with text."""
    keys: dict[Path, dict[str, None]] = {}
    path: list[str] = []
    for event, element in _events(xml):
        if event == "start":
            path.append(name_of(element))
            continue
        place = tuple(path)
        names = {name.rpartition("}")[2]: None for name in element.attrib}
        if names:
            keys.setdefault(place, {}).update(names)
        if not len(element) and text_of(element):
            for up in range(1, min(4, len(place))):
                keys.setdefault(place[:-up], {})[".".join(place[-up:])] = None
        element.clear()
        path.pop()
        if len(keys) > _PATHS:
            raise Unreadable(
                f"the XML document has elements in more than {_PATHS:,} different places: no table"
            )
    return {place: names for place, names in keys.items() if len(names) <= MAX_COLUMNS}


def _sheet(
    xml: Xml, path: Path, keys: tuple[str, ...], name: str, findings: tuple[str, ...]
) -> Sheet:
    def rows() -> Iterator[Record]:
        held: list[Record] = []
        number = 0
        for place, element, record in walk(xml, lambda at: at == path):
            if record:
                if not number:
                    yield from held
                    yield Record(0, keys, name)
                number += 1
                cells = cells_of(element)
                yield Record(number, tuple(cells.get(key, "") for key in keys), name)
            elif not number and len(held) < _PREAMBLE and text_of(element):
                held.append(Record(0, (place[-1], text_of(element)), name))

    return Sheet(container="xml", rows=rows, name=name, findings=findings)


def cells_of(element: Element, before: str = "") -> dict[str, str]:
    """Return the attributes and the texts of an element and its parts, by their names."""
    cells: dict[str, str] = {}
    waiting: list[tuple[Element, str]] = [(element, before)]
    while waiting:
        part, path = waiting.pop(0)
        for key, value in part.attrib.items():
            cells.setdefault(
                key.rpartition("}")[2] if not path else f"{path}.{key}", value.strip()
            )
        if path and not len(part) and text_of(part):
            cells.setdefault(path, text_of(part))
        waiting += [(child, f"{path}.{name_of(child)}".lstrip(".")) for child in part]
    return cells


def leaf(cells: dict[str, Any], *names: str) -> str:
    """Return the first of these cells that states something."""
    return next(
        (str(cells[name]) for name in names if cells.get(name) not in (None, "", "N/A")), ""
    )
