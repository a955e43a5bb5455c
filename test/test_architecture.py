"""The shape of the program: who may import whom, who may print, what the core needs to start.

These bans keep the test bench honest: a planner that could see the true scene would void every result.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "uav_testgen"

# A room may import rooms of its own rank or before. "base" are the modules directly in the package.
ORDER = (
    "base", "core", "shape", "scenario", "world", "sensing", "planner", "vehicle", "flight", "loop", "statistics",
    "oracle", "backend", "predict", "work", "fidelity", "generator", "campaign", "assurance", "fleet", "view",
    "standin", "graph", "testing", "cli", "ros",
)  # fmt: skip
BANNED = {
    "planner": {"world", "scenario"},
    "vehicle": {"planner"},
    "generator": {"backend"},
    "oracle": {"backend", "planner"},
}
# Public façade: resolves names of any room on first use.
FACADES = {"__init__", "api", "settings"}
ROS_PACKAGES = (
    "rclpy", "rcl_interfaces", "rosgraph_msgs", "builtin_interfaces", "action_msgs", "launch", "launch_ros",
    "ament_index_python", "unique_identifier_msgs", "tf2_ros", "tf2_msgs", "rosidl_runtime_py",
)  # fmt: skip
ONE_FILE_ONLY = ("open3d", "ray")


class Import(NamedTuple):
    """One import statement."""

    file: Path
    line: int
    module: str
    for_types_only: bool = False

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


@functools.cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """Everything in a file. Read by the first test that asks: every worker imports this module to collect its tests."""
    return tuple(ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))))


@functools.cache
def imports() -> tuple[Import, ...]:
    """Every import of the package."""
    return tuple(one for file in FILES for one in imports_of(file, nodes_of(file)))


def imports_of(file: Path, nodes: tuple[ast.AST, ...]) -> Iterator[Import]:
    """Every import in a file, also inside functions and under TYPE_CHECKING: those bind rooms as well."""
    package = [PACKAGE.name, *file.relative_to(PACKAGE).parent.parts]
    guards = (node for node in nodes if isinstance(node, ast.If))
    guarded = {
        inner
        for guard in guards
        if ast.unparse(guard.test).endswith("TYPE_CHECKING")
        for statement in guard.body
        for inner in ast.walk(statement)
    }
    for node in nodes:
        types = node in guarded
        if isinstance(node, ast.Import):
            yield from (Import(file, node.lineno, alias.name, types) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield Import(file, node.lineno, module, types)
            if module == PACKAGE.name:  # `from uav_testgen import world`
                names = [f"{module}.{alias.name}" for alias in node.names]
                yield from (Import(file, node.lineno, name, types) for name in names)


def room_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else "base"


def imported_room(module: str) -> str | None:
    """The room behind a module name; None for other packages."""
    parts = module.split(".")
    if parts[0] != PACKAGE.name or len(parts) == 1:
        return None
    return parts[1] if (PACKAGE / parts[1]).is_dir() else "base"


FILES = sorted(PACKAGE.rglob("*.py"))


def test_every_room_has_a_place_in_the_order() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert rooms <= set(ORDER), f"give {sorted(rooms - set(ORDER))} a place in ORDER"


def test_the_map_in_the_documentation_is_the_tree() -> None:
    text = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    listed = re.findall(r"^([a-z]+)/  ", text, re.MULTILINE)
    assert listed == [room for room in ORDER if room != "base"], (
        "docs/explanation/architecture.md lists the packages in order"
    )
    named = set(re.findall(r"`((?:[a-z_0-9]+/)+[a-z_0-9]+\.py)`", text))
    missing = [name for name in named if not (PACKAGE / name).is_file() and not (ROOT / name).is_file()]
    assert not missing, f"docs/explanation/architecture.md names files that are not there: {missing}"


def test_imports_follow_the_order() -> None:
    wrong = []
    for one in imports():
        here, there = room_of(one.file), imported_room(one.module)
        if there is None or (here == "base" and one.file.stem in FACADES):
            continue
        # Naming a type of a later room binds nothing at run time; the bans below forbid even that.
        if not one.for_types_only and ORDER.index(there) > ORDER.index(here):
            wrong.append(str(one))
    assert not wrong, "\n".join(wrong)


def test_bans() -> None:
    wrong = [
        str(one) for one in imports() if imported_room(one.module) in BANNED.get(room_of(one.file), set())
    ]
    assert not wrong, "\n".join(wrong)


def test_nobody_imports_the_ros_room() -> None:
    wrong = [
        str(one) for one in imports() if imported_room(one.module) == "ros" and room_of(one.file) != "ros"
    ]
    assert not wrong, "\n".join(wrong)


def test_nodes_import_no_backend() -> None:
    """Nodes fly with the loop, as backends do; only the backends of the graph obey the protocol of backends."""
    graph_backends = PACKAGE / "ros" / "backends"
    wrong = [
        str(one)
        for one in imports()
        if imported_room(one.module) == "backend"
        and room_of(one.file) == "ros"
        and not (graph_backends in one.file.parents and one.module == "uav_testgen.backend.base")
    ]
    assert not wrong, "\n".join(wrong)


def test_only_the_ros_room_imports_ros() -> None:
    def is_ros(module: str) -> bool:
        top = module.split(".")[0]
        return top in ROS_PACKAGES or top.endswith("_msgs") or top.endswith("_srvs")

    wrong = [str(one) for one in imports() if is_ros(one.module) and room_of(one.file) != "ros"]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("library", ONE_FILE_ONLY)
def test_heavy_libraries_live_in_one_file(library: str) -> None:
    users = {one.file.relative_to(ROOT) for one in imports() if one.module.split(".")[0] == library}
    assert len(users) <= 1, f"{library} is imported in {sorted(map(str, users))}"


def test_print_only_in_cli() -> None:
    wrong = []
    for file in FILES:
        if room_of(file) == "cli":
            continue
        for node in nodes_of(file):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                wrong.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert not wrong, "\n".join(wrong)


def test_no_machine_path_in_the_tree() -> None:
    """A path of one machine in a file works there and nowhere else."""
    known = ("/" + "work/", "/" + "root/", "/" + "home/")
    listed = subprocess.run(
        [
            "git",
            "ls-files",
            "-z",
            "*.py",
            "*.md",
            "*.yaml",
            "*.toml",
            "*.sh",
            "*.txt",
            "*.in",
            "Makefile",
            ".ci/run",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    wrong = []
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        wrong += [f"{name}: {part}" for part in known if part in text]
    assert not wrong, "\n".join(wrong)


CORE_WITHOUT_ROS = """
import importlib, pathlib, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top == "rclpy" or top.endswith("_msgs") or top in ("launch", "launch_ros", "rcl_interfaces"):
            raise ImportError(name + " is blocked in this test")

