"""A campaign is watched while it is written; whoever holds its lock is running."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.view.studio.campaigns import Campaigns, holder_of
from uav_testgen.view.studio.folder import StudioFolder
from uav_testgen.view.studio.store_reader import StoreReader
from uav_testgen.work.lock import FolderLock
from uav_testgen.work.store import FILE_NAME, Record, encode

SCENE = load_scene("two_walls")


def evaluation(number: int, distance_m: float | None) -> dict[str, Any]:
    return {
        "number": number, "scenario": SCENE.model_dump(mode="json"), "status": "ok", "distance_m": distance_m,
        "verdicts": [{"outcome": "pass"}], "failure_probability": 0.5,
    }  # fmt: skip


def write(folder: Path, *records: tuple[str, dict[str, Any]], torn: bool = False) -> None:
    folder.mkdir(exist_ok=True)
    data = b"".join(encode(Record(seq, kind, body)) for seq, (kind, body) in enumerate(records))
    (folder / FILE_NAME).write_bytes(data[:-30] if torn else data)


HEADER = ("campaign", {"config": {"budget": {"simulations": 3}, "case": "mission2", "generator": "random"}})


def test_only_whole_lines_count_and_the_rest_follows(tmp_path: Path) -> None:
    two = (HEADER, ("evaluation", evaluation(1, 2.0)), ("evaluation", evaluation(0, 1.0)))
    write(tmp_path, *two, torn=True)
    reader = StoreReader(tmp_path)
    reader.read_on()
    assert reader.counts() == {"evaluated": 1, "flights": 1, "failures": 0, "best_m": 2.0}
    write(tmp_path, *two)
    reader.read_on()
    assert reader.counts() == {"evaluated": 2, "flights": 2, "failures": 1, "best_m": 1.0}
    assert reader.progress(100) == {
        "numbers": [0, 1],
        "distances": [1.0, 2.0],
        "failures": [1, 1],
        "best": [1.0, 1.0],
    }
    body = reader.body_of(0)
    assert body is not None and body["distance_m"] == 1.0
    write(tmp_path, HEADER)
    reader.read_on()
    assert reader.counts()["evaluated"] == 0


def test_damage_is_named_and_does_not_stop_the_watching(tmp_path: Path) -> None:
    write(tmp_path, HEADER, ("evaluation", evaluation(0, None)))
    with (tmp_path / FILE_NAME).open("ab") as store:
        store.write(b"garbage\n")
    reader = StoreReader(tmp_path)
    reader.read_on()
    assert reader.counts()["evaluated"] == 1
    assert "cannot be read" in reader.trouble


def test_the_holder_of_the_lock_is_running(tmp_path: Path) -> None:
    write(tmp_path / "search", HEADER, ("evaluation", evaluation(7, 1.2)))
    campaigns = Campaigns(StudioFolder(tmp_path))
    assert holder_of(tmp_path / "search") is None
    (found,) = campaigns.overview()
    assert (found["path"], found["state"], found["budget"]) == ("search", "stopped", 3)
    with FolderLock(tmp_path / "search"):
        assert holder_of(tmp_path / "search") == os.getpid()
        assert campaigns.overview()[0]["state"] == "running"
        with pytest.raises(ConfigError, match="is running"):
            campaigns.resume("search")
    with pytest.raises(ConfigError, match="not running"):
        campaigns.stop("search")
    assert campaigns.scene("search", 7).obstacles == SCENE.obstacles
    with pytest.raises(InputFileError, match="no evaluation 8"):
        campaigns.scene("search", 8)


@pytest.mark.parametrize("name", ["", "../x", ".hidden", "a/b", "a\nb", "x" * 100, "-rf"])
def test_names_that_are_not_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises((ConfigError, InputFileError)):
        Campaigns(StudioFolder(tmp_path)).start(name, {"case": "mission2"})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "settings",
    [
        {}, {"case": "mission2", "surprise": 1}, {"case": "mission2", "screening": {"backend": "px4"}},
        {"case": "mission2", "screening": {"settings": {"planner": "evil.py:Planner"}}},
        {"case": "mission2", "generator": "evil:Generator"}, {"case": "/etc/passwd.plan"}, {"case": "../x.plan"},
    ],
)  # fmt: skip
def test_settings_that_are_wrong_start_nothing(tmp_path: Path, settings: dict[str, Any]) -> None:
    with pytest.raises((ConfigError, InputFileError)):
        Campaigns(StudioFolder(tmp_path)).start("search", settings)
    assert not list(tmp_path.iterdir())
