"""Every command with every kind of bad input: exit code 2, one line, nothing obeyed, nothing waited for.

A slot is a place where a command takes a file or a folder; what is put there is wrong in every way that files
can be wrong. New commands have to name their slots here.
"""

from __future__ import annotations

import gzip
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from uav_testgen.cli.main import main, sub_commands
from uav_testgen.core.config import MAX_INPUT_BYTES
from uav_testgen.core.plain_text import LONGEST_LINE
from uav_testgen.core.resources import config_folder
from uav_testgen.testing.commands import trial

SCENE = config_folder() / "scenarios" / "two_walls.yaml"
MISSION = config_folder() / "missions" / "mission2.yaml"
OUT = "{folder}/out"


@dataclass(frozen=True)
class Slot:
    """`words` start a command; {bad} is what is wrong, {folder} a place for outputs, {good} a campaign."""

    words: tuple[str, ...]
    suffix: str = ".yaml"
    inside: str = ""
    """The bad file lies here in a folder that is given as {bad}."""
    binary: bool = False
    """Not text: what is no YAML or JSON is wrong in the same way."""
    settings: bool = False
    """A file of settings: an empty one means that every value is as it is."""
    beside: tuple[str, ...] = ()
    """Files that make the rest of that folder right; sources are below the project."""

    def __str__(self) -> str:
        return " ".join(word.rsplit("/", 1)[-1] for word in self.words)[:60]


SLOTS = [
    Slot(("check", "{bad}")),
    Slot(("check", "{bad}"), ".json"),
    Slot(("check", "{bad}"), ".plan"),
    Slot(("check", str(SCENE), "--arena", "{bad}"), settings=True),
    Slot(("fly", "{bad}", "--backend", "still", "--out", OUT)),
    Slot(("fly", "{bad}", "--backend", "still", "--out", OUT), ".plan"),
    Slot(("fly", str(SCENE), "--backend", "still", "--settings", "{bad}", "--out", OUT), settings=True),
    Slot(("campaign", "{bad}", "--out", OUT)),
    Slot(("generate", "{bad}", "3", "--backend", "still", "--out", OUT)),
    Slot(("generate", "{bad}", "3", "--backend", "still", "--out", OUT), ".plan"),
    Slot(("compare", "{bad}", "--out", OUT)),
    Slot(("study", "{bad}", "--out", OUT)),
    Slot(("compare-planners", "straight", "vfh3d", "--campaign", "{bad}", "--out", OUT)),
    Slot(("confirm", "{good}", "--backend", "still", "--settings", "{bad}"), settings=True),
    Slot(("convert", "{bad}", "{folder}/out.yaml")),
    Slot(("convert", "{bad}", "{folder}/out.yaml", "--mission", "mission2"), ".world", binary=True),
    Slot(("fleet", "{bad}"), ".json"),
    Slot(("figure", "{bad}", "--out", "{folder}/out.png", "--backend", "none")),
    Slot(("scenarios", "{bad}")),
    Slot(("fly", str(SCENE), "--backend", "lfs", "--system", "{bad}", "--out", OUT), settings=True),
    Slot(("fly", str(SCENE), "--backend", "lfs", "--camera", "{bad}", "--out", OUT), settings=True),
    Slot(("certify", "{bad}", "--jobs", "0", "--out", OUT)),
    Slot(("explain", "{bad}", "--out", OUT)),
    Slot(("minimise", "{bad}", "--out", OUT)),
    Slot(("compile", "--system", "{bad}"), settings=True),
    Slot(("graph", "--dry-run", "--file", "{bad}")),
    Slot(("replay", "{bad}"), ".mcap", binary=True),
    Slot(("replicate", "{bad}", "--out", OUT), ".ulg", binary=True),
    Slot(
        ("worker", "{folder}/jobs", "--until-empty", "--backend", "still", "--settings", "{bad}"),
        settings=True,
    ),
    Slot(("as-aerialist", "--settings", "{bad}", "--out", OUT, "--", "true"), settings=True),
    Slot(("score", "{bad}"), inside="flights/001-a.json", beside=("tests/001-a.yaml",)),
    Slot(("score", "{bad}"), inside="tests/001-a.yaml", beside=("flights/001-a.json",)),
    Slot(("fidelity", "{bad}", "--jobs", "1"), inside="layouts.jsonl"),
    Slot(("calibrate", "{bad}", "--dry-run", "--jobs", "1"), inside="flights.jsonl"),
    Slot(("golden", "{bad}"), inside="stage/stage_001.json.gz", binary=True),
    Slot(("golden", "{bad}"), inside="unit/helpers.json.gz", binary=True),
    Slot(("golden", "{bad}"), inside="sequence/seq_00.json.gz", binary=True),
    Slot(("golden", "{bad}"), inside="closed_loop/loop_00.json.gz", binary=True),
    Slot(("report", "{bad}", "--jobs", "0"), inside="evaluations.jsonl"),
    Slot(("confirm", "{bad}", "--backend", "still"), inside="evaluations.jsonl"),
]
WITHOUT_INPUT = {
    "as-aerialist", "bench", "competition", "completion", "doctor", "list", "statistics", "studio",
}  # fmt: skip
"""as-aerialist takes a program, statistics and studio folders; their own suites attack what they read."""

