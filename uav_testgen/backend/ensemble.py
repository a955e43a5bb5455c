"""Many slightly different flights of one test: how likely does it fail, and how near does it get?

A real autopilot never repeats itself: it starts elsewhere, its position estimate drifts, its threads run
unsynchronised. `fly_ensemble` flies a test several times with such differences, their size calibrated
on real flights, and adds what the model leaves unexplained. Run 0 is always the undisturbed flight.

Whether a turn catches PX4's speed lock hangs on one instant that the model does not get right. So there are
two opinions, free and locked: run 1 is the undisturbed flight in the other opinion, later runs draw one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import Any

from uav_testgen.backend.lfs.backend import LfsBackend
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.oracle.competition import POINT_STEPS
from uav_testgen.oracle.separation import separation
from uav_testgen.rng import derive_seed, stream
from uav_testgen.scenario.model import Scenario
from uav_testgen.sensing.camera import CameraRig
from uav_testgen.vehicle.px4_preset import ScatterConfig, load_px4_preset


@dataclass(frozen=True, slots=True)
class Run:
    """One flight of an ensemble.

    `distance_m` is Aerialist's plus the calibrated bias (a touch stays 0), infinite without obstacles.
    """

    distance_m: float
    duration_s: float
    ending: Ending
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Distribution:
    """Predicted outcomes of one test. `spread_m` is the error of the model, added to every run."""

    runs: tuple[Run, ...]
    spread_m: float
    nearer_bias_m: float = 0.0

    def probability_below(self, limit_m: float) -> float:
        """How likely the least distance is below a limit."""
        shares = [_normal_share(limit_m - run.distance_m, self.spread_m) for run in self.runs]
        return math.fsum(shares) / len(shares)

    def quantile_m(self, share: float) -> float:
        """Distance that is undercut with this probability."""
        if not any(math.isfinite(run.distance_m) for run in self.runs):
            return math.inf
        reach = 6.0 * self.spread_m
        low = -reach
        high = max(run.distance_m for run in self.runs if math.isfinite(run.distance_m)) + reach
        if self.probability_below(high) < share:
            return math.inf
        for _ in range(60):
            middle = 0.5 * (low + high)
            if self.probability_below(middle) < share:
                low = middle
            else:
                high = middle
        return max(0.5 * (low + high), 0.0)

    @property
    def expected_distance_m(self) -> float:
        """Median over the runs (one run on the other side of an obstacle does not move it).

        With runs of both opinions: the nearer of their medians, which predicts real flights better than
        either (docs/fidelity.md).
        """
        free = [run.distance_m for run in self.runs if not run.locked]
        locked = [run.distance_m for run in self.runs if run.locked]
        if not free or not locked:
            return median(free or locked)
        nearer_m = min(median(free), median(locked))
        return max(nearer_m + self.nearer_bias_m, 0.0) if nearer_m > 0.0 else nearer_m

    @property
    def expected_points(self) -> float:
        """Mean competition points of a flight."""
        total, before = 0.0, 0.0
        for limit_m, points in POINT_STEPS:
            below = self.probability_below(limit_m)
            total += points * (below - before)
            before = below
        return total

    @property
    def mean_duration_s(self) -> float:
        """Mean simulated flight time."""
        return math.fsum(run.duration_s for run in self.runs) / len(self.runs)

    def to_json(self) -> dict[str, Any]:
        """Plain data; an infinite distance is null."""
        return {
            "runs": [
                {
                    "distance_m": _finite(r.distance_m),
                    "duration_s": r.duration_s,
                    "ending": r.ending.value,
                    "locked": r.locked,
                }
                for r in self.runs
            ],
            "spread_m": self.spread_m,
            "failure_probability": self.probability_below(1.5),
            "expected_points": self.expected_points,
            "expected_distance_m": _finite(self.expected_distance_m),
            "quantiles_m": {str(q): _finite(self.quantile_m(q)) for q in (0.05, 0.25, 0.5, 0.75, 0.95)},
            "mean_duration_s": self.mean_duration_s,
        }


def fly_ensemble(
    scenario: Scenario,
    seed: int,
    runs: int,
    config: LfsConfig | None = None,
    scatter: ScatterConfig | None = None,
) -> Distribution:
    """Fly a test `runs` times with seeded differences."""
    config = config or LfsConfig(vehicle="px4")
    scatter = scatter or load_px4_preset().scatter
    flown = [fly_run(scenario, config, scatter, seed, run)[0] for run in range(max(runs, 1))]
    return Distribution(tuple(flown), scatter.model_m, scatter.nearer_bias_m)


def fly_run(
    scenario: Scenario, config: LfsConfig, scatter: ScatterConfig, seed: int, run: int
) -> tuple[Run, Flight]:
    """One run of an ensemble, judged against the obstacles as they were asked for."""
    changed, flown = config, scenario
    if run == 1 and has_two_opinions(config, scatter):
        changed = with_lock(config)
    elif run > 0:
        flown, changed = disturbed(scenario, config, scatter, seed, run)
    flight = _backend(changed).fly(flown, derive_seed(seed, "run", run) if run else seed)
    found = separation(scenario, flight.trajectory)
    distance_m = math.inf if found is None else found.aerialist.distance_m
    other = has_two_opinions(config, scatter) and changed.px4_vehicle.speed_lock
    if distance_m > 0.0:
        distance_m = max(distance_m + (scatter.lock_bias_m if other else scatter.bias_m), 0.0)
    return Run(distance_m, flight.duration_s, flight.ending, other), flight


def has_two_opinions(config: LfsConfig, scatter: ScatterConfig) -> bool:
    """Are flights with the speed lock a second opinion? Not if they are the rule or not asked for."""
    return config.vehicle == "px4" and not config.px4_vehicle.speed_lock and scatter.lock_share > 0.0


def with_lock(config: LfsConfig) -> LfsConfig:
    """The same vehicle with PX4's speed lock."""
    return config.model_copy(
        update={"px4_vehicle": config.px4_vehicle.model_copy(update={"speed_lock": True})}
    )


