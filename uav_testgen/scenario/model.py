"""What is tested: obstacles, a mission, the weather. Frozen values in ENU metres and radians.

Geometry derived from these values is computed where it is needed and never stored beside them, so
an obstacle that was moved can never be judged by its old outline.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from uav_testgen.core.notebook import plan_view, table_html
from uav_testgen.scenario.arena import FARTHEST_M, Arena
from uav_testgen.scenario.kinds import Landform as Landform
from uav_testgen.scenario.kinds import MotionMode as MotionMode
from uav_testgen.scenario.kinds import Surface as Surface
from uav_testgen.scenario.logical.ranges import LogicalRanges
from uav_testgen.shape.base import Triangles
from uav_testgen.shape.forms import FORMS
from uav_testgen.shape.kinds import Shape as Shape
from uav_testgen.shape.mesh import MOST_TRIANGLES, triangles_fault

Metres = Annotated[float, Field(ge=-FARTHEST_M, le=FARTHEST_M)]
Point = tuple[Metres, Metres, Metres]
ParameterName = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{0,15}$")]
Radians = Annotated[float, Field(ge=-1000.0, le=1000.0)]

LONGEST_NAME = 200


class Value(BaseModel):
    """Base of the frozen scenario values."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class LinearMotion(Value):
    """Motion of an obstacle's centre from where it stands to `to_enu_m`, straight or over corners."""

    to_enu_m: Point
    via_enu_m: tuple[Point, ...] = Field(default=(), max_length=100)
    speed_mps: float = Field(gt=0.0, le=50.0)
    start_s: float = Field(default=0.0, ge=0.0, le=1e6)
    mode: MotionMode = MotionMode.BACK_AND_FORTH


class Obstacle(Value):
    """A box, upright cylinder, sphere or mesh.

    `size_m` holds full extents along the obstacle's own x, y, z; a cylinder has x = y = diameter, a
    sphere x = y = z = diameter. `yaw_rad` turns it counter-clockwise about the vertical. `triangles` are those of
    a mesh, in shares of its half sizes (-1 to 1), so that a mesh is resized like the others.
    """

    center_enu_m: Point
    size_m: tuple[float, float, float]
    yaw_rad: Radians = 0.0
    shape: Shape = Shape.BOX
    motion: LinearMotion | None = None
    triangles: Triangles = Field(default=(), max_length=MOST_TRIANGLES)
    name: str = Field(default="", max_length=LONGEST_NAME)

    @model_validator(mode="after")
    def _check_size(self) -> Obstacle:
        fault = FORMS[self.shape].size_fault(self.size_m)
        if fault is None and self.shape is Shape.MESH:
            fault = triangles_fault(self.triangles)
        elif fault is None and self.triangles:
            fault = f"a {self.shape.value} has no triangles; 'shape: mesh' has"
        if fault:
            raise ValueError(fault)
        return self

    @property
    def way_enu_m(self) -> tuple[Point, ...]:
        """Corners of the way its centre takes; only where it stands if it rests."""
        if self.motion is None:
            return (self.center_enu_m,)
        return (self.center_enu_m, *self.motion.via_enu_m, self.motion.to_enu_m)

    @property
    def bottom_m(self) -> float:
        """Height of the lowest point above the launch level."""
        return self.center_enu_m[2] - 0.5 * self.size_m[2]

    @property
    def top_m(self) -> float:
        """Height of the highest point above the launch level."""
        return self.center_enu_m[2] + 0.5 * self.size_m[2]


class Waypoint(Value):
    """A point the mission flies to."""

    position_enu_m: Point


