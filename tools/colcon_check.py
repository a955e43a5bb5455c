"""Builds both packages as a ROS workspace does (colcon on the installed ROS), in a temporary folder.

Checks what a ROS user relies on: the order of the packages, messages that import from the install space, the
command, the node executables, the files under share/, and that `colcon test` runs ROS tests on the install space.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
VENV = Path(sys.prefix)


def main() -> int:
    """Build, then look at the result; 0 = all there."""
    with tempfile.TemporaryDirectory(prefix="uav_testgen_colcon_") as folder:
        base = Path(folder)
        started = time.monotonic()
        code = subprocess.run(build_command(base), cwd=base, env=environment()).returncode
        if code != 0:
            print(f"colcon: the build failed with {code}", file=sys.stderr)
            return 1
        print(f"colcon: built in {time.monotonic() - started:.1f} s", flush=True)
        problems = check(base / "install") or check_tests(base)
    for problem in problems:
        print(f"colcon: {problem}", file=sys.stderr)
    print("colcon: both packages are complete" if not problems else f"colcon: {len(problems)} problems")
    return 1 if problems else 0


def build_command(base: Path) -> list[str]:
    """`colcon build --base-paths . msg`, with everything it writes in the temporary folder."""
    cmake = ["-GNinja", "-DBUILD_TESTING=OFF", "-DCMAKE_BUILD_TYPE=Release", "-DPYTHON_INTERFACES_ONLY=ON"]
    return [
        *colcon(base), "build",
        "--base-paths", str(ROOT), str(ROOT / "msg"),
        "--build-base", str(base / "build"), "--install-base", str(base / "install"),
        "--cmake-args", *cmake, f"-DPython3_EXECUTABLE={VENV / 'bin' / 'python'}",
    ]  # fmt: skip


def environment() -> dict[str, str]:
    """The ROS wheels in the virtual environment play the sourced ROS."""
    env = dict(os.environ)
    for name in ("AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH"):
        env[name] = os.pathsep.join(filter(None, [str(VENV), env.get(name)]))
    env["PATH"] = os.pathsep.join([str(VENV / "bin"), env["PATH"]])
    return env


def check(install: Path) -> list[str]:
    """What is missing in the install space, as sentences."""
    ours, messages = install / "uav_testgen", install / "uav_testgen_msgs"
    nodes = [file.stem for file in (ROOT / "uav_testgen" / "ros" / "nodes").glob("*_node.py")]
    wanted = [
        ours / "share" / "ament_index" / "resource_index" / "packages" / "uav_testgen",
        ours / "share" / "uav_testgen" / "package.xml",
        ours / "share" / "uav_testgen" / "config" / "fastdds.xml",
        ours / "lib" / "uav_testgen" / "uav-testgen",
        *(ours / "lib" / "uav_testgen" / node for node in nodes),
        messages / "share" / "uav_testgen_msgs" / "msg" / "Scenario.msg",
        messages / "share" / "uav_testgen_msgs" / "action" / "Fly.action",
    ]
    problems = [f"missing: {path.relative_to(install)}" for path in wanted if not path.exists()]
    return problems + check_imports(ours, messages)


def check_tests(base: Path) -> list[str]:
    """`colcon test` with a quick part of the ROS tests: it must run them, and they must pass."""
    command = [
        *colcon(base), "test", "--base-paths", str(ROOT), str(ROOT / "msg"), "--packages-select", "uav_testgen",
        "--build-base", str(base / "build"), "--install-base", str(base / "install"),
        "--test-result-base", str(base / "result"),
        "--pytest-args", "test/ros/convert", "test/ros/interfaces", "-p", "no:randomly",
    ]  # fmt: skip
    code = subprocess.run(command, cwd=base, env=environment()).returncode
    if code != 0:
        return [f"colcon test ended with {code}"]
    reports = list((base / "result").rglob("pytest.xml"))
    counts = [ElementTree.parse(report).getroot().find("testsuite") for report in reports]
    if not counts or counts[0] is None:
        return ["colcon test ran nothing: it did not find out that the tests are pytest's"]
    suite = counts[0].attrib
    print(
        f"colcon: {suite['tests']} tests, {suite['failures']} failures, {suite['errors']} errors", flush=True
    )
    bad = int(suite["failures"]) + int(suite["errors"])
    return [f"{bad} ROS tests fail under colcon test"] if bad or int(suite["tests"]) < 20 else []


def colcon(base: Path) -> list[str]:
    """colcon as the Python of the environment runs it, so that executables and tests use that Python."""
    return [sys.executable, "-m", "colcon", "--log-base", str(base / "log")]


def check_imports(ours: Path, messages: Path) -> list[str]:
    """Messages and package must come from the install space, not from the development environment."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    places = [str(prefix / "lib" / version / "site-packages") for prefix in (ours, messages)]
    env = dict(os.environ)
    env["PYTHONPATH"] = os.pathsep.join(places)
    env["LD_LIBRARY_PATH"] = os.pathsep.join([str(messages / "lib"), env.get("LD_LIBRARY_PATH", "")])
    code = (
        "import uav_testgen, uav_testgen_msgs\n"
        "from uav_testgen_msgs.msg import Scenario\n"
        "from rclpy.serialization import serialize_message, deserialize_message\n"
        "assert deserialize_message(serialize_message(Scenario(name='x')), Scenario).name == 'x'\n"
        "print(uav_testgen.__file__, uav_testgen_msgs.__file__)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], env=env, cwd=ours, capture_output=True, text=True)
    if result.returncode != 0:
        return [f"the messages cannot be used: {result.stderr.strip().splitlines()[-1]}"]
    return [
        f"imported from the wrong place: {path}"
        for path in result.stdout.split()
        if not path.startswith(str(ours.parent))
    ]


if __name__ == "__main__":
    sys.exit(main())
