"""The one reader of XML that others wrote: no document type, so no entities; bounded depth."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

_MOST_LEVELS = 100


def parse_xml(data: bytes) -> Element:
    """The root element; ValueError says in a few words what is wrong. Names with a prefix read `{namespace}name`."""
    builder = TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MOST_LEVELS:
            raise ValueError(f"nested deeper than {_MOST_LEVELS} levels")
        builder.start(_name(tag), {_name(key): value for key, value in attributes.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_name(tag))

    def refuse(*_: Any) -> None:
        # Entities could unfold to any size or name other files.
        raise ValueError("a document type declaration is not read; take it out")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
        return builder.close()
    except expat.ExpatError as error:
        raise ValueError(f"not XML ({error})") from None
    except (AssertionError, LookupError) as error:
        raise ValueError(f"not XML ({error})") from None


def _name(text: str) -> str:
    return f"{{{text}" if "}" in text else text