sys.meta_path.insert(0, Blocker())
names = []
for file in sorted(pathlib.Path("uav_testgen").rglob("*.py")):
    parts = file.with_suffix("").parts
    if parts[1] != "ros" and parts[-1] != "__main__":
        names.append(".".join(parts).removesuffix(".__init__"))
for name in names:
    importlib.import_module(name)
assert not [name for name in sys.modules if name.startswith("uav_testgen.ros")]
assert len(names) > 20, names
"""


def test_core_imports_without_ros() -> None:
    result = subprocess.run(
        [sys.executable, "-c", CORE_WITHOUT_ROS], capture_output=True, text=True, cwd=ROOT
    )
    assert result.returncode == 0, result.stderr[-3000:]


def test_importing_the_package_is_quick_and_light() -> None:
    heavy = ("numpy", "numba", "open3d", "matplotlib", "pymoo", "scipy", "rclpy")
    code = f"import sys, uav_testgen; print([name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert result.stdout.strip() == "[]", result.stdout + result.stderr


def bound_backends() -> set[str]:
    """Names bound to the backend contract anywhere in the tests."""
    names = set()
    for file in (ROOT / "test").rglob("test_*.py"):
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "BackendContract" in text else ():
            if not isinstance(node, ast.ClassDef) or "BackendContract" not in [
                ast.unparse(b) for b in node.bases
            ]:
                continue
            for statement in node.body:
                if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "name":
                    names.add(ast.literal_eval(statement.value))
    return names


# These need a second program (autopilot, simulator, worker). The contract flies several times, which takes
# minutes there, so each has a suite of its own against a stand-in instead.
BACKENDS_WITH_A_STAND_IN = {
    "aerialist": "test/unit/backend/test_aerialist_backend.py",
    "folder": "test/unit/backend/test_folder_queue.py",
    "px4": "test/ros/px4/test_px4_backend.py",
}


def flights_in(file: Path, name: str) -> set[str]:
    """Tests that fly the backend of this name: by its class, by its name in a call, or by `--backend NAME`.

    A test also counts if it uses a fixture or a helper of the file that does.
    """
    from uav_testgen.backend.registry import BACKENDS

    kind = BACKENDS.built_in_target(name).partition(":")[2]
    functions = [
        node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)
    ]
    flying: set[str] = set()
    while True:  # until no helper of a helper is found any more
        more = {
            function.name
            for function in functions
            if any(_names_backend(node, name, kind) for node in ast.walk(function))
            or flying & _used_names(function)
        }
        if more == flying:
            return {found for found in flying if found.startswith("test_")}
        flying = more


def _names_backend(node: ast.AST, name: str, kind: str) -> bool:
    if isinstance(node, ast.List):  # a command line
        words = [part.value for part in node.elts if isinstance(part, ast.Constant)]
        return ("--backend", name) in itertools.pairwise(words)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == kind


def _used_names(function: ast.FunctionDef) -> set[str]:
    called = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return called | {argument.arg for argument in function.args.args}


def test_backends_with_a_stand_in_have_their_suites() -> None:
    from uav_testgen.backend.registry import BACKENDS

    for name, file in BACKENDS_WITH_A_STAND_IN.items():
        BACKENDS.require(name)
        assert len(flights_in(ROOT / file, name)) >= 3, f"{file} hardly flies '{name}'"


def test_a_suite_that_flies_nothing_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "test_nothing.py"
    file.write_text(
        "def make():\n    return FolderBackend()\n"
        "def test_flies():\n    make().fly()\n"
        "def test_says_so_only():\n    assert 'FolderBackend'\n"
    )
    assert flights_in(file, "folder") == {"test_flies"}
    assert flights_in(file, "aerialist") == set()


def test_every_backend_has_its_contract_test() -> None:
    from uav_testgen.backend.registry import BACKENDS

    present = set()
    for name in BACKENDS.names():
        module = BACKENDS.built_in_target(name).partition(":")[0]
        try:
            found = importlib.util.find_spec(module) is not None
        except ModuleNotFoundError:
            found = False
        if found:
            present.add(name)
    missing = present - bound_backends() - set(BACKENDS_WITH_A_STAND_IN)
    assert not missing, f"bind {sorted(missing)} to BackendContract in test/contract/ or test/ros/"


def test_the_import_check_can_fail(tmp_path: Path) -> None:
    """The walker sees imports inside functions, relative ones and those of rooms by name."""
    file = PACKAGE / "planner" / "imaginary.py"
    lines = ("from ..world import scene", "from uav_testgen import backend", "import rclpy.node")
    source = "def f():\n" + "".join(f"    {line}\n" for line in lines)
    copy = tmp_path / "imaginary.py"
    copy.write_text(source)
    package = [PACKAGE.name, *file.relative_to(PACKAGE).parent.parts]
    assert package == ["uav_testgen", "planner"]
    # As if the copy lay in the planner room.
    found = {one.module for one in imports_of(file, nodes_of(copy))}
    assert found == {"uav_testgen.world", "uav_testgen", "uav_testgen.backend", "rclpy.node"}
    assert imported_room("uav_testgen.world") == "world"
    assert imported_room("uav_testgen.core.errors") == "core"
