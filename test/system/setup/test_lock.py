"""The locks pin everything with hashes, and the set-up installs nothing without them."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
REQUIREMENTS = ROOT / "requirements"
LOCKS = sorted(REQUIREMENTS.glob("*.txt"))
sys.path.insert(0, str(ROOT / "tools"))

from environment import packages  # noqa: E402


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_requirement_is_pinned_with_hashes(lock: Path) -> None:
    found = packages.requirements(lock)
    assert found
    for name, text in found.items():
        entries = re.split(r"^(?=[^ \n])", text, flags=re.MULTILINE)[1:]
        for entry in entries:
            first, *others = entry.splitlines()
            assert re.match(rf"{re.escape(name)}==[^ ]+( ;.*)? \\$", first), first
            assert others and all(
                re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in others
            ), name


@pytest.mark.parametrize(
    ("wishes", "lock"),
    [
        (("core.in", "ros.in", "dev.in"), "lock.txt"),
        (("core.in", "container.in"), "container.txt"),
        (("tools.in",), "tools.txt"),
        (("no_deps.in",), "no_deps.txt"),
    ],
)
def test_everything_asked_for_is_locked(wishes: tuple[str, ...], lock: str) -> None:
    locked = packages.requirements(REQUIREMENTS / lock)
    for wish in wishes:
        for line in (REQUIREMENTS / wish).read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith(("#", "-r")):
                name = re.split(r"[\[<>=;! ]", line)[0].lower().replace("_", "-")
                assert name in locked, f"{wish}: {name}; run `make lock`"


def test_a_container_has_the_versions_of_the_lock() -> None:
    lock = packages.requirements(REQUIREMENTS / "lock.txt")
    for name, text in packages.requirements(REQUIREMENTS / "container.txt").items():
        versions = set(re.findall(r"==([^ ]+)", text))
        assert versions <= set(re.findall(r"==([^ ]+)", lock[name])), name


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would be run, instead of running it."""
    seen: list[list[str]] = []
    monkeypatch.setattr(packages, "run", lambda words, way_out: seen.append(words))
    return seen


@pytest.mark.parametrize("with_uv", [True, False])
def test_packages_are_installed_by_hash(tmp_path: Path, commands: list[list[str]], with_uv: bool) -> None:
    (tmp_path / "bin").mkdir()
    if with_uv:
        (tmp_path / "bin" / "uv").touch()
    packages.install_locked(tmp_path, ros_from_wheels=True)
    packages.install_locked(tmp_path, ros_from_wheels=False)
    packages.install_uv(tmp_path)
    assert len(commands) == 3 and all("--require-hashes" in words for words in commands)
    assert str(packages.NO_DEPS) in commands[0] and str(packages.NO_DEPS) not in commands[1]


def test_the_lock_without_ros_keeps_the_hashes_of_the_others(
    tmp_path: Path, commands: list[list[str]]
) -> None:
    packages.install_locked(tmp_path, ros_from_wheels=False)
    kept = packages.requirements(tmp_path / "lock-without-ros.txt")
    whole = packages.requirements(packages.LOCK)
    assert kept == {name: text for name, text in whole.items() if not name.startswith("ros-")}
    assert len(kept) < len(whole)


def test_a_tool_is_installed_alone(tmp_path: Path) -> None:
    words = packages.tool_command(tmp_path, "ninja")
    assert "--require-hashes" in words
    assert list(packages.requirements(Path(words[-1]))) == ["ninja"]


def test_a_changed_package_is_refused(tmp_path: Path) -> None:
    """Not by us, but by pip, given the options that we give it."""
    wheel = tmp_path / "thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("thing.py", "")
        archive.writestr("thing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
        archive.writestr("thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("thing-1.0.dist-info/RECORD", "")
    lock = tmp_path / "lock.txt"
    lock.write_text(f"thing==1.0 \\\n    --hash=sha256:{'0' * 64}\n")
    options = ["--no-index", "--find-links", str(tmp_path), "--target", str(tmp_path / "into")]
    words = [sys.executable, "-m", "pip", "install", *packages._STRICT, *options, "-r", str(lock)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode != 0 and "HASH" in (done.stdout + done.stderr).upper()
    assert not (tmp_path / "into" / "thing.py").exists()
