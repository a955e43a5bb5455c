"""What to install is said in one place, and that place agrees with the metadata of the package."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from uav_testgen.core.errors import MissingDependency
from uav_testgen.core.extras import EXTRA_OF, require_ros, way_to_get

ROOT = Path(__file__).resolve().parents[3]


def extras() -> dict[str, set[str]]:
    """Packages by extra, from pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    lists = re.findall(r"^(\w+) = \[(.*?)\]$", section, re.MULTILINE | re.DOTALL)
    return {name: set(re.findall(r'"([A-Za-z0-9-]+)', packages)) for name, packages in lists}


def test_every_module_is_in_the_extra_that_is_named_for_it() -> None:
    brought = extras()
    for module, extra in EXTRA_OF.items():
        assert module in brought[extra], f"pyproject.toml: extra {extra} does not bring {module}"


@pytest.mark.parametrize(
    ("module", "way"),
    [
        ("uvicorn", r"pip install 'uav_testgen\[studio\]'"),
        ("mcap.writer", r"pip install 'uav_testgen\[ros\]'"),
        ("sensor_msgs.msg", "source a ROS 2 workspace"),
        ("numba", "reinstall the package"),
        (None, "reinstall the package"),
    ],
)
def test_the_way_out_fits_the_module(module: str | None, way: str) -> None:
    assert re.search(way, way_to_get(module))


def test_missing_ros_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingDependency, match="the node graph needs rclpy, which is not installed; source"):
        require_ros("the node graph")
