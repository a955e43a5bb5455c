"""Gazebo worlds (SDF) as scenarios: what they hold of obstacles, motion, landform, wind, fog.

A world has no mission: the caller brings it. Whatever has no counterpart here (included models, tilted boxes,
meshes of other files) is named in a sentence, never dropped in silence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from pydantic import ValidationError

from uav_testgen.core.config import describe_problems
from uav_testgen.core.errors import InputFileError
from uav_testgen.core.files import read_regular
from uav_testgen.core.safe_xml import parse_xml
from uav_testgen.scenario.formats.gazebo_mesh import triangles_of_obj
from uav_testgen.scenario.formats.gazebo_motion import Script, motion_of
from uav_testgen.scenario.formats.gazebo_names import GROUND, NAMESPACE, WIND_ELEMENTS, WIND_PLUGIN
from uav_testgen.scenario.model import Mission, Obstacle, Scenario, Shape, Terrain, Visibility, Wind

SUFFIXES = (".world", ".sdf")
_MOST_BYTES = 8 * 1024 * 1024
_MOST_BODIES = 1000
_UPRIGHT_RAD = 1e-3
_VECTORS = ("direction_enu", "gust_direction_enu")

Element = ElementTree.Element
Pose = tuple[float, float, float, float]
"""x, y, z, yaw: nothing here is tilted."""


@dataclass(frozen=True, slots=True)
class World:
    """A scenario and what of the file it does not hold."""

    scenario: Scenario
    left_out: tuple[str, ...]


def load_world(path: Path, mission: Mission) -> World:
    """Read a world; InputFileError names the file and what is wrong with it."""
    world = _world(path)
    left_out: list[str] = []
    obstacles: list[Obstacle] = []
    for body in [*world.findall("model"), *world.findall("actor")]:
        name = str(body.get("name", ""))[:100]
        if name == GROUND or body.find(".//plane") is not None:
            continue
        try:
            obstacles += _obstacles(body, name, path)
        except (ValueError, InputFileError) as error:
            left_out.append(f"'{name}': {str(error)[:200]}")
        if len(obstacles) > _MOST_BODIES:
            raise InputFileError(f"{path}: more than {_MOST_BODIES} bodies; a scenario has at most so many")
    left_out += [
        f"included model '{(one.findtext('uri') or '')[:100]}': only what stands in the file is read"
        for one in world.findall("include")
        if not (one.findtext("uri") or "").endswith(("ground_plane", "/sun"))
    ]
    try:
        scenario = Scenario(
            mission=mission,
            obstacles=tuple(obstacles),
            wind=_wind(world),
            visibility=_visibility(world),
            terrain=_terrain(world),
            name=path.stem[:200],
        )
    except ValidationError as error:
        problems = "; ".join(describe_problems(error, Scenario))
        raise InputFileError(f"{path}: {problems}") from None
    except ValueError as error:
        raise InputFileError(f"{path}: {str(error)[:200]}") from None
    return World(scenario, tuple(left_out))


def _world(path: Path) -> Element:
    try:
        root = parse_xml(read_regular(path, _MOST_BYTES))
    except ValueError as error:
        raise InputFileError(f"{path}: {str(error)[:150]}; a Gazebo world is expected") from None
    world = root if root.tag == "world" else root.find("world")
    if world is None:
        raise InputFileError(f"{path}: no <world> in it; a Gazebo world (SDF) is expected")
    return world


def _floats(text: str | None, count: int, what: str) -> tuple[float, ...]:
    words = (text or "").split()
    values = tuple(float(word) for word in words)
    if len(values) != count or not all(map(math.isfinite, values)):
        raise ValueError(f"{what}: {count} numbers are expected")
    return values


def _pose(element: Element) -> Pose:
    given = element.findtext("pose")
    if given is None:
        return (0.0, 0.0, 0.0, 0.0)
    return _upright(given)


def _upright(text: str | None) -> Pose:
    x, y, z, roll, pitch, yaw = _floats(text, 6, "pose")
    if max(abs(roll), abs(pitch)) > _UPRIGHT_RAD:
        raise ValueError("it is tilted; here everything stands upright")
    return (x, y, z, yaw)


def _placed(outer: Pose, inner: Pose) -> Pose:
    cosine, sine = math.cos(outer[3]), math.sin(outer[3])
    return (
        outer[0] + cosine * inner[0] - sine * inner[1],
        outer[1] + sine * inner[0] + cosine * inner[1],
        outer[2] + inner[2],
        outer[3] + inner[3],
    )


def _obstacles(body: Element, name: str, path: Path) -> list[Obstacle]:
    script = body.find("script")
    own = (0.0, 0.0, 0.0, 0.0) if script is not None else _pose(body)
    found = []
    for link in body.findall("link"):
        solid = link.findall("collision") or link.findall("visual")
        for part in solid:
            inner = _placed(_pose(link), _pose(part))
            if script is not None and inner != (0.0, 0.0, 0.0, 0.0):
                raise ValueError("a moving body with parts beside its centre is not read")
            found.append(_obstacle(part, _placed(own, inner), name, path, script))
    if not found:
        raise ValueError("no box, cylinder, sphere or mesh in it")
    return found


def _obstacle(part: Element, pose: Pose, name: str, path: Path, script: Element | None) -> Obstacle:
    given: dict[str, Any] = {"center_enu_m": pose[:3], "yaw_rad": pose[3], "name": name, **_form(part, path)}
    if script is not None:
        read = _script(script)
        given |= {
            "center_enu_m": read.centres[0],
            "yaw_rad": read.yaw_rad,
            "motion": motion_of(read),
        }
    return Obstacle(**given)


def _form(part: Element, path: Path) -> dict[str, Any]:
    geometry = part.find("geometry")
    for form in geometry if geometry is not None else ():
        if form.tag == "box":
            return {"shape": Shape.BOX, "size_m": _floats(form.findtext("size"), 3, "box size")}
        if form.tag in ("cylinder", "sphere"):
            side = 2.0 * _floats(form.findtext("radius"), 1, "radius")[0]
            high = side if form.tag == "sphere" else _floats(form.findtext("length"), 1, "length")[0]
            return {"shape": Shape(form.tag), "size_m": (side, side, high)}
        if form.tag == "mesh":
            uri = form.findtext("uri") or ""
            if Path(uri).name != uri or Path(uri).suffix != ".obj":
                raise ValueError("its mesh is not an .obj file beside the world")
            scale = _floats(form.findtext("scale") or "1 1 1", 3, "scale")
            triangles = triangles_of_obj(path.with_name(uri))
            return {
                "shape": Shape.MESH,
                "size_m": tuple(2.0 * side for side in scale),
                "triangles": triangles,
            }
    raise ValueError("no box, cylinder, sphere or mesh in it")


def _script(element: Element) -> Script:
    waypoints = element.findall("trajectory/waypoint")
    poses = [_upright(waypoint.findtext("pose")) for waypoint in waypoints]
    if not poses or max(abs(pose[3] - poses[0][3]) for pose in poses) > _UPRIGHT_RAD:
        raise ValueError("it turns while it moves; here a moving obstacle keeps its heading")
    return Script(
        times_s=tuple(_floats(waypoint.findtext("time"), 1, "time")[0] for waypoint in waypoints),
        centres=tuple((x, y, z) for x, y, z, _ in poses),
        yaw_rad=poses[0][3],
        loops=(element.findtext("loop") or "true").strip() in ("true", "1"),
        delay_s=_floats(element.findtext("delay_start") or "0", 1, "delay_start")[0],
    )


def _wind(world: Element) -> Wind:
    for plugin in world.findall("plugin"):
        if plugin.get("filename") == WIND_PLUGIN:
            return Wind(**_plugin_wind(plugin))
    steady = world.findtext("wind/linear_velocity")
    if steady is None:
        return Wind()
    velocity = _floats(steady, 3, "wind")
    speed = math.hypot(*velocity)
    if speed == 0.0:
        return Wind()
    return Wind(
        velocity_mean_mps=speed,
        direction_enu=(velocity[0] / speed, velocity[1] / speed, velocity[2] / speed),
    )


def _plugin_wind(plugin: Element) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field, element in WIND_ELEMENTS.items():
        text = plugin.findtext(element)
        if text is not None:
            values = _floats(text, 3 if field in _VECTORS else 1, element)
            found[field] = values if field in _VECTORS else values[0]
    return found


def _visibility(world: Element) -> Visibility:
    fog = world.find("scene/fog")
    if fog is None:
        return Visibility()
    end = _floats(fog.findtext("end"), 1, "fog end")[0]
    start = _floats(fog.findtext("start") or "0", 1, "fog start")[0]
    loss = 1.0 - start / end if end > 0.0 else 0.0
    return Visibility(range_m=end, contrast_loss=round(min(max(loss, 0.0), 1.0), 9))


def _terrain(world: Element) -> Terrain:
    note = world.find(f"model[@name='{GROUND}']/{{{NAMESPACE}}}terrain")
    if note is None:
        return Terrain()
    given: dict[str, Any] = {}
    for name in Terrain.model_fields:
        text = note.findtext(f"{{{NAMESPACE}}}{name}")
        if text is not None:
            given[name] = _floats(text, 2, name) if name == "center_enu_m" else text
    return Terrain(**given)
