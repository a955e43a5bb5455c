"""Writing ULog files: formats, information, parameters, then the samples of all topics in order of time.

The file format is PX4's (version 1); every message is a size, a type and a body, little-endian and packed.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"ULog\x01\x12\x35\x01"
_TYPES = {
    "uint64_t": "<u8", "int64_t": "<i8", "uint32_t": "<u4", "int32_t": "<i4", "uint16_t": "<u2", "int16_t": "<i2",
    "uint8_t": "<u1", "int8_t": "<i1", "bool": "<u1", "char": "<u1", "double": "<f8", "float": "<f4",
}  # fmt: skip
_FIELD = re.compile(r"(?P<type>\w+?)(?:\[(?P<count>\d+)\])? (?P<name>\w+)")


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples of one topic: `fields` as in a ULog definition ("uint64_t timestamp;float[4] q"), and columns.

    A column is one value for all samples, one for each, or for an array one row for each. Fields without a
    column are zero.
    """

    topic: str
    fields: str
    columns: Mapping[str, Any]

    def rows(self) -> NDArray[np.void]:
        """The samples as packed records, in order of time."""
        stamps = np.asarray(self.columns["timestamp"], dtype=np.uint64).reshape(-1)
        table = np.zeros(len(stamps), dtype=_record(self.fields))
        unknown = set(self.columns) - set(table.dtype.names or ())
        if unknown:
            raise ValueError(f"{self.topic} has no field {', '.join(sorted(unknown))}")
        for name, values in self.columns.items():
            table[name] = stamps if name == "timestamp" else values
        return table[np.argsort(stamps, kind="stable")]


def ulog_bytes(
    topics: Sequence[Samples],
    *,
    start_us: int = 0,
    information: Mapping[str, str | int] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> bytes:
    """A whole file. Whole-number parameters are written as int32, others as float, as PX4 does."""
    parts = [MAGIC + struct.pack("<Q", start_us)]
    for samples in topics:
        parts.append(message("F", f"{samples.topic}:{samples.fields.rstrip(';')};".encode()))
    for name, value in (information or {}).items():
        parts.append(message("I", _key_and_value(name, value)))
    for name, number in (parameters or {}).items():
        parts.append(message("P", _key_and_value(name, number)))
    for number, samples in enumerate(topics):
        parts.append(message("A", struct.pack("<BH", 0, number) + samples.topic.encode()))
    return b"".join([*parts, *_data(topics)])


def message(kind: str, body: bytes) -> bytes:
    """One message of the file."""
    return struct.pack("<HB", len(body), ord(kind)) + body


def _data(topics: Sequence[Samples]) -> list[bytes]:
    """Data messages of all topics; at equal times in the order of the topics."""
    found: list[tuple[int, int, bytes]] = []
    for number, samples in enumerate(topics):
        rows = samples.rows()
        head = struct.pack("<HBH", rows.dtype.itemsize + 2, ord("D"), number)
        found += [(int(row["timestamp"]), number, head + row.tobytes()) for row in rows]
    return [data for _, _, data in sorted(found, key=lambda one: one[:2])]


def _record(fields: str) -> np.dtype[np.void]:
    described: list[tuple[Any, ...]] = []
    for field in filter(None, fields.split(";")):
        match = _FIELD.fullmatch(field.strip())
        if match is None or match["type"] not in _TYPES:
            raise ValueError(f"'{field}' is not a field of a ULog message")
        shape = () if match["count"] is None else ((int(match["count"]),),)
        described.append((match["name"], _TYPES[match["type"]], *shape))
    return np.dtype(described)


def _key_and_value(name: str, value: str | float) -> bytes:
    if isinstance(value, str):
        data = value.encode()
        key = f"char[{len(data)}] {name}".encode()
    elif isinstance(value, int):
        key, data = f"int32_t {name}".encode(), struct.pack("<i", value)
    else:
        key, data = f"float {name}".encode(), struct.pack("<f", value)
    return bytes([len(key)]) + key + data