class Mission(Value):
    """Take off at `home`, fly the waypoints in order, land at the last one (if `land`).

    A mission that starts in the air (`takeoff = False`) begins at `home_enu_m` exactly.
    """

    waypoints: tuple[Waypoint, ...] = Field(min_length=1, max_length=1000)
    home_enu_m: Point = (0.0, 0.0, 0.0)
    home_yaw_rad: Radians = 0.0
    takeoff: bool = True
    takeoff_altitude_m: float = Field(default=10.0, ge=0.0, le=1000.0)
    land: bool = True
    speed_mps: float | None = Field(default=None, gt=0.0, le=50.0)
    name: str = Field(default="", max_length=LONGEST_NAME)

    @property
    def route_enu_m(self) -> tuple[Point, ...]:
        """Corner points of the flown line: over home at flight height, then every waypoint."""
        x, y, z = self.home_enu_m
        first = (x, y, z + self.takeoff_altitude_m) if self.takeoff else self.home_enu_m
        return (first, *(waypoint.position_enu_m for waypoint in self.waypoints))


class Wind(Value):
    """Wind as Aerialist describes it; directions are unit-free ENU vectors of where it blows to."""

    velocity_mean_mps: float = Field(default=0.0, ge=0.0, le=60.0)
    velocity_max_mps: float = Field(default=60.0, ge=0.0, le=60.0)
    velocity_variance: float = Field(default=0.0, ge=0.0, le=400.0)
    direction_enu: Point = (1.0, 0.0, 0.0)
    direction_variance: float = Field(default=0.0, ge=0.0, le=10.0)
    gust_start_s: float = Field(default=0.0, ge=0.0)
    gust_duration_s: float = Field(default=0.0, ge=0.0)
    gust_velocity_mean_mps: float = Field(default=0.0, ge=0.0, le=60.0)
    gust_velocity_max_mps: float = Field(default=60.0, ge=0.0, le=60.0)
    gust_velocity_variance: float = Field(default=0.0, ge=0.0, le=400.0)
    gust_direction_enu: Point = (1.0, 0.0, 0.0)
    gust_direction_variance: float = Field(default=0.0, ge=0.0, le=10.0)


class Visibility(Value):
    """Reduced visibility: nothing farther than `range_m` is seen, contrast fades towards it."""

    range_m: float = Field(default=1000.0, gt=0.0, le=100_000.0)
    contrast_loss: float = Field(default=0.0, ge=0.0, le=1.0)


class Terrain(Value):
    """Ground: a landform of a given height around a centre, and its cover."""

    landform: Landform = Landform.FLAT
    surface: Surface = Surface.LAND
    height_m: float = Field(default=0.0, ge=0.0, le=500.0)
    center_enu_m: tuple[Metres, Metres] = (0.0, 0.0)
    radius_m: float = Field(default=20.0, gt=0.0, le=5000.0)


