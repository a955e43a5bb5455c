"""What must not be in the tree: ways to run what a file says, shells, and doors open to the network.

Found in the syntax tree, so that a word in a comment is no finding and a renamed import is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CODE = ("uav_testgen", "tools", "benchmarks", "launch")
SHIPPED = ("uav_testgen", "launch")

# Called with data from a file, each of these runs what the file says.
DANGEROUS_CALLS = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen", "pickle.load", "pickle.loads",
    "marshal.load", "marshal.loads", "shelve.open", "yaml.full_load", "yaml.unsafe_load", "yaml.load_all",
    "numpy.load", "np.load", "joblib.load", "cloudpickle.loads", "tempfile.mktemp", "subprocess.getoutput",
    "subprocess.getstatusoutput",
}  # fmt: skip
DANGEROUS_MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "telnetlib", "pty"}
# PX4's simulator wants a terminal; nothing is read from a file there.
MODULES_ALLOWED: dict[str, set[str]] = {"uav_testgen/backend/aerialist": {"pty"}}
PARSES_XML = {"fromstring", "parse", "iterparse", "XML"}


# The one function that kernels are called through is made of their arguments' names; no file is read there.
CALLS_ALLOWED = {"uav_testgen/core/kernel.py": {"exec", "compile"}}


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def calls(file: Path) -> Iterator[tuple[str, ast.Call]]:
    """Every call with the dotted name of what is called."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            yield ast.unparse(node.func), node


def where(file: Path, node: ast.AST) -> str:
    return f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', '?')}"


def test_nothing_runs_what_a_file_says() -> None:
    found = [
        f"{where(file, node)} {name}"
        for file in sources(*CODE)
        for name, node in calls(file)
        if name in DANGEROUS_CALLS - CALLS_ALLOWED.get(str(file.relative_to(ROOT)), set())
    ]
    assert not found, found


def test_yaml_is_read_by_a_safe_loader_only() -> None:
    found = []
    for file in sources(*CODE):
        for name, node in calls(file):
            if name != "yaml.load":
                continue
            loaders = [keyword.value for keyword in node.keywords if keyword.arg == "Loader"]
            names = {ast.unparse(loader) for loader in loaders}
            if not names or not all(name.endswith("SafeLoader") for name in names):
                found.append(where(file, node))
    assert not found, found


def test_no_module_that_unpacks_objects_is_imported() -> None:
    found = []
    for file in sources(*SHIPPED):
        relative = str(file.relative_to(ROOT))
        allowed = {
            name for start, names in MODULES_ALLOWED.items() if relative.startswith(start) for name in names
        }
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            bad = {name.split(".")[0] for name in names} & (DANGEROUS_MODULES - allowed)
            found += [f"{where(file, node)} {name}" for name in bad]
    assert not found, found


def test_no_shell() -> None:
    found = [
        where(file, node)
        for file in sources(*CODE)
        for name, node in calls(file)
        for keyword in node.keywords
        if keyword.arg == "shell" and ast.unparse(keyword.value) != "False"
    ]
    assert not found, found


def test_xml_is_read_by_the_one_reader_that_knows_no_entities() -> None:
    found = [
        where(file, node)
        for file in sources(*SHIPPED)
        for name, node in calls(file)
        if "ElementTree" in name and name.rsplit(".", 1)[-1] in PARSES_XML
    ]
    assert not found, "entities of foreign XML can exhaust memory: use core.safe_xml; " + str(found)
    users = {file.name for file in sources(*SHIPPED) if "expat" in file.read_text(encoding="utf-8")}
    assert users == {"safe_xml.py"}


def test_every_table_for_spreadsheets_is_written_by_the_one_writer_that_defuses_cells() -> None:
    numbers_only = {"flight/json_io.py", "standin/shipped/package/aerialist/px4/trajectory.py",
                    "standin/shipped/package/aerialist/px4/command.py"}  # fmt: skip
    users = {
        str(file.relative_to(ROOT / "uav_testgen"))
        for file in sources("uav_testgen")
        for name, _ in calls(file)
        if name.rsplit(".", 1)[-1] in ("writer", "DictWriter") and "csv" in name
    }
    assert users == {"view/cells.py", *numbers_only}


def test_nobody_listens_on_all_interfaces() -> None:
    found = []
    for file in sources(*SHIPPED):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and node.value in ("0.0.0.0", "::"):
                found.append(where(file, node))
    assert not found, found


def test_discovery_stays_on_this_machine_unless_asked() -> None:
    from uav_testgen.graph.environment import settings_over

    assert settings_over({})["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "LOCALHOST"
    profile = (ROOT / "config" / "fastdds.xml").read_text(encoding="utf-8")
    assert "<useBuiltinTransports>false</useBuiltinTransports>" in profile
    assert "<address>127.0.0.1</address>" in profile


@pytest.mark.parametrize("suffix", ["yaml", "json", "plan"])
def test_size_and_depth_of_input_are_limited(tmp_path: Path, suffix: str) -> None:
    from uav_testgen.core.config import MAX_INPUT_BYTES, MAX_INPUT_DEPTH, read_yaml
    from uav_testgen.core.errors import InputFileError

    large, deep = tmp_path / f"large.{suffix}", tmp_path / f"deep.{suffix}"
    with large.open("wb") as stream:
        stream.truncate(MAX_INPUT_BYTES + 1)
    with pytest.raises(InputFileError, match="at most"):
        read_yaml(large)
    for depth in (MAX_INPUT_DEPTH + 2, 100_000):
        deep.write_text("[" * depth + "]" * depth)
        with pytest.raises(InputFileError, match=r"deep\."):
            read_yaml(deep)


@pytest.mark.parametrize("name", ["../../escape", "/etc/passwd", "a/../../b", "x" * 300, "<b>&\"'"])
def test_names_never_become_paths(tmp_path: Path, name: str) -> None:
    """Outputs are called after ranks and hashes: a hostile name stays inside files."""
    from uav_testgen.campaign.case import CaseStudy
    from uav_testgen.testing.factories import make_box, make_scenario

    box = make_box().model_copy(update={"name": name[:200]})
    scenario = make_scenario(box).model_copy(update={"name": name[:200]})
    out = tmp_path / "out"
    out.mkdir()
    case = CaseStudy(name, scenario.with_obstacles(()))
    case.write_files(out)
    case.write_test(out / "tests" / f"001-{scenario.id}.yaml", scenario)
    outside = [path for path in tmp_path.rglob("*") if path.is_file() and out not in path.parents]
    assert not outside and all(path.resolve().is_relative_to(out) for path in out.rglob("*"))
