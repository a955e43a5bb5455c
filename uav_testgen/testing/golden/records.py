"""Reading recorded vectors: gzip'ed JSON whose faults are reported with file and field."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from uav_testgen.core.errors import InputFileError
from uav_testgen.core.files import read_regular
from uav_testgen.planner.vfh3d.base import FieldOfView
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters

# Recorded vectors have less than a megabyte; these limits leave room.
MAX_PACKED_BYTES = 64 * 1024 * 1024
MAX_UNPACKED_BYTES = 512 * 1024 * 1024
FloatArray = npt.NDArray[np.float64]
Built = TypeVar("Built")


class Record:
    """A JSON object that knows where it came from; a missing or misshapen field names file and field."""

    def __init__(self, data: dict[str, Any], where: str) -> None:
        self._data = data
        self.where = where

    def __contains__(self, name: str) -> bool:
        return self._data.get(name) is not None

    def __getitem__(self, name: str) -> Any:
        if name not in self._data:
            raise InputFileError(f"{self.where}: field {name!r} is missing")
        return self._data[name]

    def record(self, name: str) -> Record:
        """A nested object."""
        value = self[name]
        if not isinstance(value, dict):
            raise InputFileError(f"{self.where}: field {name!r} must be an object")
        return Record(value, f"{self.where}: {name}")

    def records(self, name: str) -> Iterator[Record]:
        """A list of objects."""
        value = self[name]
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise InputFileError(f"{self.where}: field {name!r} must be a list of objects")
        for index, item in enumerate(value):
            yield Record(item, f"{self.where}: {name}[{index}]")

    def number(self, name: str) -> float:
        """A number; null is NaN."""
        return float(self.array(name, ()))

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self[name]
        if not isinstance(value, bool):
            raise InputFileError(f"{self.where}: field {name!r} must be true or false")
        return value

    def text(self, name: str) -> str:
        """A string."""
        value = self[name]
        if not isinstance(value, str):
            raise InputFileError(f"{self.where}: field {name!r} must be a text")
        return value

    def array(self, name: str, shape: tuple[int | None, ...]) -> FloatArray:
        """Numbers of a shape (None = any length); null is NaN, an empty list fits any first length."""
        value = self[name]
        try:
            # Through object, because only that turns null into NaN.
            array = np.array(value, dtype=object).astype(np.float64)
        except (TypeError, ValueError):
            raise InputFileError(f"{self.where}: field {name!r} must contain only numbers") from None
        if array.size == 0 and shape and shape[0] is None:
            return np.zeros(tuple(length or 0 for length in shape))
        fits = array.ndim == len(shape) and all(
            wanted is None or wanted == got for wanted, got in zip(shape, array.shape, strict=True)
        )
        if not fits:
            raise InputFileError(
                f"{self.where}: field {name!r} must have shape {_readable(shape)}, not {array.shape}"
            )
        return array

    def integers(self, name: str) -> npt.NDArray[np.int64]:
        """A list of whole numbers."""
        return self.array(name, (None,)).astype(np.int64)

    def matrix(self, name: str) -> FloatArray:
        """A 30 x 60 matrix stored as [row, column, value] of its non-zero cells."""
        return sparse_matrix(self.array(name, (None, 3)), (30, 60), f"{self.where}: field {name!r}")

    def planner_config(self) -> PlannerConfig:
        """The planner parameters under ``config``, with the smoothing speeds of the file if it gives them."""
        values = dict(self.record("config")._data)
        for name in ("smoothing_speed_xy", "smoothing_speed_z"):
            if name in self:
                values[f"{name}_"] = self[name]
        return self._built(PlannerConfig.from_reconfigure, values)

    def px4_parameters(self) -> tuple[Px4Parameters, float]:
        """The PX4 parameters under ``px4`` and the mission item speed (NaN = none)."""
        record = self.record("px4")
        values = {name: value for name, value in record._data.items() if name != "mission_item_speed"}
        speed = record.number("mission_item_speed") if "mission_item_speed" in record else float("nan")
        return self._built(Px4Parameters.from_px4_names, values), speed

    def fields_of_view(self) -> tuple[FieldOfView, ...]:
        """The cameras under ``fovs``."""
        return tuple(FieldOfView(*map(float, row)) for row in self.array("fovs", (None, 4)))

    def _built(self, build: Callable[[dict[str, Any]], Built], values: dict[str, Any]) -> Built:
        try:
            return build(values)
        except ValueError as error:  # pydantic's errors are ValueErrors too
            text = " ".join(str(error).split())
            raise InputFileError(f"{self.where}: parameters are not usable: {text}") from None


def _readable(shape: tuple[int | None, ...]) -> str:
    return "(" + ", ".join("n" if length is None else str(length) for length in shape) + ")"


def sparse_matrix(cells: FloatArray, shape: tuple[int, int], where: str) -> FloatArray:
    """Dense matrix from rows [row, column, value]."""
    dense = np.zeros(shape)
    index = cells[:, :2].astype(np.int64)
    if len(cells) and not ((index >= 0) & (index < shape)).all():
        raise InputFileError(f"{where}: a cell is outside the {shape[0]} x {shape[1]} matrix")
    dense[index[:, 0], index[:, 1]] = cells[:, 2]
    return dense


def read_record(path: Path) -> Record:
    """The JSON object in a gzip'ed file."""
    packed = read_regular(path, MAX_PACKED_BYTES)
    try:
        with gzip.open(io.BytesIO(packed)) as stream:
            text = stream.read(MAX_UNPACKED_BYTES + 1)
        if len(text) > MAX_UNPACKED_BYTES:
            raise InputFileError(f"{path}: unpacks to more than {MAX_UNPACKED_BYTES} bytes")
        data = json.loads(text)
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (EOFError, zlib.error) as error:
        raise InputFileError(f"{path}: damaged gzip file ({error})") from None
    except (ValueError, RecursionError) as error:
        raise InputFileError(f"{path}: not JSON inside ({error})") from None
    if not isinstance(data, dict):
        raise InputFileError(f"{path}: a JSON object is expected")
    return Record(data, str(path))
