"""`uav-testgen confirm` with workers behind a shared folder, as a user runs it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from uav_testgen.cli.main import main
from uav_testgen.testing.commands import trial

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campaign")
    assert main(["campaign", str(trial(folder)), "--out", str(folder / "out"), "--jobs", "0"]) == 0
    return folder / "out"


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Path]:
    """A job folder with two workers that fly blindly, but not quite where they should."""
    (tmp_path / "drift.yaml").write_text("drift_m: 12.0\n")
    command = [sys.executable, "-m", "uav_testgen.cli.main", "worker", str(tmp_path / "jobs")]
    options = ["--backend", "still", "--settings", str(tmp_path / "drift.yaml")]
    workers = [
        subprocess.Popen([*command, *options, "--name", name], stdout=subprocess.PIPE, text=True)
        for name in ("one", "two")
    ]
    yield tmp_path / "jobs"
    for worker in workers:
        worker.send_signal(signal.SIGTERM)
        worker.communicate(timeout=60)


def confirm(campaign: Path, jobs: Path, *options: str) -> dict[str, Any]:
    settings = jobs.parent / "folder.yaml"
    settings.write_text(yaml.safe_dump({"folder": str(jobs), "timeout_s": 120.0}))
    words = ["confirm", str(campaign), "--backend", "folder", "--settings", str(settings)]
    assert main([*words, "--tests", "3", "--jobs", "2", "--json", *options]) == 0
    found: dict[str, Any] = json.loads((campaign / "summary.json").read_text())
    return found


def test_confirmation_is_added_to_the_report(
    campaign: Path, jobs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = confirm(campaign, jobs, "--runs", "2")
    agreement = summary["agreement"]
    assert (agreement["backend"], agreement["flights"], agreement["not_flown"]) == ("folder", 6, 0)
    table = agreement["confusion"]
    assert sum(table.values()) == 6
    assert table["only_confirmed"] == table["both_pass"] == 0, "only predicted failures are ranked"
    assert agreement["agreement"] == pytest.approx(table["both_fail"] / 6)
    assert agreement["mean_absolute_error_m"] > 0.0, "the drift shows"
    places = {True: 0, None: 1, False: 2}
    order = [places[test["confirmed"]] for test in summary["tests"]]
    assert order == sorted(order), "confirmed first, refuted last"
    page = (campaign / "report.html").read_text()
    assert "Confusion table" in page and "confirmed_distances_m" in page
    done = len(list((jobs / "results").glob("*.json")))
    assert done == 6

    again = confirm(campaign, jobs, "--runs", "2")
    assert len(list((jobs / "results").glob("*.json"))) == done, "what was flown stays flown"
    assert again["agreement"] == agreement

    capsys.readouterr()
    assert main(["report", str(campaign), "--jobs", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agreement"] == agreement, "the report keeps it"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--backend", "still"], "cannot confirm itself"),
        (["--backend", "px5"], "unknown backend"),
        (["--backend", "graph", "--start", "px4"], "--start goes with --backend px4"),
    ],
)
def test_wishes_that_cannot_be(
    options: list[str], words: str, campaign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["confirm", str(campaign), *options]) == 2
    assert words in capsys.readouterr().err


def test_no_campaign_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["confirm", str(tmp_path), "--backend", "graph"]) == 2
    assert "no campaign here" in capsys.readouterr().err