def disturbed(
    scenario: Scenario, config: LfsConfig, scatter: ScatterConfig, seed: int, run: int
) -> tuple[Scenario, LfsConfig]:
    """What run number `run` flies instead of the test as written."""
    random = stream(seed, "ensemble", run)
    east, north, turn = (float(value) for value in random.normal(0.0, 1.0, 3))
    shift_e, shift_n = (scatter.frame_m * float(value) for value in random.normal(0.0, 1.0, 2))
    plan_age_s = float(
        random.uniform(scatter.plan_age_min_s, max(scatter.plan_age_max_s, scatter.plan_age_min_s))
    )
    x, y, z = scenario.mission.home_enu_m
    mission = scenario.mission.model_copy(
        update={
            "home_enu_m": (x + scatter.start_m * east, y + scatter.start_m * north, z),
            "home_yaw_rad": scenario.mission.home_yaw_rad + scatter.heading_rad * turn,
        }
    )
    # An error of the position estimate moves the world against the mission, not the mission itself.
    obstacles = tuple(
        obstacle.model_copy(
            update={
                "center_enu_m": (
                    obstacle.center_enu_m[0] + shift_e,
                    obstacle.center_enu_m[1] + shift_n,
                    obstacle.center_enu_m[2],
                )
            }
        )
        for obstacle in scenario.obstacles
    )
    changes: dict[str, Any] = {"camera": _noisy(config.rig, scatter.range_noise_m)}
    if config.vehicle == "px4":
        locked = config.px4_vehicle.speed_lock or float(random.uniform()) < scatter.lock_share
        changes["px4_vehicle"] = config.px4_vehicle.model_copy(
            update={"plan_age_s": plan_age_s, "speed_lock": locked}
        )
    return (
        scenario.model_copy(update={"mission": mission, "obstacles": obstacles}),
        config.model_copy(update=changes),
    )


def _noisy(rig: CameraRig, std_m: float) -> CameraRig:
    cameras = tuple(
        camera.model_copy(update={"noise": camera.noise.model_copy(update={"range_std_m": std_m})})
        for camera in rig.cameras
    )
    return rig.model_copy(update={"cameras": cameras})


@lru_cache(maxsize=8)
def _backend_of(key: str) -> LfsBackend:
    return LfsBackend(LfsConfig.model_validate_json(key))


def _backend(config: LfsConfig) -> LfsBackend:
    """A backend per configuration; buffers are reused between flights."""
    return _backend_of(config.model_dump_json())


def _normal_share(margin_m: float, spread_m: float) -> float:
    if spread_m <= 0.0 or not math.isfinite(margin_m):
        return 1.0 if margin_m > 0.0 else 0.0
    return 0.5 * math.erfc(-margin_m / (spread_m * math.sqrt(2.0)))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
