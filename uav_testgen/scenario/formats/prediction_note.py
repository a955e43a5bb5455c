"""How a test in a file was predicted: written by campaigns, read by `fly` to give the same numbers again.

The note is a mapping `prediction` at the top of the file, in our own format and in Aerialist's (which ignores it).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field

from uav_testgen.core.config import RoomConfig, parse_config, read_yaml

KEY = "prediction"


class PredictionNote(RoomConfig):
    """What is needed to fly the same runs again, and what they gave."""

    version: str = Field(description="version of uav_testgen")
    backend: str = Field(description="simulator that predicted")
    system: str = Field(description="name of the system's preset")
    preset_version: int | None = Field(None, description="its version")
    settings: dict[str, Any] = Field(default_factory=dict, description="settings of the backend")
    scatter: dict[str, Any] | None = Field(None, description="how runs differed, where not as in the preset")
    seed: int = Field(ge=0, description="seed of the prediction")
    runs: int = Field(ge=0, description="drawn runs, besides the nominal one")
    measure: str = Field("aerialist", description="how distances are measured")
    distance_m: float | None = Field(None, description="predicted least distance, corrected [m]")
    nominal_distance_m: float | None = Field(None, description="that of the nominal run, corrected [m]")
    failure_probability: float | None = Field(None, description="of coming nearer than the safe distance")
    counts: str = Field("", description="what the runs did")
    requirements: list[str] = Field(default_factory=list, description="what had to hold; empty: the distance")
    margin: float | None = Field(None, description="worst margin of the requirements")


def load_note(path: Path) -> PredictionNote | None:
    """The note in a test file; None where there is none."""
    if path.suffix not in (".yaml", ".yml", ".json"):
        return None
    data = read_yaml(path)
    if not isinstance(data, dict) or not isinstance(data.get(KEY), dict):
        return None
    return parse_config(PredictionNote, data[KEY], source=f"{path}: {KEY}")