Make = Callable[[Path], object]
TEXTS: dict[str, Make] = {
    "empty": lambda path: path.touch(),
    "noise": lambda path: path.write_bytes(bytes(range(256)) * 7),
    "a list": lambda path: path.write_text("[1, 2, 3]"),
    "a number": lambda path: path.write_text("3.5"),
    "a word": lambda path: path.write_text('"word"'),
    "null": lambda path: path.write_text("null"),
    "an object of something else": lambda path: path.write_text('{"colour": "red"}'),
    "keys that steer a terminal": lambda path: path.write_text('{"\\u001b[31m\\u202e": {"a\\nb": 1}}'),
    "a key of a megabyte": lambda path: path.write_text('{"' + "k" * 1_000_000 + '": 1}'),
    "many equal keys": lambda path: path.write_text("{" + ", ".join(['"k": 1'] * 50_000) + "}"),
    "100 k brackets": lambda path: path.write_text("[" * 100_000),
    "100 k objects": lambda path: path.write_text('{"a":' * 100_000),
    "a number beyond all": lambda path: path.write_text('{"mission": 1e999, "name": 1' + "0" * 5000 + "}"),
    "numbers to the base of 60": lambda path: path.write_text("name: " + ":".join(["1"] * 300) + ".0"),
    "a tag that would run code": lambda path: path.write_text("!!python/object/apply:os.abort []"),
    "large": lambda path: os.truncate(_touched(path), MAX_INPUT_BYTES + 1),
    "cut gzip": lambda path: path.write_bytes(gzip.compress(b'{"kind": "stage"}' * 100)[:-9]),
    "gzip of something else": lambda path: path.write_bytes(gzip.compress(b"[1, 2]")),
}
PLACES: dict[str, Make] = {
    "absent": lambda path: None,
    "a folder": lambda path: path.mkdir(),
    "a pipe": lambda path: os.mkfifo(path),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a loop of links": lambda path: path.symlink_to(path),
    "a link to nowhere": lambda path: path.symlink_to(path.with_name("nowhere")),
}
PATHS = {
    "a long name": "x" * 300,
    "a long path": "y/" * 3000 + "z",
    "a name that steers a terminal": "\x1b[31mred\n\u202e",
    "a NUL": "no\0file",
    "below a file": "{scene}/below",
}
SAYS_NOTHING = {"empty", "null"}


def _touched(path: Path) -> Path:
    path.touch()
    return path


