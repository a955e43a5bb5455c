"""Well-formed files with hostile values: the fuzzer's bytes choose where, and what stands there instead."""

from __future__ import annotations

import copy
import struct
from typing import Any

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63), 10**40, 1e308, -1e308, 1e-320, float("nan"),
    float("inf"), float("-inf"), "", "0", "nan", "-1e999", "=1+1", "\x1b[31m", "\u202e", "\uffff", "../../x",
    "a\x00b", "x" * 5000, [], [[]], {}, [None], {"": None}, [1e308, 1e308, 1e308], [float("nan")] * 3, "pass",
)  # fmt: skip
NUMBERS = (0.0, -0.0, 1.0, -1.0, 1e30, -1e30, 3.4e38, 1e-40, float("nan"), float("inf"), float("-inf"), 1e5)
WHOLE = (0, 1, 2**8 - 1, 2**16 - 1, 2**31, 2**32 - 1, 2**53 + 1, 2**63, 2**64 - 1)


class Choices:
    """Turns bytes into choices; when they are used up, every choice is the first."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._next = 0

    def below(self, count: int) -> int:
        """A number from 0 to count - 1."""
        number = int.from_bytes(self._data[self._next : self._next + 2], "little")
        self._next += 2
        return number % max(count, 1)

    def of(self, values: Any) -> Any:
        """One of several values."""
        return values[self.below(len(values))]

    def text(self, most: int = 30) -> str:
        """Characters as they come."""
        count = self.below(most)
        taken = self._data[self._next : self._next + count]
        self._next += count
        return taken.decode("utf-8", "replace")


def changed_document(document: Any, choices: Choices) -> Any:
    """The document with one to four values replaced, removed, repeated or renamed."""
    changed = copy.deepcopy(document)
    for _ in range(1 + choices.below(4)):
        place = changed
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = choices.of(keys)
            inner = place[key]
            if isinstance(inner, (dict, list)) and inner and choices.below(4):
                place = inner
                continue
            match choices.below(6):
                case 0:
                    del place[key]
                case 1 if isinstance(place, list):
                    place.insert(0, copy.deepcopy(inner))
                case 2 if isinstance(place, dict):
                    place[str(choices.of(VALUES))[:60]] = inner
                case _:
                    place[key] = copy.deepcopy(choices.of(VALUES))
            break
    return changed


def changed_payloads(log: bytes, choices: Choices) -> bytes:
    """A ULog whose messages keep their form: values inside data and parameter messages are replaced."""
    data = bytearray(log)
    places = []
    at = 16
    while at + 3 <= len(data):
        size, kind = struct.unpack_from("<HB", data, at)
        if kind in b"DP" and at + 3 + size <= len(data):
            places.append((at + 3, size))
        at += 3 + size
    for _ in range(1 + choices.below(6)):
        start, size = choices.of(places)
        width = choices.of((1, 4, 8))
        offset = start + choices.below(max(size - width, 1))
        match width:
            case 1:
                data[offset] = choices.below(256)
            case 4:
                struct.pack_into("<f", data, offset, choices.of(NUMBERS))
            case _ if choices.below(2):
                struct.pack_into("<d", data, offset, choices.of(NUMBERS))
            case _:
                struct.pack_into("<Q", data, offset, choices.of(WHOLE))
    return bytes(data)
