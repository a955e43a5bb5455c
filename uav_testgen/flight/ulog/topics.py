"""The raw content of a ULog file: the one file that imports pyulog."""

from __future__ import annotations

import contextlib
import io
import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.ulog.bounded_file import BoundedFile

log = logging.getLogger(__name__)

# A whole day of the default profile; the parser holds what it reads in memory.
MAX_LOG_BYTES = 512 * 1024 * 1024
_TOPICS = (
    "vehicle_local_position",
    "vehicle_land_detected",
    "vehicle_status",
    "position_setpoint_triplet",
    "vehicle_attitude",
    "obstacle_distance",
)
_MAGIC = b"ULog\x01\x12\x35"

Columns = dict[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class RawLog:
    """Columns per topic (first instance), parameters at the start, and whether the file was damaged."""

    topics: dict[str, Columns]
    parameters: dict[str, float]
    damaged: bool


def read_topics(path: Path, names: Sequence[str] = _TOPICS) -> RawLog:
    """Read topics, by default those a replication needs; InputFileError says why not."""
    _check_file(path)
    from pyulog import ULog

    spoken = io.StringIO()
    try:
        # The parser talks to stdout about damage; that belongs into our log.
        with contextlib.redirect_stdout(spoken):
            with path.open("rb", buffering=0) as raw, BoundedFile(raw, path.stat().st_size) as source:
                data = ULog(source, list(names), disable_str_exceptions=True)
            topics = {
                topic.name: {
                    name: np.asarray(values, dtype=np.float64) for name, values in topic.data.items()
                }
                for topic in reversed(data.data_list)
                if topic.name in names
            }
            parameters = {
                str(name): float(value)
                for name, value in data.initial_parameters.items()
                if isinstance(value, (int, float)) and math.isfinite(value)
            }
            damaged = bool(data.file_corruption)
    except MemoryError:
        raise InputFileError(f"{path}: too large for the memory of this machine") from None
    except Exception as error:  # whatever a parser does with garbage, the file is to blame
        kind = type(error).__name__
        raise InputFileError(
            f"{path}: not a readable ULog ({kind}: {str(error)[:120]}); the file is damaged or cut"
        ) from None
    for line in spoken.getvalue().splitlines()[:20]:
        log.info("%s: %s", path, line)
    return RawLog(topics, parameters, damaged)


def _check_file(path: Path) -> None:
    try:
        if path.is_dir():
            raise InputFileError(f"{path}: is a folder, a flight log (.ulg) is expected")
        if path.exists() and not path.is_file():
            raise InputFileError(f"{path}: is a device or pipe, a flight log (.ulg) is expected")
        size = path.stat().st_size
        if size > MAX_LOG_BYTES:
            raise InputFileError(f"{path}: {size} bytes, a flight log may have {MAX_LOG_BYTES}")
        with path.open("rb") as source:
            head = source.read(len(_MAGIC))
    except FileNotFoundError:
        raise InputFileError(f"{path}: no such file") from None
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror})") from None
    if size == 0:
        raise InputFileError(f"{path}: the file is empty; a flight log (.ulg) is expected")
    if head != _MAGIC:
        raise InputFileError(f"{path}: not a PX4 ULog (its first bytes are not 'ULog'); give a .ulg file")
