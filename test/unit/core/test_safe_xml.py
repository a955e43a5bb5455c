"""XML of others: read without entities, without depth, without an exception of another kind."""

from __future__ import annotations

import pytest

from uav_testgen.core.safe_xml import parse_xml


def test_what_is_there_is_read() -> None:
    root = parse_xml(b'<a xmlns:m="mine" k="v"><b>text</b><m:c>own</m:c></a>')
    assert (root.tag, root.get("k"), root.findtext("b")) == ("a", "v", "text")
    assert root.findtext("{mine}c") == "own"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused_in_every_encoding(encoding: str) -> None:
    text = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'
    with pytest.raises(ValueError, match="document type declaration"):
        parse_xml(text.encode(encoding))


@pytest.mark.parametrize(
    "data", [b"", b"<a>", b"<a></b>", b"\x00" * 50, bytes(range(256)), b"<a>" * 100_000, b"<a/><b/>", b"text"]
)
def test_anything_else_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"not XML|deeper than"):
        parse_xml(data)
