"""The interface files themselves: units in comments, CMake list complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FILES = ("*.msg", "srv/*.srv", "action/*.action")
NUMBER = re.compile(r"^(float(32|64)|geometry_msgs/\w+)(\[\d*\])?\s+(\w+)\s*(#.*)?$")


def interface_files(root: Path) -> list[Path]:
    return [path for pattern in FILES for path in sorted((root / "msg").glob(pattern))]


def test_every_physical_field_states_unit_and_frame(project_root: Path) -> None:
    files = interface_files(project_root)
    assert len(files) >= 13
    missing = []
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = NUMBER.match(line.strip())
            if not match:
                continue
            comment = match.group(5) or ""
            is_position = match.group(1).startswith("geometry_msgs") and "own x, y, z" not in comment
            if not re.search(r"\[[^\]]+\]", comment) or (is_position and "ENU" not in comment):
                missing.append(f"{path.name}:{number}: {line}")
    assert not missing, "\n".join(missing)


def test_every_field_has_a_comment(project_root: Path) -> None:
    bare = []
    for path in interface_files(project_root):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            field = re.match(r"^(bool|u?int\d+|float\d+|string)(\[\])?\s+([a-z]\w*)\s*(#.*)?$", line.strip())
            if field and not field.group(4) and field.group(3) not in ("success", "message"):
                bare.append(f"{path.name}:{number}: {line}")
    assert not bare, "\n".join(bare)


def test_cmake_builds_every_interface(project_root: Path) -> None:
    cmake = (project_root / "msg" / "CMakeLists.txt").read_text(encoding="utf-8")
    for path in interface_files(project_root):
        assert re.search(rf"\b{path.stem}\b", cmake), f"{path.name} is not built"


def test_every_interface_is_importable(project_root: Path) -> None:
    for kind, pattern in (("msg", "*.msg"), ("srv", "srv/*.srv"), ("action", "action/*.action")):
        module = pytest.importorskip(f"uav_testgen_msgs.{kind}")
        for path in (project_root / "msg").glob(pattern):
            assert hasattr(module, path.stem)
