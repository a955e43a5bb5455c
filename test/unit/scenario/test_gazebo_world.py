"""Gazebo worlds: what a scenario holds comes back, what a world cannot hold is named."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from xml.etree import ElementTree

import pytest

from uav_testgen.core.errors import InputFileError
from uav_testgen.scenario.formats.gazebo_check import check_world
from uav_testgen.scenario.formats.gazebo_read import load_world
from uav_testgen.scenario.formats.gazebo_write import beyond_a_world, save_world
from uav_testgen.scenario.model import (
    Landform,
    LinearMotion,
    Mission,
    MotionMode,
    Obstacle,
    Scenario,
    Shape,
    Surface,
    Terrain,
    Visibility,
    Waypoint,
    Wind,
)

MISSION = Mission(waypoints=(Waypoint(position_enu_m=(0.0, 60.0, 8.0)),))
TETRAHEDRON = (
    ((-1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (1.0, -1.0, -1.0)),
    ((-1.0, -1.0, -1.0), (1.0, -1.0, -1.0), (-1.0, -1.0, 1.0)),
    ((-1.0, -1.0, -1.0), (-1.0, -1.0, 1.0), (-1.0, 1.0, -1.0)),
    ((1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)),
)


def whole_scene() -> Scenario:
    """Everything that a world has a word for."""
    box = Obstacle(center_enu_m=(1.25, 20.0, 6.0), size_m=(2.0, 3.0, 12.0), yaw_rad=0.3, name="tower")
    cylinder = Obstacle(center_enu_m=(5.0, 30.0, 4.0), size_m=(2.0, 2.0, 8.0), shape=Shape.CYLINDER)
    mesh = Obstacle(
        center_enu_m=(9.0, 35.0, 3.0), size_m=(2.0, 4.0, 6.0), shape=Shape.MESH, triangles=TETRAHEDRON
    )
    fro = LinearMotion(to_enu_m=(10.0, 40.0, 5.0), via_enu_m=((5.0, 45.0, 5.0),), speed_mps=1.5, start_s=2.0)
    ball = Obstacle(center_enu_m=(0.0, 40.0, 5.0), size_m=(1.0, 1.0, 1.0), shape=Shape.SPHERE, motion=fro)
    once = Obstacle(
        center_enu_m=(0.0, 50.0, 5.0),
        size_m=(1.0, 1.0, 1.0),
        yaw_rad=-1.0,
        motion=LinearMotion(to_enu_m=(0.0, 58.0, 5.0), speed_mps=0.7, mode=MotionMode.ONCE),
    )
    return Scenario(
        mission=MISSION,
        obstacles=(box, cylinder, mesh, ball, once),
        wind=Wind(
            velocity_mean_mps=4.0, direction_enu=(0.0, 1.0, 0.0), gust_start_s=5.0, gust_duration_s=2.0
        ),
        visibility=Visibility(range_m=12.0, contrast_loss=0.3),
        terrain=Terrain(landform=Landform.ELEVATION, height_m=3.0, center_enu_m=(0.0, 30.0), radius_m=25.0),
    )


def test_what_a_world_holds_comes_back(tmp_path: Path) -> None:
    scene = whole_scene()
    files = save_world(tmp_path / "scene.world", scene)
    assert [path.name for path in files] == ["scene.world", "scene-ground.obj", "scene-obstacle_3.obj"]
    found = load_world(tmp_path / "scene.world", MISSION)
    assert found.left_out == ()
    assert found.scenario.id == scene.id
    assert found.scenario.obstacles[0].name == "obstacle_1_tower"


def test_gazebo_reads_the_same_frame(tmp_path: Path) -> None:
    """Gazebo's world is east, north, up: a box stands where it stands, its sides as they are."""
    save_world(tmp_path / "scene.world", whole_scene())
    root = ElementTree.parse(tmp_path / "scene.world").getroot()
    world = root.find("world")
    assert root.get("version") == "1.7" and world is not None
    box = world.find("model[@name='obstacle_1_tower']")
    assert box is not None and box.findtext("pose") == "1.25 20.0 6.0 0.0 0.0 0.3"
    assert box.findtext("link/collision/geometry/box/size") == "2.0 3.0 12.0"
    actor = world.find("actor[@name='obstacle_4']")
    assert actor is not None and actor.findtext("script/loop") == "true"
    assert actor.findtext("script/delay_start") == "2.0"
    times = [float(one.text or "") for one in actor.iter("time")]
    assert times[0] == 0.0 and times[-1] == pytest.approx(2 * 2 * 50**0.5 / 1.5), (
        "there and back over the corner"
    )
    assert world.findtext("scene/fog/end") == "12.0"
    assert world.findtext("wind/linear_velocity") == "0.0 4.0 0.0"
    assert (tmp_path / "scene-ground.obj").read_text().count("\nf ") > 100


