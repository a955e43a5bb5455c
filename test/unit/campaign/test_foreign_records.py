"""Stores that were not damaged but hold what no campaign writes: one sentence, no crash, no waiting."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.errors import StoreError
from uav_testgen.testing.commands import trial
from uav_testgen.work.store import FILE_NAME, Record, Store, encode

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campaign")
    out = folder / "out"
    assert main(["campaign", str(trial(folder, 8)), "--out", str(out), "--jobs", "0"]) == 0
    return out


def forged(finished: Path, folder: Path, kind: str, change: Change) -> Path:
    """A copy whose records of one kind are changed and get a right checksum."""
    out = folder / "out"
    shutil.copytree(finished, out)
    with (out / FILE_NAME).open("wb") as stream:
        for record in Store(finished).read():
            body = json.loads(json.dumps(record.body))
            if record.kind == "finished":
                continue  # so that the campaign is read to its end
            if record.kind == kind:
                change(body)
            stream.write(encode(Record(record.seq, record.kind, body)))
    return out


def flat(zeros: int) -> str:
    """A packed trajectory of nothing but NaN."""
    import base64
    import zlib

    import numpy as np

    return base64.b64encode(zlib.compress(np.full(8 * zeros, np.nan, "<f4").tobytes())).decode()


EVALUATION: dict[str, Change] = {
    "no number": lambda body: body.pop("number"),
    "a number that is none": lambda body: body.update(number="seven"),
    "an endless number": lambda body: body.update(number=1e308),
    "elapsed_s is a list": lambda body: body.update(elapsed_s=[1]),
    "no scenario": lambda body: body.update(scenario=None),
    "verdicts are a word": lambda body: body.update(verdicts="pass"),
    "a distance in words": lambda body: body["verdicts"][0].update(min_distance_aerialist_m="near"),
    "fewer distances than verdicts": lambda body: body["distances_m"].pop(),
    "a verdict without duration": lambda body: body["verdicts"][0].update(duration_s=None),
    "an index in words": lambda body: body["verdicts"][0].update(obstacle_index="first"),
    "a probability in words": lambda body: body.update(failure_probability="often"),
    "a trajectory that is not compressed": lambda body: body.update(trajectory="aaaa"),
    "a trajectory of nothing": lambda body: body.update(trajectory=flat(4)),
    "details are a number": lambda body: body.update(details=3),
    "flights in words": lambda body: body["details"].update(flights="many"),
}
HEADER: dict[str, Change] = {
    "no settings": lambda body: body.pop("config"),
    "settings are a word": lambda body: body.update(config="random"),
    "scenario is a list": lambda body: body.update(base_scenario=[]),
    "nothing at all": lambda body: body.clear(),
}


@pytest.mark.parametrize("command", ["campaign", "report"])
@pytest.mark.parametrize(
    ("kind", "change"),
    [("evaluation", change) for change in EVALUATION.values()]
    + [("campaign", change) for change in HEADER.values()],
    ids=[*EVALUATION, *HEADER],
)
def test_a_forged_record_is_refused_in_one_line(
    finished: Path,
    tmp_path: Path,
    kind: str,
    change: Change,
    command: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = forged(finished, tmp_path, kind, change)
    words = ["report", str(out), "--jobs", "0"]
    if command == "campaign":
        words = ["campaign", str(trial(tmp_path, 8)), "--out", str(out), "--resume", "--jobs", "0"]
    capsys.readouterr()
    assert main(words) == 2
    said = capsys.readouterr().err
    assert FILE_NAME in said.splitlines()[-1] and "unexpected" not in said


@pytest.mark.parametrize("what", ["pipe", "device", "folder"])
def test_a_store_is_a_regular_file(tmp_path: Path, what: str) -> None:
    path = tmp_path / FILE_NAME
    if what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(StoreError, match=FILE_NAME), Store(tmp_path) as store:
        store.open()
    with pytest.raises(StoreError, match=FILE_NAME):
        list(Store(tmp_path).read())


def test_a_lock_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    from uav_testgen.work.lock import FolderLock

    (tmp_path / "precious").write_text("keep me")
    (tmp_path / ".lock").symlink_to(tmp_path / "precious")
    with pytest.raises(StoreError, match="cannot be written to"), FolderLock(tmp_path):
        pass
    assert (tmp_path / "precious").read_text() == "keep me"
