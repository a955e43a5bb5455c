"""What ROS tools find in the tree, and whether package.xml says what the code imports."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "howto" / "ros_workspace.md"
RECIPE = ROOT / ".github" / "workflows" / "ros.yml"
# Module to rosdep key, for what has one (rosdistro of August 2026).
KEY_OF = {
    "matplotlib": "python3-matplotlib",
    "numba": "python3-numba",
    "numpy": "python3-numpy",
    "PIL": "python3-pil",
    "pydantic": "python3-pydantic",
    "rich": "python3-rich",
    "scipy": "python3-scipy",
    "shapely": "python3-shapely",
    "uvicorn": "python3-uvicorn",
    "yaml": "python3-yaml",
}
# No key, or (open3d) none on the Ubuntu of Jazzy: what docs/howto/ros_workspace.md installs or an extra brings them.
ONLY_ON_PIP = {"mcap", "open3d", "pymoo", "pyulog", "ray", "shtab", "starlette"}
# Not released (px4_msgs), part of another (pydantic_core, llvmlite), for tests, or of the program a script is sent to;
# tables for notebooks are an extra (pandas).
ELSEWHERE = {"px4_msgs", "pydantic_core", "llvmlite", "pytest", "xdist", "aerialist", "pandas"}
# Named without an import: pulled in by a library, or started by a launch file.
WITHOUT_IMPORT = {"python3-websockets", "rviz2"}


def imported() -> set[str]:
    """Top-level modules that the package and its launch files import, also lazily by name."""
    names: set[str] = set()
    for file in [*(ROOT / "uav_testgen").rglob("*.py"), *(ROOT / "launch").glob("*.py")]:
        if "shipped" in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    names.add(first.value.partition(".")[0])
    ours = {"uav_testgen", "graph_actions", "campaign_actions"}
    return names - ours - set(sys.stdlib_module_names)


def named(*kinds: str) -> set[str]:
    """Dependencies of package.xml."""
    root = ElementTree.parse(ROOT / "package.xml").getroot()
    return {str(node.text) for kind in kinds for node in root.findall(kind)}


def test_package_xml_names_what_is_imported_and_nothing_else() -> None:
    modules = imported() - ONLY_ON_PIP - ELSEWHERE
    wanted = {KEY_OF.get(module, module) for module in modules}
    assert named("depend", "exec_depend") == wanted | WITHOUT_IMPORT


def test_what_is_only_on_pip_is_imported_somewhere() -> None:
    assert imported() >= ONLY_ON_PIP


def test_the_environment_brings_what_has_no_key() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    plain = text.partition("\ndependencies = [")[2].partition("\n]")[0]
    line = next(
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("pip install")
    )
    extras = re.findall(r"\[([a-z0-9,]+)\]", line)[0].split(",")
    brought = plain + "".join(re.findall(rf"^(?:{'|'.join(extras)}) = \[.*?\]$", section, re.M | re.S))
    for module in ONLY_ON_PIP - {"ray", "starlette"}:  # extras of their own: clusters and the studio
        assert f'"{module}>=' in brought, module


def test_rosdep_finds_both_packages_when_both_folders_are_named() -> None:
    packages = pytest.importorskip("catkin_pkg.packages")
    assert [found.name for found in packages.find_packages(str(ROOT)).values()] == ["uav_testgen"]
    assert [found.name for found in packages.find_packages(str(ROOT / "msg")).values()] == [
        "uav_testgen_msgs"
    ]


def test_colcon_lists_both_packages_when_both_folders_are_named(tmp_path: Path) -> None:
    for module in ("colcon_ros", "colcon_package_information"):
        pytest.importorskip(module)
    words = ["--log-base", str(tmp_path), "list", "--base-paths", str(ROOT), str(ROOT / "msg")]
    done = subprocess.run([sys.executable, "-m", "colcon", *words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [(row[0], row[-1]) for row in rows] == [
        ("uav_testgen", "(ros.ament_python)"),
        ("uav_testgen_msgs", "(ros.ament_cmake)"),
    ]


def test_colcon_test_recognises_pytest() -> None:
    """It looks for an extra called `test` with pytest in it; without one it would run nothing and be content."""
    for module in ("colcon_core", "colcon_python_setup_py"):
        pytest.importorskip(module)
    from colcon_core.task.python.test import has_test_dependency
    from colcon_python_setup_py.package_identification.python_setup_py import get_setup_information

    assert has_test_dependency(get_setup_information(ROOT / "setup.py"), "pytest")


def test_the_messages_need_nothing_outside_their_folder(tmp_path: Path) -> None:
    """Configured from a copy under another name, as a release of that package alone would be."""
    cmake = shutil.which("cmake")
    pytest.importorskip("rclpy")
    prefix = Path(sys.prefix)
    if cmake is None or not (prefix / "share" / "rosidl_default_generators").is_dir():
        pytest.skip("no cmake, or ROS 2 is not in this environment")
    alone = Path(shutil.copytree(ROOT / "msg", tmp_path / "uav_testgen_msgs"))
    options = [
        f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DPython3_EXECUTABLE={sys.executable}",
        "-DBUILD_TESTING=OFF",
    ]
    done = subprocess.run(
        [cmake, "-S", str(alone), "-B", str(tmp_path / "build"), "-DPYTHON_INTERFACES_ONLY=ON", *options],
        env={
            **os.environ,
            "AMENT_PREFIX_PATH": str(prefix),
            "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    assert (tmp_path / "build" / "interfaces" / "msg" / "Scenario.msg").is_file()


def test_the_recipe_does_what_the_page_says() -> None:
    blocks = re.findall(r"^```bash\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    recipe = " ".join(RECIPE.read_text(encoding="utf-8").split())
    for line in "".join(blocks).replace("\\\n", " ").splitlines():
        assert " ".join(line.split()).removeprefix(". install/setup.bash") in recipe.replace("\\ ", ""), line