@pytest.fixture(autouse=True, scope="module")
def bounded_memory() -> Iterator[None]:
    """A command that reads an endless device fails here, and does not take the machine with it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (6 * 1024**3, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campaign")
    assert main(["campaign", str(trial(folder, 4)), "--out", str(folder / "out"), "--jobs", "0"]) == 0
    return folder / "out"


def attempt(slot: Slot, bad: str, folder: Path, campaign: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if "{good}" in slot.words:
        shutil.copytree(campaign, folder / "good")
    values = {"bad": bad, "folder": str(folder), "good": str(folder / "good")}
    words = [word.format(**values) if "{" in word else word for word in slot.words]
    capfd.readouterr()
    try:
        code = main(words)
    except SystemExit as stop:
        code = int(stop.code or 0)
    said = capfd.readouterr().err
    assert code == 2, (code, said[-1500:])
    *_, last = said.splitlines()
    assert said.endswith("\n") and last.startswith("uav-testgen"), said[-1500:]
    assert last.isprintable() and len(last) <= LONGEST_LINE
    assert "Traceback" not in said and "unexpected" not in said and "\x1b" not in said
    assert not (folder / "out").exists(), "nothing is begun with bad input"


def spoiled(slot: Slot, make: Make, folder: Path) -> str:
    """Something wrong at the slot's place; the word for the command line."""
    if not slot.inside:
        path = folder / f"bad{slot.suffix}"
        make(path)
        return str(path)
    root = folder / "bad"
    path = root / slot.inside
    path.parent.mkdir(parents=True)
    for name in slot.beside:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SCENE, root / name)
    make(path)
    return str(root)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("slot", "content"),
    [
        pytest.param(slot, content, id=f"{slot}-{content}")
        for slot in SLOTS
        for content in TEXTS
        if not (slot.settings and content in SAYS_NOTHING)
    ],
)
def test_bad_content(
    slot: Slot, content: str, tmp_path: Path, campaign: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    attempt(slot, spoiled(slot, TEXTS[content], tmp_path), tmp_path, campaign, capfd)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("slot", SLOTS, ids=str)
def test_bad_places(
    slot: Slot, place: str, tmp_path: Path, campaign: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    attempt(slot, spoiled(slot, PLACES[place], tmp_path), tmp_path, campaign, capfd)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("slot", SLOTS, ids=str)
def test_bad_paths(
    slot: Slot, name: str, tmp_path: Path, campaign: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bad = PATHS[name].format(scene=SCENE)
    suffix = "" if slot.inside else slot.suffix
    attempt(slot, str(tmp_path / bad) + suffix, tmp_path, campaign, capfd)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["a long name", "a long path", "a NUL", "below a file"])
@pytest.mark.parametrize(
    "words",
    [
        ("fly", str(SCENE), "--backend", "still", "--out", "{bad}"),
        ("campaign", "{trial}", "--jobs", "0", "--out", "{bad}"),
        ("generate", str(MISSION), "2", "--backend", "still", "--jobs", "0", "--out", "{bad}"),
        ("worker", "{bad}", "--until-empty", "--backend", "still"),
        ("fleet", str(config_folder() / "fleet" / "package-delivery.json"), "--log", "{bad}"),
    ],
    ids=lambda words: words[0],
)
def test_bad_output_folders(
    words: tuple[str, ...], name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bad = str(tmp_path / PATHS[name].format(scene=SCENE))
    before = SCENE.read_bytes()
    values = {"bad": bad, "trial": str(trial(tmp_path, 2))}
    code = main([word.format(**values) if word.startswith("{") else word for word in words])
    said = capfd.readouterr().err
    assert code in (2, 3), said[-1000:]
    assert said.splitlines()[-1].startswith("uav-testgen: ") and said.splitlines()[-1].isprintable()
    assert "unexpected" not in said and SCENE.read_bytes() == before


def test_a_folder_without_scenarios_cannot_be_measured(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for folder in (tmp_path, tmp_path / "absent", SCENE):
        assert main(["scenarios", "--measure", str(folder)]) == 2
        assert "--measure" in capfd.readouterr().err


def test_every_command_is_swept() -> None:
    assert {slot.words[0] for slot in SLOTS} | WITHOUT_INPUT == set(sub_commands())
