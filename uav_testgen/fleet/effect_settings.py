"""Disturbances as a scenario file declares them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.registry import nearest
from uav_testgen.fleet.cells import Cell

EffectType = Literal["detour", "rogue", "fail", "edit", "weather", "block", "unblock", "network", "battery"]

# What may be changed while a drone flies: its identity, home and devices stay.
EDITABLE = ("speed", "battery", "battery_max", "battery_move_cost", "battery_idle_cost", "charge_rate")


def check_editable(changes: dict[str, Any]) -> None:
    """ValueError for a parameter that cannot be changed during a run."""
    for key in changes:
        if key not in EDITABLE:
            raise ValueError(
                f"'{key[:60]}' cannot be edited{nearest(key, list(EDITABLE))} Editable: {', '.join(EDITABLE)}"
            )
    if changes.get("battery", 0.0) < 0.0:
        raise ValueError(f"battery {changes['battery']:g}: a charge is never negative")


class EffectSpec(RoomConfig):
    """One disturbance. Which keys count depends on the type; ticks limit when it acts."""

    type: EffectType = Field(description="kind")
    probability: float = Field(default=1.0, ge=0.0, le=1.0, description="chance per opportunity")
    drones: tuple[int, ...] = Field(default=(), description="affected drones, empty = all")
    first_tick: int = Field(default=1, ge=1, description="first tick it acts")
    last_tick: int = Field(default=1_000_000_000, ge=1, description="last tick it acts")
    cells: tuple[Cell, ...] = Field(
        default=(), description="cells it acts on (block, unblock, weather), empty = any"
    )
    set: dict[str, float] = Field(default={}, description="new values of a drone's parameters (edit)")
    attr: str = Field(default="", description="attribute it sets in its cells (weather)")
    value: Any = Field(default=None, description="value it sets (weather)")
    hold: bool = Field(default=False, description="drones in its cells lose the tick (weather)")
    drain: float = Field(default=0.0, ge=0.0, description="charge lost [mAh] (battery)")
    loss_probability: float = Field(default=0.0, ge=0.0, le=1.0, description="share lost (network)")
    delay_ticks: int = Field(default=0, ge=0, le=1000, description="delay (network)")

    @model_validator(mode="after")
    def _sensible(self) -> EffectSpec:
        check_editable(self.set)
        if self.type == "edit" and not self.set:
            raise ValueError(f"edit needs set, e.g. {{'speed': 2}} (any of {', '.join(EDITABLE)})")
        if self.last_tick < self.first_tick:
            raise ValueError(f"last_tick {self.last_tick} lies before first_tick {self.first_tick}")
        return self


class EffectorSpec(RoomConfig):
    """All disturbances; seeded by the run."""

    enabled: bool = Field(default=False, description="whether they act")
    effects: tuple[EffectSpec, ...] = Field(default=(), description="disturbances")
