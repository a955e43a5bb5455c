"""Settings of a part of one's own: a generator, a backend."""

from __future__ import annotations

from uav_testgen.core.config import RoomConfig


class Settings(RoomConfig):
    """Base of the settings of a generator, simulator or other part of your own: its fields become keys of a file.

    Values are frozen and checked, unknown keys are refused with the nearest known one. Bounds and a description per
    field, as pydantic has them, appear in error messages:

        class MySettings(Settings):
            step_m: float = Field(default=1.0, gt=0, description="Distance between two proposals [m]")
    """
