"""Scenarios as Gazebo worlds (SDF): obstacles, their motion, landform, wind, fog, light.

Gazebo's world frame is ours: x east, y north, z up. Obstacles are static models, moving ones actors with a
scripted trajectory, which cameras see and which nothing bounces off. Wind stands in the world twice: as the
world's own and as PX4's wind plugin of Gazebo 11, which knows gusts. Meshes are OBJ files beside the world.
"""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

from uav_testgen.core.files import write_text
from uav_testgen.scenario.formats.gazebo_mesh import obj_of_ground, obj_of_triangles
from uav_testgen.scenario.formats.gazebo_motion import script_of, write_script
from uav_testgen.scenario.formats.gazebo_names import (
    FULL_SIGHT_M,
    GROUND,
    LIGHTING,
    NAMESPACE,
    SDF_VERSION,
    SUN,
    WIND_ELEMENTS,
    WIND_PLUGIN,
    numbers,
)
from uav_testgen.scenario.logical.landform import is_level
from uav_testgen.scenario.model import Obstacle, Scenario, Shape, Surface, Visibility, Wind

_FOG_COLOUR = "0.8 0.8 0.8 1"
_PLANE_M = 1000.0

Element = ElementTree.Element
Files = dict[str, str]


def save_world(path: Path, scenario: Scenario) -> list[Path]:
    """Write the world and the meshes beside it; returns all files, the world first."""
    text, files = world_text(scenario, path.stem)
    for name, content in files.items():
        write_text(path.with_name(name), content)
    write_text(path, text)  # last: whoever finds the world finds its meshes
    return [path, *(path.with_name(name) for name in files)]


def beyond_a_world(scenario: Scenario) -> list[str]:
    """What a world cannot hold, or only for the eye."""
    cannot = ["the mission (write it as .plan too)"]
    if scenario.terrain.surface is not Surface.LAND:
        cannot.append("water (a depth camera of Gazebo sees ground there)")
    if scenario.logical is not None:
        cannot.append("the ranges of the logical scenario")
    if any(obstacle.motion is not None for obstacle in scenario.obstacles):
        cannot.append("contact with moving obstacles (actors are only seen)")
    named = sorted(scenario.conditions)
    return [*cannot, *([f"recorded conditions ({', '.join(named)})"] if named else [])]


def world_text(scenario: Scenario, stem: str) -> tuple[str, Files]:
    """The SDF and the OBJ files it names."""
    ElementTree.register_namespace(NAMESPACE, NAMESPACE)
    files: Files = {}
    root = Element("sdf", version=SDF_VERSION)
    world = ElementTree.SubElement(root, "world", name=_name(stem))
    _add_light(world, scenario)
    _add_scene(world, scenario.visibility)
    if scenario.wind != Wind():
        _add_wind(world, scenario.wind)
    _add_ground(world, scenario, stem, files)
    for number, obstacle in enumerate(scenario.obstacles, start=1):
        _add_obstacle(world, obstacle, number, stem, files)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0"?>\n{text}\n', files


def _name(text: str) -> str:
    return "".join(one if one.isalnum() or one in "_-." else "_" for one in text) or "world"


def _add(parent: Element, name: str, text: str) -> Element:
    child = ElementTree.SubElement(parent, name)
    child.text = text
    return child


def _add_light(world: Element, scenario: Scenario) -> None:
    word = scenario.logical.weather.get("lighting", "normal") if scenario.logical is not None else "normal"
    bright = LIGHTING.get(word, LIGHTING["normal"])
    light = ElementTree.SubElement(world, "light", name=SUN, type="directional")
    _add(light, "cast_shadows", "true")
    _add(light, "pose", "0 0 100 0 0 0")
    _add(light, "diffuse", f"{numbers(bright, bright, bright)} 1")
    _add(light, "specular", "0.1 0.1 0.1 1")
    _add(light, "direction", "-0.4 0.2 -0.9")


