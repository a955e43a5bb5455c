"""Makes `.venv` from nothing, repairs it when half-made, and returns at once when it is complete.

Run by the Makefile with any python3; needs the standard library only. Each step leaves a stamp with the
digest of what it was made from, so a second run repeats only what has changed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from environment import interfaces, packages, simulators, system
from environment.console import ROOT, SetupError, run, say, succeeds
from environment.interpreter import Interpreter, choose
from environment.stamps import Stamps, digest

VENV = ROOT / ".venv"
LOCK_WAIT_S = 1200.0


def main() -> int:
    """Bring the environment up to date; 0 = ready, 2 = cannot, with one line that says why."""
    try:
        with only_one_at_a_time():
            Setup(choose()).run()
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 2
    except PermissionError as error:
        print(f"setup: {error.filename} cannot be written; check its owner or remove .venv", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("setup: interrupted; run make again, it goes on where it stopped", file=sys.stderr)
        return 130
    return 0


class Setup:
    """The steps, in order."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._base = interpreter
        self._python = VENV / "bin" / "python"
        self._stamps = Stamps(VENV / ".setup")
        self._worked = False

    def run(self) -> None:
        """Do what is not done yet."""
        base = self._base
        venv_key = digest([base.path, base.label, str(VENV), str(base.has_ros)])
        self._step("python", venv_key, self._make_venv)
        lock_key = digest([venv_key, packages.LOCK, packages.NO_DEPS, packages.TOOLS])
        self._step("packages", lock_key, self._install_packages)
        simulators_key = digest([lock_key, *simulators.sources()])
        needed = not self._stamps.is_current("simulators", simulators_key)
        with simulators.compiling(VENV, needed) as work:
            self._worked |= needed
            self._build_and_install(venv_key)
            if work is not None and work.wait():
                self._stamps.write("simulators", simulators_key)
        if self._worked:
            say("ready")

    def _build_and_install(self, venv_key: str) -> None:
        helpers = ROOT / "msg" / "cmake"
        made_with = [self._base.label, str(self._base.has_ros), _ros_pins()]
        msgs_key = digest([*made_with, ROOT / "msg"])
        self._step(
            "uav_testgen_msgs", digest([venv_key, msgs_key]), lambda: self._build(ROOT / "msg", msgs_key)
        )
        for name in ("px4_msgs", "tf2_msgs"):
            key = digest([*made_with, helpers, _source(name)])
            self._step(name, digest([venv_key, key]), partial(self._supply, name, key))
        nodes = [path.name for path in sorted((ROOT / "uav_testgen" / "ros" / "nodes").glob("*_node.py"))]
        project_key = digest([venv_key, ROOT / "setup.py", ROOT / "pyproject.toml", *nodes])
        self._step("uav_testgen", project_key, lambda: packages.install_project(VENV))

    def _step(self, name: str, key: str, work: Callable[[], None]) -> None:
        if self._stamps.is_current(name, key):
            return
        if not self._worked:
            say(f"setting up .venv with Python {self._base.label} (first time: a few minutes)")
        self._worked = True
        say(f"{name} ...")
        started = time.monotonic()
        work()
        self._stamps.write(name, key)
        say(f"{name} done in {time.monotonic() - started:.1f} s")

    def _make_venv(self) -> None:
        base = self._base
        if VENV.is_symlink() or (VENV.exists() and not VENV.is_dir()):
            raise SetupError(".venv exists but is not a folder; move it away and run make again")
        if VENV.exists():
            if self._usable():
                return
            say("    .venv is half-made or belongs to another python: making it again")
            shutil.rmtree(VENV)
        system.ensure_venv_module(base.path, base.label)
        options = ["--system-site-packages"] if base.has_ros else []
        if base.has_ros:
            say("    ROS 2 is sourced and will be used; the ROS wheels are left out")
        run([base.path, "-m", "venv", *options, str(VENV)], "remove .venv and run make again")

    def _usable(self) -> bool:
        """An environment without our stamp is kept if it works, has pip, and is of the wanted version."""
        wanted = (*self._base.version, str(VENV))
        code = f"import sys, pip; sys.exit((*sys.version_info[:2], sys.prefix) != {wanted!r})"
        settings = VENV / "pyvenv.cfg"
        sees_system = settings.is_file() and "include-system-site-packages = true" in settings.read_text()
        if sees_system != self._base.has_ros or not self._python.exists():
            return False
        return succeeds([str(self._python), "-c", code])

    def _install_packages(self) -> None:
        if not (VENV / "bin" / "uv").exists():
            packages.install_uv(VENV)
        from_wheels = not self._base.has_ros
        packages.install_locked(VENV, from_wheels)
        site_packages = VENV / "lib" / f"python{self._base.label}" / "site-packages"
        say(f"    libusb-1.0 for Open3D: {system.ensure_libusb(VENV, site_packages, from_wheels)}")

    def _build(self, source: Path, key: str) -> None:
        system.ensure_compiler()
        system.ensure_headers(self._base.path, self._base.label)
        cmake = system.ensure_build_tool("cmake", VENV, packages.tool_command)
        ninja = system.ensure_build_tool("ninja", VENV, packages.tool_command)
        interfaces.supply(source, VENV, cmake, ninja, key)

    def _supply(self, name: str, key: str) -> None:
        """Build our subset of a message package that other ROS installations bring along."""
        ours = (VENV / "share" / name).exists()
        if not ours and interfaces.importable(name, VENV):
            say(f"    {name} is installed already and will be used")
            return
        self._build(_source(name), key)


def _source(name: str) -> Path:
    return ROOT / "interfaces" / name


def _ros_pins() -> str:
    """The ROS part of the lock: a change there means the interfaces must be built again."""
    found = packages.requirements(packages.LOCK).items()
    return "\n".join(text for name, text in found if name.startswith("ros-"))


@contextlib.contextmanager
def only_one_at_a_time() -> Iterator[None]:
    """Two makes at once: the second waits for the first."""
    path = ROOT / ".venv.lock"
    with path.open("a+", encoding="utf-8") as file:
        waited = 0.0
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                file.seek(0)
                owner = file.read().strip() or "unknown"
                if waited == 0.0:
                    say(f"another make (process {owner}) is setting up .venv: waiting for it")
                if waited >= LOCK_WAIT_S:
                    raise SetupError(
                        f".venv is locked by process {owner}; end that process and run make again"
                    ) from None
                time.sleep(0.5)
                waited += 0.5
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


if __name__ == "__main__":
    sys.exit(main())
