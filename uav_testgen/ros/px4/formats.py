"""Do PX4 and our definitions mean the same message? PX4 tells the hash of each of its own, if asked.

The hash is 32-bit FNV-1a over one line `type name` for each field, in the order of the definition; the fields
of a contained message follow the line of their field.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

from rclpy.node import Node

from uav_testgen.ros.message_schema import definition
from uav_testgen.ros.px4.reader_qos import PX4_READER
from uav_testgen.ros.px4.topics import Direction, fmu_topic
from uav_testgen.ros.qos import PX4_IN

_PROTOCOL: Final = 1
_ASK_AGAIN_S: Final = 0.3
_TRIES: Final = 10
_NAME_LENGTH: Final = 50
_CONTAINED: Final = re.compile(r"^(?P<type>[A-Za-z0-9_]+/(?:msg/)?[A-Za-z0-9_]+)(?P<array>\[[^\]]*\])?$")
RELEASE_BY_FLAGS: Final = {3652994069: "1.15", 977873347: "1.16", 1776302583: "1.17", 3161191052: "1.18"}
"""FailsafeFlags has other fields in every release, so its hash tells them apart."""


def fnv1a(text: str) -> int:
    """32-bit FNV-1a of a text."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def message_hashes(kind: Any) -> frozenset[int]:
    """What PX4 may answer for this message class.

    Two values where it has arrays of uint8: the classes do not tell `uint8[25]` from `char[25]`.
    """
    sections = definition(kind).split("=" * 80 + "\n")
    bodies = {"": sections[0]}
    for section in sections[1:]:
        head, _, body = section.partition("\n")
        bodies[head.removeprefix("MSG: ").rpartition("/")[2]] = body
    as_bytes = _field_lines("", bodies)
    as_text = re.sub(r"^uint8\[", "char[", as_bytes, flags=re.MULTILINE)
    return frozenset((fnv1a(as_bytes), fnv1a(as_text)))


def _field_lines(name: str, bodies: dict[str, str]) -> str:
    lines = ""
    for line in bodies[name].splitlines():
        kind, _, field = line.partition(" ")
        contained = _CONTAINED.match(kind)
        if contained is None:
            lines += f"{kind} {field}\n"
        else:
            inner = contained["type"].rpartition("/")[2]
            lines += f"{inner}{contained['array'] or ''} {field}\n" + _field_lines(inner, bodies)
    return lines


class FormatCheck:
    """Asks PX4 for one format after the other; who does not answer is not asked for ever."""

    def __init__(
        self, node: Node, messages: Any, namespace: str, wanted: Iterable[tuple[Direction, str, str]]
    ) -> None:
        self.answers: dict[str, int | None] = {}
        """Hash by topic name without version; None: PX4 does not know the topic."""
        self._wanted = {f"/fmu/{way}/{base}": getattr(messages, kind, None) for way, base, kind in wanted}
        self._ours = {name: message_hashes(kind) for name, kind in self._wanted.items() if kind is not None}
        self._tries = 0
        self._asked_s = -1.0
        self._request: Callable[[Any], None] | None = None
        self._kind = getattr(messages, "MessageFormatRequest", None)
        response = getattr(messages, "MessageFormatResponse", None)
        if self._kind is None or response is None:
            return
        topic = fmu_topic("out", "message_format_response", response, namespace)
        node.create_subscription(response, topic, self._take, PX4_READER)
        asked = fmu_topic("in", "message_format_request", self._kind, namespace)
        self._request = node.create_publisher(self._kind, asked, PX4_IN).publish

    def forget(self) -> None:
        """Another PX4 may answer from now on."""
        self.answers.clear()
        self._tries = 0

    def ask(self, now_s: float | None = None) -> None:
        """The next question; PX4 takes one at a time."""
        now_s = time.monotonic() if now_s is None else now_s
        open_questions = [name for name in self._ours if name not in self.answers]
        given_up = self._tries >= _TRIES
        if self._request is None or not open_questions or given_up or now_s - self._asked_s < _ASK_AGAIN_S:
            return
        self._ask(open_questions[0], now_s)

    def wrong(self, several: Iterable[str] = ()) -> list[str]:
        """A sentence for each message that PX4 lays out differently; `several`: bases offered in more than
        one version, where somebody translates and PX4's own layout does not count."""
        skipped = set(several)
        return [
            f"{name}: PX4 lays out this message differently from the px4_msgs installed here"
            for name, found in self.answers.items()
            if found is not None
            and found not in self._ours[name]
            and name.rpartition("/")[2] not in skipped | {"failsafe_flags"}
        ]

    @property
    def done(self) -> bool:
        """Everything was answered, or PX4 does not answer."""
        return self._request is None or self._tries >= _TRIES or len(self.answers) == len(self._ours)

    @property
    def release(self) -> str | None:
        """PX4's release as its formats tell; None where PX4 did not answer or is of another release."""
        found = self.answers.get("/fmu/out/failsafe_flags")
        return RELEASE_BY_FLAGS.get(found) if found is not None else None

    def same(self, name: str) -> bool | None:
        """PX4 and we mean the same by this topic; None where PX4 did not answer."""
        found = self.answers.get(name)
        return None if found is None else found in self._ours[name]

    def _ask(self, name: str, now_s: float) -> None:
        assert self._request is not None and self._kind is not None
        letters = list(name.encode()[: _NAME_LENGTH - 1])
        request = self._kind(timestamp=0, protocol_version=_PROTOCOL)
        request.topic_name = letters + [0] * (_NAME_LENGTH - len(letters))
        self._request(request)
        self._asked_s = now_s
        self._tries += 1

    def _take(self, response: Any) -> None:
        name = bytes(response.topic_name).partition(b"\0")[0].decode(errors="replace")
        if name not in self._ours or int(response.protocol_version) != _PROTOCOL:
            return
        self.answers[name] = int(response.message_hash) if response.success else None
        self._tries, self._asked_s = 0, -1.0
        self.ask()