def _add_scene(world: Element, visibility: Visibility) -> None:
    scene = ElementTree.SubElement(world, "scene")
    _add(scene, "ambient", "0.5 0.5 0.5 1")
    _add(scene, "background", "0.7 0.7 0.7 1")
    _add(scene, "shadows", "false")
    if visibility == Visibility() or visibility.range_m >= FULL_SIGHT_M:
        return
    fog = ElementTree.SubElement(scene, "fog")
    _add(fog, "color", _FOG_COLOUR)
    _add(fog, "type", "linear")
    # Contrast fades from here on; at the end nothing is seen.
    _add(fog, "start", numbers(visibility.range_m * (1.0 - visibility.contrast_loss)))
    _add(fog, "end", numbers(visibility.range_m))
    _add(fog, "density", "1.0")


def _add_wind(world: Element, wind: Wind) -> None:
    length = math.hypot(*wind.direction_enu) or 1.0
    mean = [wind.velocity_mean_mps * part / length for part in wind.direction_enu]
    _add(ElementTree.SubElement(world, "wind"), "linear_velocity", numbers(*mean))
    plugin = ElementTree.SubElement(world, "plugin", name="wind_plugin", filename=WIND_PLUGIN)
    _add(plugin, "frameId", "base_link")
    _add(plugin, "windPubTopic", "world_wind")
    for field, element in WIND_ELEMENTS.items():
        value = getattr(wind, field)
        _add(plugin, element, numbers(*value) if isinstance(value, tuple) else numbers(value))


def _add_ground(world: Element, scenario: Scenario, stem: str, files: Files) -> None:
    terrain = scenario.terrain
    model = ElementTree.SubElement(world, "model", name=GROUND)
    _add(model, "static", "true")
    _add(model, "pose", "0 0 0 0 0 0")
    note = ElementTree.SubElement(model, f"{{{NAMESPACE}}}terrain")
    for name, value in terrain.model_dump(mode="json").items():
        _add(
            note,
            f"{{{NAMESPACE}}}{name}",
            numbers(*value) if isinstance(value, (list, tuple)) else str(value),
        )
    link = ElementTree.SubElement(model, "link", name="link")
    for kind in ("collision", "visual"):
        geometry = ElementTree.SubElement(ElementTree.SubElement(link, kind, name=kind), "geometry")
        if is_level(terrain):
            plane = ElementTree.SubElement(geometry, "plane")
            _add(plane, "normal", "0 0 1")
            _add(plane, "size", numbers(_PLANE_M, _PLANE_M))
            continue
        files[f"{stem}-ground.obj"] = obj_of_ground(scenario)
        _add(ElementTree.SubElement(geometry, "mesh"), "uri", f"{stem}-ground.obj")


def _add_obstacle(world: Element, obstacle: Obstacle, number: int, stem: str, files: Files) -> None:
    name = _name(f"obstacle_{number}_{obstacle.name}" if obstacle.name else f"obstacle_{number}")
    moves = obstacle.motion is not None
    body = ElementTree.SubElement(world, "actor" if moves else "model", name=name)
    if moves:
        _add(body, "pose", numbers(*obstacle.center_enu_m, 0.0, 0.0, obstacle.yaw_rad))
        write_script(body, script_of(obstacle))
    else:
        _add(body, "static", "true")
        _add(body, "pose", numbers(*obstacle.center_enu_m, 0.0, 0.0, obstacle.yaw_rad))
    link = ElementTree.SubElement(body, "link", name="link")
    for kind in ("collision", "visual"):
        part = ElementTree.SubElement(link, kind, name=kind)
        _add_form(ElementTree.SubElement(part, "geometry"), obstacle, f"{stem}-{name}.obj", files)


def _add_form(geometry: Element, obstacle: Obstacle, mesh_name: str, files: Files) -> None:
    size = obstacle.size_m
    form = ElementTree.SubElement(geometry, obstacle.shape.value)
    if obstacle.shape is Shape.BOX:
        _add(form, "size", numbers(*size))
    elif obstacle.shape is Shape.MESH:
        files[mesh_name] = obj_of_triangles(obstacle.triangles)
        _add(form, "uri", mesh_name)
        _add(form, "scale", numbers(*(0.5 * side for side in size)))
    else:
        _add(form, "radius", numbers(0.5 * size[0]))
        if obstacle.shape is Shape.CYLINDER:
            _add(form, "length", numbers(size[2]))
