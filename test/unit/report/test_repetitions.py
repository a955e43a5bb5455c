"""Surrealist, Tables 2 and 3: repetitions of a replication in figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.campaign.replication.replicate import Likeness
from uav_testgen.cli.main import main
from uav_testgen.core.errors import ConfigError
from uav_testgen.statistics.samples import anova_p, cohens_d, shapiro_p
from uav_testgen.view.repetitions import generation_statistics_of, generation_text, statistics_of
from uav_testgen.view.replication import disagreement

SEED = [380.0, 395.0, 371.0, 388.0, 402.0]
BEST = [61.0, 66.0, 58.0, 63.0, 70.0]


def summary(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "log": "flight", "backend": "lfs", "system": "px4", "variable": "trajectory", "unit": "m",
        "mutators": ["move"], "runs": 5, "seed": number, "seed_dtw": SEED[number], "best_dtw": BEST[number],
        "seed_frechet": 6.9, "best_frechet": 1.1, "needed_budget": 70 + number, "evaluations": 200,
        "eval_wall_s": 0.5, **changes,
    }  # fmt: skip


def test_the_figures_of_table_3() -> None:
    found = statistics_of([summary(number) for number in range(5)])
    assert found["seed_dtw"] == pytest.approx(387.2)
    assert found["best_dtw"] == pytest.approx(63.6)
    assert found["dtw_reduction_percent"] == pytest.approx(83.6, abs=0.1)
    assert found["frechet_reduction_percent"] == pytest.approx(100 * (1 - 1.1 / 6.9))
    assert found["anova_p"] < 1e-8
    assert (found["a12"], found["a12_size"]) == (1.0, "large")
    assert found["cohens_d"] > 20.0
    assert found["shapiro_p_seed"] > 0.05 and found["shapiro_p_best"] > 0.05
    assert found["needed_budget"] == 72.0
    assert found["dtw_reduction_sd"] > 0.0 and found["needed_budget_sd"] == pytest.approx(1.58, abs=0.01)


def test_every_round_is_told_and_ended_searches_keep_their_last() -> None:
    """Surrealist, section 4.4.1: the first round contributes most improvements."""
    long = [{"evaluations": 58, "best": 80.0}, {"evaluations": 117, "best": 70.0}]
    short = [{"evaluations": 40, "best": 60.0}]
    found = statistics_of(
        [summary(0, convergence=long, crash_rate=0.25), summary(1, convergence=short, crash_rate=0.75)]
    )
    first, second = found["convergence"]
    assert (first["evaluations"], first["best"], first["searching"]) == (49.0, 70.0, 2)
    assert (second["evaluations"], second["best"], second["searching"]) == (78.5, 65.0, 1)
    assert found["crash_rate"] == 0.5 and found["unsafe_rate"] is None


def test_the_figures_of_table_4() -> None:
    """Surrealist, section 4.4.2: least distance of seed and best, crash and unsafe rates."""
    rows = [
        {
            "case": "m2", "backend": "lfs", "generator": "surrealist", "settings": {}, "seed": number,
            "seed_min_dist": 3.3 + 0.05 * number, "best_min_dist": 0.0, "crash_rate": 0.25, "unsafe_rate": 0.84,
            "needed_budget": 36, "evaluations": 50, "eval_wall_s": 1.0,
        }
        for number in range(3)
    ]  # fmt: skip
    found = generation_statistics_of(rows)
    assert found["min_dist_reduction_percent"] == 100.0 and found["min_dist_reduction_sd"] == 0.0
    assert (found["crash_rate"], found["unsafe_rate"], found["a12"]) == (0.25, pytest.approx(0.84), 1.0)
    assert found["anova_p"] < 1e-4 and found["cohens_d"] > 50.0 and found["shapiro_p_best"] is None
    text = generation_text(found)
    plain = " ".join(text.split())
    for words in (
        "Seed Min_dist 3.35 m",
        "Crash Rate 25 %",
        "Unsafe Rate 84 %",
        "Min_dist Red. 100.0 % (sd 0.0)",
    ):
        assert words in plain
    with pytest.raises(ConfigError, match="differ in case"):
        generation_statistics_of([rows[0], {**rows[1], "case": "m3"}])


def test_a_measure_that_got_worse_is_said() -> None:
    """The search looks at DTW; that the Fréchet distance grew must not go unnoticed."""
    (sentence,) = disagreement(Likeness(50.0, 1.31), Likeness(40.0, 2.19))
    assert sentence.endswith("its Fréchet distance got worse: 1.31 -> 2.19")
    assert disagreement(Likeness(50.0, 1.31), Likeness(40.0, 1.2)) == []
    assert disagreement(Likeness(50.0, 1.31), Likeness(50.0, 1.31)) == []


def test_known_values() -> None:
    assert cohens_d([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]) == pytest.approx(-3.0)
    assert anova_p([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]) == pytest.approx(1.0)
    assert anova_p([1.0], [2.0]) is None
    assert cohens_d([1.0, 1.0], [2.0, 2.0]) is None
    assert shapiro_p([1.0, 2.0]) is None
    assert shapiro_p([0.0, 0.0, 0.0, 0.0, 100.0]) < 0.01  # type: ignore[operator]


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (summary(1, system="paper"), "differ in system"),
        (summary(1, seed=0), "same seed"),
    ],
)
def test_what_does_not_belong_together_is_refused(second: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        statistics_of([summary(0), second])
    with pytest.raises(ConfigError, match="at least two"):
        statistics_of([summary(0)])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "summary.json").write_text(json.dumps(summary(number)))
    folders = [str(tmp_path / str(number)) for number in range(3)]
    assert main(["statistics", *folders, "--picture", str(tmp_path / "boxes.png")]) == 0
    printed = capsys.readouterr().out
    for words in ("DTW Red.", "Shapiro-Wilk p", "ANOVA p", "A12", "Cohen's d", "Needed Budget"):
        assert words in printed
    assert (tmp_path / "boxes.png").read_bytes().startswith(b"\x89PNG")
    (tmp_path / "0" / "summary.json").write_text("{}")
    assert main(["statistics", *folders]) == 2
    assert "not the summary of a replication" in capsys.readouterr().err
