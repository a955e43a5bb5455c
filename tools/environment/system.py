"""What pip cannot bring: compiler, Python headers, shared libraries. From apt with a word, or asked for."""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from .console import SetupError, run, say, succeeds


def ensure_compiler() -> None:
    """A C++ compiler is needed to build the ROS interfaces."""
    if os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++"):
        return
    _install("g++", "a C++ compiler is needed to build the ROS interfaces")


def ensure_headers(python: str, label: str) -> None:
    """Python.h is needed to build the ROS interfaces; Debian ships it apart from the interpreter."""
    code = (
        "import sysconfig, os, sys; sys.exit(not os.path.exists(sysconfig.get_path('include') + '/Python.h'))"
    )
    if not succeeds([python, "-c", code]):
        _install(
            f"python{label}-dev", f"the headers of Python {label} are needed to build the ROS interfaces"
        )


def ensure_venv_module(python: str, label: str) -> None:
    """Debian ships ensurepip apart from the interpreter."""
    if not succeeds([python, "-c", "import venv, ensurepip"]):
        _install(f"python{label}-venv", f"Python {label} cannot make virtual environments here")


def ensure_libusb(venv: Path, site_packages: Path, ros_from_wheels: bool) -> str:
    """Open3D links against libusb-1.0. The wheel's copy serves where the ROS wheels search .venv/lib."""
    if ctypes.util.find_library("usb-1.0"):
        return "from the system"
    carried = site_packages / "libusb_package" / "libusb-1.0.so"
    if ros_from_wheels and carried.is_file():
        link = venv / "lib" / "libusb-1.0.so.0"
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(carried, link.parent))
        return "from a wheel"
    _install("libusb-1.0-0", "Open3D needs libusb-1.0")
    return "from apt"


def ensure_build_tool(name: str, venv: Path, install: Callable[[Path, str], list[str]]) -> str:
    """Path of cmake or ninja: the system's, else the one pip brings; `install` gives the command for that."""
    own = venv / "bin" / name
    found = shutil.which(name)
    if found and not own.exists():
        return found
    if not own.exists():
        say(f"{name} not found: installing it with pip")
        run(install(venv, name), f"install {name} (e.g. `apt install {name}`) and run make again")
    return str(own)


def _install(package: str, why: str) -> None:
    """Install a Debian package, saying so; without apt or rights, say what to install."""
    ask = SetupError(f"{why}: install `{package}` (e.g. `sudo apt install {package}`) and run make again")
    if not shutil.which("apt-get"):
        raise ask
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if as_root and not succeeds([*as_root, "true"]):
        raise ask
    say(f"{why}: installing `{package}` with apt")
    command = [*as_root, "apt-get", "install", "-y", "-qq", package]
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    if subprocess.run(command, env=env, capture_output=True).returncode != 0:
        subprocess.run([*as_root, "apt-get", "update", "-qq"], env=env, capture_output=True)
        run(command, f"install `{package}` by hand and run make again", env)
