"""What varies in a question of probability: points of independent standard normal numbers, and the runs they mean.

Always the calibrated scatter, and beside it nothing (one scene), the obstacles of a test within a region, the
parameters of a logical scenario, or the scenes of a generator.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import ndtr

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import ConfigError
from uav_testgen.predict.draw import SIZE
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.model import Obstacle, Scenario


class Space(Protocol):
    """Points and what they stand for."""

    @property
    def text(self) -> str:
        """In words."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers of a point, the scatter's last."""
        ...

    @property
    def is_continuous(self) -> bool:
        """Do near points mean similar scenes? Splitting needs that."""
        ...

    def scenario(self, point: FloatArray) -> Scenario | None:
        """The scene of a point; None where it breaks a rule and does not count."""
        ...


def scatter_u(point: FloatArray) -> FloatArray:
    """The vector of the scatter: the last numbers of a point, as shares."""
    return np.asarray(ndtr(point[-SIZE:]))


@dataclass(frozen=True)
class OneScene:
    """A scene as it is; only the scatter varies."""

    base: Scenario
    dimension: int = SIZE
    is_continuous: bool = True

    @property
    def text(self) -> str:
        """In words."""
        return "this scene under the calibrated scatter"

    def scenario(self, point: FloatArray) -> Scenario | None:
        """Always the same."""
        return self.base


@dataclass(frozen=True)
class Region:
    """Every obstacle anywhere within so many metres east and north and so many degrees of turn."""

    base: Scenario
    within_m: float
    turn_deg: float = 0.0
    is_continuous: bool = True

    def __post_init__(self) -> None:
        if not self.base.obstacles:
            raise ConfigError("a region needs obstacles that can be moved; this scene has none")
        if not (0.0 <= self.within_m <= 100.0 and 0.0 <= self.turn_deg <= 180.0):
            raise ConfigError("a region reaches 0 to 100 m and turns by 0 to 180 degrees")

    @property
    def text(self) -> str:
        """In words."""
        turn = f" and turned by up to ±{self.turn_deg:g}°" if self.turn_deg else ""
        return (
            f"every obstacle within ±{self.within_m:g} m east and north{turn}, under the calibrated scatter"
        )

    @property
    def dimension(self) -> int:
        """East, north and turn of every obstacle, then the scatter."""
        return 3 * len(self.base.obstacles) + SIZE

    def scenario(self, point: FloatArray) -> Scenario | None:
        """The moved scene; None where an obstacle breaks a rule that the test itself keeps."""
        shares = 2.0 * ndtr(point[:-SIZE]).reshape(-1, 3) - 1.0
        moved = tuple(
            _moved(obstacle, self.within_m * e, self.within_m * n, math.radians(self.turn_deg * turn))
            for obstacle, (e, n, turn) in zip(self.base.obstacles, shares.tolist(), strict=True)
        )
        changed = self.base.with_obstacles(moved)
        return changed if len(problems(changed)) <= len(problems(self.base)) else None


@dataclass(frozen=True)
class Instances:
    """All instances of a logical scenario, every free parameter uniform in its range."""

    base: Scenario
    is_continuous: bool = True

    @property
    def text(self) -> str:
        """In words."""
        return f"the instances of logical scenario '{self.base.name}', under the calibrated scatter"

    @property
    def dimension(self) -> int:
        """Its free parameters, then the scatter."""
        return LogicalSpace(self.base).dimension + SIZE

    def scenario(self, point: FloatArray) -> Scenario | None:
        """The instance; None where obstacles are in each other's way."""
        found = LogicalSpace(self.base).decode(np.asarray(ndtr(point[:-SIZE])))
        return None if problems(found) else found


@dataclass(frozen=True)
class Proposals:
    """The scenes a generator proposes, one per point; only plain Monte Carlo can count them."""

    name: str
    propose: Callable[[int], Scenario]
    """The scene of a number."""
    dimension: int = 1 + SIZE
    is_continuous: bool = False

    @property
    def text(self) -> str:
        """In words."""
        return f"the scenes that generator '{self.name}' proposes, under the calibrated scatter"

    def scenario(self, point: FloatArray) -> Scenario | None:
        """The first number of a point chooses the scene."""
        return self.propose(int(np.abs(np.float64(point[0])).view(np.int64)) % 2**62)


def _moved(obstacle: Obstacle, east_m: float, north_m: float, turn_rad: float) -> Obstacle:
    x, y, z = obstacle.center_enu_m
    changes: dict[str, object] = {
        "center_enu_m": (x + east_m, y + north_m, z),
        "yaw_rad": obstacle.yaw_rad + turn_rad,
    }
    if obstacle.motion is not None:
        way = [
            (a + east_m, b + north_m, c) for a, b, c in (obstacle.motion.to_enu_m, *obstacle.motion.via_enu_m)
        ]
        changes["motion"] = obstacle.motion.model_copy(
            update={"to_enu_m": way[0], "via_enu_m": tuple(way[1:])}
        )
    return obstacle.model_copy(update=changes)