def test_what_a_world_cannot_hold_is_named() -> None:
    scene = whole_scene().model_copy(
        update={"terrain": Terrain(surface=Surface.WATER), "conditions": {"temperature": 20.0}}
    )
    words = " ".join(beyond_a_world(scene))
    for word in ("mission", "water", "contact with moving", "temperature"):
        assert word in words


def test_a_world_of_somebody_else_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / "their.world").write_text("""<sdf version="1.6"><world name="w">
      <include><uri>model://sun</uri></include>
      <include><uri>model://tree_7</uri></include>
      <model name="plane"><link name="l"><collision name="c"><geometry><plane/></geometry></collision></link></model>
      <model name="block"><pose>1 2 3 0 0 1.5707963267948966</pose>
        <link name="l"><pose>1 0 0 0 0 0</pose><collision name="c">
        <geometry><box><size>2 4 6</size></box></geometry></collision></link></model>
      <model name="leaning"><pose>0 0 0 0.5 0 0</pose><link name="l"><collision name="c">
        <geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
      <actor name="walker"><script><loop>true</loop><trajectory id="0" type="walk">
        <waypoint><time>0</time><pose>0 0 1 0 0 0</pose></waypoint>
        <waypoint><time>2</time><pose>1 0 1 0 0 1</pose></waypoint></trajectory></script>
        <link name="l"><visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry></visual></link>
      </actor>
      <wind><linear_velocity>3 4 0</linear_velocity></wind>
    </world></sdf>""")
    found = load_world(tmp_path / "their.world", MISSION)
    (block,) = found.scenario.obstacles
    assert block.center_enu_m == pytest.approx((1.0, 3.0, 3.0))
    assert found.scenario.wind.velocity_mean_mps == 5.0
    said = " | ".join(found.left_out)
    assert "tree_7" in said and "'leaning': it is tilted" in said and "'walker': it turns" in said


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "not XML"),
        ("<sdf/>", "no <world>"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><sdf><world/></sdf>", "document type declaration"),
        (
            "<sdf><world><wind><linear_velocity>a b c</linear_velocity></wind></world></sdf>",
            "could not convert",
        ),
        ("<sdf><world><scene><fog><end>-3</end></fog></scene></world></sdf>", "range_m"),
    ],
)
def test_a_bad_world_is_refused_in_one_line(text: str, word: str, tmp_path: Path) -> None:
    (tmp_path / "bad.world").write_text(text)
    with pytest.raises(InputFileError) as caught:
        load_world(tmp_path / "bad.world", MISSION)
    assert word in str(caught.value) and "\n" not in str(caught.value)


def test_a_mesh_outside_the_folder_is_not_read(tmp_path: Path) -> None:
    text = (
        '<sdf><world><model name="m"><link name="l"><collision name="c"><geometry><mesh>'
        "<uri>../secret.obj</uri></mesh></geometry></collision></link></model></world></sdf>"
    )
    (tmp_path / "w.world").write_text(text)
    found = load_world(tmp_path / "w.world", MISSION)
    assert found.scenario.obstacles == () and "not an .obj file beside the world" in found.left_out[0]


def test_the_checker_has_its_say_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_world(tmp_path / "scene.world", whole_scene())
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "not installed" in check_world(tmp_path / "scene.world")
    checker = tmp_path / "gz"
    checker.write_text("#!/bin/sh\necho Valid.\n")
    os.chmod(checker, stat.S_IRWXU)
    assert check_world(tmp_path / "scene.world") == "valid SDF, says gz sdf"
    checker.write_text("#!/bin/sh\necho 'Error Code 3: no' >&2\nexit 1\n")
    with pytest.raises(InputFileError, match="refuses it: Error Code 3"):
        check_world(tmp_path / "scene.world")