class Scenario(Value):
    """One test: everything a backend needs to fly it and an oracle needs to judge it.

    `logical` says of which logical scenario it has to be an instance, if of any; like the arena it is a
    rule and changes no flight. `conditions` are recorded numbers that nothing here simulates, such as a
    temperature. `parameters` are those of the autopilot that the test sets, by PX4's names and in its units.
    """

    mission: Mission
    obstacles: tuple[Obstacle, ...] = Field(default=(), max_length=1000)
    arena: Arena = Arena()
    wind: Wind = Wind()
    visibility: Visibility = Visibility()
    terrain: Terrain = Terrain()
    logical: LogicalRanges | None = None
    conditions: dict[str, Annotated[float, Field(ge=-1e9, le=1e9)]] = Field(default={}, max_length=100)
    parameters: dict[ParameterName, Annotated[float, Field(ge=-1e9, le=1e9)]] = Field(
        default={}, max_length=1000
    )
    seed: int = Field(default=0, ge=0, lt=2**63)
    name: str = Field(default="", max_length=LONGEST_NAME)

    @model_validator(mode="after")
    def _room_for_instances(self) -> Scenario:
        # Instances put obstacles anywhere in the arena, so all of it must be within what a point may be.
        if self.logical is not None and self.arena.reach_m > FARTHEST_M:
            raise ValueError(f"arena: with 'logical' its borders lie within {FARTHEST_M:g} m of the origin")
        return self

    @cached_property
    def id(self) -> str:
        """Sixteen hex digits of what is flown: equal scenes have equal ids, whatever their names."""
        return content_hash(self)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Scenario:
        """A copy with other values; its id is its own."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("id", None)
        return copied

    def outlines_enu_m(self) -> list[list[tuple[float, float]]]:
        """What the obstacles cover at the beginning, seen from above: one or more polygons each."""
        return [area for obstacle in self.obstacles for area in _areas(obstacle)]

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows: list[tuple[str, Any]] = [("mission", self.mission.name or None)]
        rows += [("waypoints", len(self.mission.waypoints)), ("obstacles", len(self.obstacles))]
        for number, one in enumerate(self.obstacles, start=1):
            size = " x ".join(f"{value:g}" for value in one.size_m)
            x, y, z = one.center_enu_m
            rows.append(
                (one.name or f"obstacle {number}", f"{one.shape.value} {size} m at ({x:g}, {y:g}, {z:g})")
            )
        drawing = plan_view([self.mission.route_enu_m], self.outlines_enu_m())
        return table_html(f"Scenario {self.name or self.id}", rows, drawing)

    def with_obstacles(self, obstacles: tuple[Obstacle, ...]) -> Scenario:
        """The same test with other obstacles."""
        return self.model_copy(update={"obstacles": tuple(obstacles)})


def content_hash(scenario: Scenario) -> str:
    """Hash of the physical content: names, seed, rules and what is only recorded do not change a flight."""
    rules = {"name": True, "seed": True, "arena": True, "logical": True, "conditions": True}
    content = scenario.model_dump(mode="json", exclude=rules)
    _drop_names(content)
    if not content["parameters"]:  # a test that sets none is the test it was before it could
        content.pop("parameters")
    text = _canonical(content)
    if _SIGNED_ZERO.search(text):  # rare, and looking at every value costs more than all the rest
        text = _canonical(_unsigned_zeros(content))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


_SIGNED_ZERO = re.compile(r"-0\.0(?!\d)")


def _canonical(content: Any) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def _unsigned_zeros(content: Any) -> Any:
    """The same data with 0.0 for -0.0: the two are equal, so they must not make two scenes of one."""
    if isinstance(content, dict):
        return {key: _unsigned_zeros(value) for key, value in content.items()}
    if isinstance(content, list):
        return [_unsigned_zeros(value) for value in content]
    return content + 0.0 if isinstance(content, float) else content


def _drop_names(content: dict[str, Any]) -> None:
    content["mission"].pop("name", None)
    for obstacle in content["obstacles"]:
        obstacle.pop("name", None)
        if not obstacle["triangles"]:
            obstacle.pop("triangles")
        # A straight way has no corners; saying so must not make another scene of it.
        if obstacle["motion"] is not None and not obstacle["motion"]["via_enu_m"]:
            obstacle["motion"].pop("via_enu_m")


def obstacle_on_ground(
    x_m: float, y_m: float, size_m: tuple[float, float, float], yaw_deg: float = 0.0, name: str = ""
) -> Obstacle:
    """A box standing on level ground, its base centred at (x, y) in ENU."""
    return Obstacle(
        center_enu_m=(x_m, y_m, 0.5 * size_m[2]), size_m=size_m, yaw_rad=math.radians(yaw_deg), name=name
    )


_CIRCLE_CORNERS = 24


def _areas(obstacle: Obstacle) -> list[list[tuple[float, float]]]:
    outline = FORMS[obstacle.shape].outline(obstacle.size_m, obstacle.triangles)
    pieces = [list(piece) for piece in outline.pieces]
    if outline.radius_m is not None:
        turns = [2.0 * math.pi * k / _CIRCLE_CORNERS for k in range(_CIRCLE_CORNERS)]
        pieces = [[(outline.radius_m * math.cos(a), outline.radius_m * math.sin(a)) for a in turns]]
    cosine, sine = math.cos(obstacle.yaw_rad), math.sin(obstacle.yaw_rad)
    x, y, _ = obstacle.center_enu_m
    return [[(x + cosine * u - sine * v, y + sine * u + cosine * v) for u, v in piece] for piece in pieces]
