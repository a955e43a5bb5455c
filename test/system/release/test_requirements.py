"""The metadata of the package and the lists the lock is made from ask for the same things."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Where the name on the package index is not the name that is imported.
DISTRIBUTION_OF = {"PIL": "pillow", "yaml": "pyyaml", "pydantic_core": "pydantic", "xdist": "pytest-xdist"}
# They come with ROS 2, or with the program that a script is sent to.
FROM_ELSEWHERE = {"rclpy", "rcl_interfaces", "builtin_interfaces", "aerialist"}


def metadata() -> str:
    return (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def plain_dependencies() -> dict[str, str]:
    """What an installation without extras brings: package to lowest version."""
    section = re.search(r"^dependencies = \[(.*?)^\]", metadata(), re.MULTILINE | re.DOTALL)
    assert section is not None
    return dict(re.findall(r'"([A-Za-z0-9-]+)>=([0-9.]+)', section[1]))


def optional_dependencies() -> set[str]:
    section = metadata().partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    return set(re.findall(r'"([A-Za-z0-9-]+)(?:>=[0-9.]+)?"', section))


def asked_for() -> dict[str, str]:
    """What requirements/*.in ask for: package to lowest version."""
    lines = [
        line
        for name in ("core.in", "studio.in", "dev.in")
        for line in (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
    ]
    found = (re.match(r"([A-Za-z0-9-]+)(?:>=([0-9.]+))?", line) for line in lines)
    return {match[1]: match[2] or "0" for match in found if match is not None}


def imported() -> set[str]:
    """Packages that are imported anywhere in ours, by the name of the package index."""
    names = set()
    for file in (ROOT / "uav_testgen").rglob("*.py"):
        if "shipped" in file.parts:  # runs in somebody else's Python
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names.add(node.module.partition(".")[0])
    names -= {"uav_testgen"} | set(sys.stdlib_module_names) | FROM_ELSEWHERE
    return {DISTRIBUTION_OF.get(name, name) for name in names if not name.endswith("_msgs")}


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def test_what_is_imported_is_declared() -> None:
    missing = imported() - set(plain_dependencies()) - optional_dependencies()
    assert not missing, f"pyproject.toml does not declare {sorted(missing)}"


def test_what_is_declared_is_imported() -> None:
    assert set(plain_dependencies()) <= imported()


def test_the_lock_is_made_from_what_is_declared() -> None:
    wanted = asked_for()
    for name, lowest in plain_dependencies().items():
        assert name in wanted, f"requirements/core.in lacks {name}"
        assert numbers(wanted[name]) >= numbers(lowest), name
    assert optional_dependencies() <= set(wanted), sorted(optional_dependencies() - set(wanted))


def test_what_is_installed_is_new_enough() -> None:
    for name, lowest in plain_dependencies().items():
        version = re.match(r"[0-9.]+", importlib.metadata.version(name))
        assert version is not None and numbers(version[0].strip(".")) >= numbers(lowest), name
