"""A virtual environment with the real Aerialist, built on first use beside the project's own.

It borrows numpy, scipy, shapely and the like from the environment the tests run in and adds Aerialist
with what it needs, so building takes seconds and nothing of it enters ours.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
BUILD_TIMEOUT_S = 240


class NotInstallable(Exception):
    """Aerialist cannot be installed here (no network, no wheels)."""


def aerialist_python(root: Path) -> Path:
    """The interpreter that can import aerialist; NotInstallable says why there is none."""
    folder = root / ".venv-aerialist"
    folder.mkdir(exist_ok=True)
    python = folder / "bin" / "python"
    version = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()
    stamp = folder / ".ready"
    # Test workers come here at the same time. Not in the folder itself, which building empties.
    name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    with (Path(tempfile.gettempdir()) / f"uav_testgen_aerialist_{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (stamp.is_file() and stamp.read_text() == version):
            _build(folder, python)
            stamp.write_text(version)
    return python


def _build(folder: Path, python: Path) -> None:
    _run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)])
    site = _run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    (Path(site) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    if importlib.util.find_spec("uv") is not None:
        installer = [sys.executable, "-m", "uv", "pip", "install", "--python", str(python)]
    else:
        installer = [sys.executable, "-m", "pip", "--python", str(python), "install"]
    _run([*installer, "--no-deps", "--quiet", "-r", str(REQUIREMENTS)])


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=BUILD_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstallable(f"aerialist cannot be installed here: {error}") from None
    if done.returncode != 0:
        raise NotInstallable(f"aerialist cannot be installed here: {done.stderr.strip()[-300:]}")
    return done.stdout
