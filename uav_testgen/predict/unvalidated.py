"""What a scene contains that no recorded flight shows the simulator to be right about.

Predictions are validated on flights around resting boxes over flat ground, in calm air and in steady wind of 4 m/s
(docs/explanation/how_true.md). Everything else acts on the simulated flight as its model says, and every output says
that nobody has compared it with reality.
"""

from __future__ import annotations

from uav_testgen.scenario.model import Landform, Scenario, Shape, Surface, Visibility, Wind

_VALIDATED_WIND_MPS = 4.0


def unvalidated(scenario: Scenario) -> tuple[str, ...]:
    """Names of what was never compared with a real flight; empty where everything was."""
    found = {
        "moving obstacles": any(one.motion is not None for one in scenario.obstacles),
        "obstacles other than boxes": any(one.shape is not Shape.BOX for one in scenario.obstacles),
        "fog": scenario.visibility != Visibility(),
        "landform": scenario.terrain.landform is not Landform.FLAT,
        "water": scenario.terrain.surface is not Surface.LAND,
        "changing wind": _changes(scenario.wind),
        f"wind above {_VALIDATED_WIND_MPS:g} m/s": scenario.wind.velocity_mean_mps > _VALIDATED_WIND_MPS,
    }
    return tuple(name for name, is_there in found.items() if is_there)


def unvalidated_sentence(scenario: Scenario) -> str:
    """The same for people; empty where there is nothing to say."""
    names = unvalidated(scenario)
    if not names:
        return ""
    return f"not validated for {', '.join(names)}: no recorded flights to compare with"


def _changes(wind: Wind) -> bool:
    blows = wind.velocity_mean_mps > 0.0 or wind.velocity_variance > 0.0
    gusts = wind.gust_velocity_mean_mps > 0.0 or wind.gust_velocity_variance > 0.0
    drawn = wind.velocity_variance > 0.0 or wind.direction_variance > 0.0
    return (blows and drawn) or (gusts and wind.gust_duration_s > 0.0)
