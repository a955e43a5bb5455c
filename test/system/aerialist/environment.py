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
BUILD_TIMEOUT_S = 120
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


class NotInstallable(Exception):
    """Aerialist cannot be installed here; `reachable`: although the package index answers."""

    def __init__(self, text: str, reachable: bool = False) -> None:
        super().__init__(f"aerialist cannot be installed here: {text}")
        self.reachable = reachable


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
    # uv is quick but does not read pip's configuration; with the machine's own certificates, as pip has them.
    uv = [sys.executable, "-m", "uv", "pip", "install", "--system-certs", "--python", str(python)]
    pip = [*PIP, "--python", str(python), "install"]
    installers = [uv, pip] if importlib.util.find_spec("uv") is not None else [pip]
    for installer in installers:
        try:
            _run([*installer, "--no-deps", "--quiet", "-r", str(REQUIREMENTS)])
            return
        except NotInstallable as error:
            failure = error
    raise NotInstallable(str(failure), reachable=_index_answers())


def _index_answers() -> bool:
    """The package index that pip is set up for hands out a package."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            _run([*PIP, "download", "--quiet", "--no-deps", "--dest", folder, "wheel"])
        except NotInstallable:
            return False
    return True


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=BUILD_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstallable(str(error)) from None
    if done.returncode != 0:
        raise NotInstallable(done.stderr.strip()[-300:])
    return done.stdout
