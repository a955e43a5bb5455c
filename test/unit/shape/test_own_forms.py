"""Forms of one's own: who may name code, and what is said where it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.generator.registry import build_generator
from uav_testgen.scenario.conformance import nonconformities
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.model import Shape
from uav_testgen.shape.own import OWN_FORMS, add_form, make_form
from uav_testgen.testing.factories import TETRAHEDRON

WEDGE = """
def wedge(length_m=4.0, height_m=6.0):
    a, b, c, d = (0, 0, 0), (length_m, 0, 0), (length_m, 3, 0), (0, 3, 0)
    e, f = (0, 0, height_m), (0, 3, height_m)
    return [(a, c, b), (a, d, c), (a, b, e), (d, f, c), (b, c, f), (b, f, e), (a, e, f), (a, f, d)]
"""


@pytest.fixture
def wedge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(OWN_FORMS, "_targets", dict(OWN_FORMS._targets))
    monkeypatch.setattr(OWN_FORMS, "_loaded", dict(OWN_FORMS._loaded))
    file = tmp_path / "wedge.py"
    file.write_text(WEDGE, encoding="utf-8")
    return f"{file}:wedge"


def scene(folder: Path, text: str) -> Path:
    path = folder / "scene.yaml"
    path.write_text(f"mission: mission2\nobstacles:\n  - {{center_enu_m: [20, 0, 3], {text}}}\n", "utf-8")
    return path


def test_a_function_becomes_a_form_under_its_own_name(wedge: str) -> None:
    assert add_form(wedge) == "wedge"
    triangles, size = make_form("wedge", {"length_m": 5.0})
    assert size == (5.0, 3.0, 6.0) and len(triangles) == 8
    assert add_form(lambda: None) == "<lambda>"


def test_a_scene_names_the_form_and_is_saved_with_its_triangles(wedge: str, tmp_path: Path) -> None:
    add_form(wedge)
    (one,) = load_scenario(scene(tmp_path, "form: wedge, parameters: {height_m: 8}")).obstacles
    assert one.shape is Shape.MESH and one.size_m == (4.0, 3.0, 8.0)
    (stretched,) = load_scenario(scene(tmp_path, "form: wedge, size_m: [1, 2, 3]")).obstacles
    assert stretched.size_m == (1.0, 2.0, 3.0) and stretched.triangles == one.triangles
    loaded = load_scenario(scene(tmp_path, "form: gate"))
    save_scenario(tmp_path / "saved.yaml", loaded)
    OWN_FORMS._targets.clear()
    assert load_scenario(tmp_path / "saved.yaml").id == loaded.id


def test_a_scene_never_loads_code(wedge: str, tmp_path: Path) -> None:
    (tmp_path / "wedge.py").write_text("raise SystemExit('this code was run')", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"files load no code; write 'form: wedge' .*--form wedge.py:wedge"):
        load_scenario(scene(tmp_path, "form: 'wedge.py:wedge'"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("form: gat", "unknown form 'gat', did you mean 'gate'"),
        ("form: 3", "'form' is a name"),
        ("form: gate, parameters: [1]", "'parameters' a mapping"),
        ("form: gate, parameters: {colour: red}", "unexpected keyword"),
        ("form: gate, parameters: {bar_m: 9}", "leave an opening"),
        ("form: gate, shape: box", "is a mesh"),
        ("form: gate, size_m: [1, -2, 3]", "every size"),
        ("shape: mesh, size_m: [1, 2, 3], triangles: [[[0, 0, 0]]]", "triangles"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint) as said:
        load_scenario(scene(tmp_path, text))
    assert "scene.yaml" in str(said.value) and "obstacles.0" in str(said.value)
    assert "\n" not in str(said.value)


def test_a_logical_scenario_may_have_a_form_of_triangles(tmp_path: Path) -> None:
    data = {
        "system": {"UAVs": [{"maneuvers": ["move to waypoint"]}]},
        "environment": {
            "flight area": {"landform": "flat", "surface nature": "land"},
            "obstacles": [
                {"kind": "static", "size": "large", "form": "gate", "parameters": {"bar_m": 2.0}},
                {"kind": "dynamic", "size": "small", "form": "cuboid"},
            ],
        },
    }
    path = tmp_path / "gates.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    stage = load_scenario(path)
    assert stage.logical is not None
    space = LogicalSpace(stage)
    assert "obstacle0.rotation_deg" in [one.name for one in space.parameters]
    found = build_generator("stella", stage, {"algorithm": "random"}, 3).ask(3)
    assert len(found) == 3
    for instance in found:
        assert instance.obstacles[0].shape is Shape.MESH and not problems(instance)
        other = instance.obstacles[0].model_copy(update={"triangles": TETRAHEDRON})
        changed = instance.with_obstacles((other, *instance.obstacles[1:]))
        assert any("another mesh" in one.message for one in nonconformities(changed))


def test_only_forms_of_triangles_have_parameters(tmp_path: Path) -> None:
    data = {
        "system": {"UAVs": [{"maneuvers": ["move to waypoint"]}]},
        "environment": {
            "flight area": {"landform": "flat", "surface nature": "land"},
            "obstacles": [
                {"kind": "static", "size": "large", "form": "sphere", "parameters": {"bar_m": 2.0}}
            ],
        },
    }
    path = tmp_path / "ball.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(ConfigError, match="a sphere has no parameters"):
        load_scenario(path)


def test_a_function_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("no triangles today")

    monkeypatch.setattr(OWN_FORMS, "_targets", dict(OWN_FORMS._targets))
    add_form(broken)
    with pytest.raises(ConfigError, match="form 'broken': no triangles today"):
        make_form("broken", {})
    with pytest.raises(ConfigError, match="no function"):
        add_form("uav_testgen.shape.mesh:MOST_TRIANGLES")
