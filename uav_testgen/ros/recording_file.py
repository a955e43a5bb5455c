"""Reads an MCAP recording that may come from anywhere: bounded, and damage is one error in one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mcap.reader import SeekingReader

from uav_testgen.core.errors import InputFileError
from uav_testgen.ros.bag_metadata import is_latched, played_file

MAX_FILE_BYTES = 16 * 1024**3
# A record is read into memory whole. Clouds are megabytes; chunks of usual writers are, too.
_MAX_RECORD_BYTES = 256 * 1024**2
_MAX_QOS_TEXT = 20_000
_TYPE_NAME = re.compile(r"[a-z][a-z0-9_]{0,99}/(msg/)?[A-Z][A-Za-z0-9]{0,99}")
_TOPIC = re.compile(r"/?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*")


@dataclass(frozen=True, slots=True)
class Channel:
    """One recorded topic."""

    topic: str
    type_name: str
    latched: bool


@dataclass(frozen=True, slots=True)
class RecordedMessage:
    """The bytes of one message, when they were recorded, and where they belong."""

    channel: int
    time_ns: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Recording:
    """An open recording."""

    channels: dict[int, Channel]
    messages: Callable[[], Iterator[RecordedMessage]]


@contextmanager
def open_recording(file: Path) -> Iterator[Recording]:
    """The topics and, one after the other, the messages; InputFileError where the file is not a recording."""
    file = played_file(file)
    try:
        size = file.stat().st_size
        if not file.is_file() or size > MAX_FILE_BYTES:
            raise InputFileError(f"{file}: a regular file of at most {MAX_FILE_BYTES} bytes is expected")
        stream = file.open("rb")
    except OSError as error:
        raise InputFileError(f"{file}: cannot be read ({error.strerror})") from None
    with stream:
        yield _read(stream, file)


def _read(stream: IO[bytes], file: Path) -> Recording:
    with _blaming(file):
        reader = SeekingReader(stream, validate_crcs=True, record_size_limit=_MAX_RECORD_BYTES)
        summary = reader.get_summary()
        if summary is None:
            raise InputFileError(f"{file}: the recording has no end; it was not finished")
        largest = max((chunk.uncompressed_size for chunk in summary.chunk_indexes), default=0)
        if largest > _MAX_RECORD_BYTES:
            raise InputFileError(f"{file}: a chunk of {largest} bytes, {_MAX_RECORD_BYTES} are accepted")
        channels = {
            channel.id: _channel(channel, summary.schemas[channel.schema_id].name, file)
            for channel in summary.channels.values()
        }

    def messages() -> Iterator[RecordedMessage]:
        found = reader.iter_messages()
        while True:
            with _blaming(file):
                entry = next(found, None)
            if entry is None:
                return
            _, channel, message = entry
            if channel.id not in channels:
                raise InputFileError(f"{file}: a message of a topic that the recording does not list")
            yield RecordedMessage(channel.id, message.log_time, message.data)

    return Recording(channels, messages)


def _channel(channel: Any, type_name: str, file: Path) -> Channel:
    # A type is looked up by import: nothing but the name of a message may get there.
    if not _TYPE_NAME.fullmatch(type_name):
        raise InputFileError(f"{file}: '{type_name[:60]}' is not the name of a ROS message type")
    if len(channel.topic) > 200 or not _TOPIC.fullmatch(channel.topic):
        raise InputFileError(f"{file}: '{channel.topic[:60]}' is not the name of a ROS topic")
    latched = is_latched(channel.metadata.get("offered_qos_profiles", "")[:_MAX_QOS_TEXT])
    return Channel(channel.topic, type_name, latched)


@contextmanager
def _blaming(file: Path) -> Iterator[None]:
    """Whatever a parser does with garbage, the file is to blame."""
    try:
        yield
    except InputFileError:
        raise
    except MemoryError:
        raise InputFileError(f"{file}: a record is too large for the memory of this machine") from None
    except Exception as error:
        kind = type(error).__name__
        raise InputFileError(
            f"{file}: not a readable MCAP recording ({kind}: {str(error)[:120]}); the file is damaged or cut"
        ) from None
