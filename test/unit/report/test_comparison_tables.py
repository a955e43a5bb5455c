"""Tables of a comparison from made-up runs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from uav_testgen.campaign.compare.cell import CellResult
from uav_testgen.campaign.compare.config import CompareConfig, cell_campaign, cells, scenario_files
from uav_testgen.campaign.compare.runner import ComparisonResult
from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.view.comparison import comparison_data, short_name
from uav_testgen.view.comparison_text import markdown, table_csv, tables
from uav_testgen.view.publish_comparison import publish_comparison
from uav_testgen.view.tables_page import tables_page


def run_of(scenario: str, algorithm: str, repetition: int, margins: list[float | None]) -> CellResult:
    measured = [margin for margin in margins if margin is not None]
    return CellResult(
        scenario=scenario,
        algorithm=algorithm,
        repetition=repetition,
        seed=repetition,
        evaluations=len(margins),
        violations=sum(margin < 0.0 for margin in measured),
        best_margin_m=min(measured, default=None),
        margins_m=tuple(margins),
        flight_cpu_s=8.0,
        search_cpu_s=2.0,
        end_reason="done",
        worst=None,
    )


def made(tmp_path: Path) -> ComparisonResult:
    config = CompareConfig(
        scenarios=("scenario-01", "static-5"), algorithms=("nsga2", "pso+nsga2+pso"), repetitions=3
    )
    runs = [
        run_of("scenario-01", "nsga2", 1, [-0.5, 1.0, None]),
        run_of("scenario-01", "nsga2", 2, [-0.2, -0.1, 0.3]),
        run_of("scenario-01", "nsga2", 3, [0.4]),
        run_of("static-5", "nsga2", 1, [1.0]),
        run_of("static-5", "nsga2", 2, [2.0]),
        run_of("static-5", "nsga2", 3, [3.0]),
        *(run_of("scenario-01", "pso+nsga2+pso", k, [-0.8]) for k in (1, 2, 3)),
        *(run_of("static-5", "pso+nsga2+pso", k, [0.5 * k]) for k in (1, 2, 3)),
    ]
    return ComparisonResult(config, tmp_path, tuple(runs), (), {"python": "3"}, ())


def test_violations_per_run(tmp_path: Path) -> None:
    rows = {(r["algorithm"], r["scenario"]): r for r in comparison_data(made(tmp_path))["violations"]}
    row = rows["nsga2", "scenario-01"]
    assert row["violations"] == [1, 2, 0]
    assert (row["mean"], row["median"], row["best_margin_m"]) == (1.0, 1, -0.5)
    assert row["without_fitness"] == [1, 0, 0]
    assert row["published_median"] == 104
    assert rows["pso+nsga2+pso", "scenario-01"]["published_mean"] is None


def test_performance_against_the_baseline(tmp_path: Path) -> None:
    data = comparison_data(made(tmp_path))
    rows = {(r["algorithm"], r["scenario"]): r for r in data["performance"]}
    # Pooled best values: base -0.5 -0.2 0.4 1 2 3 (median 0.7), ours -0.8 x3 and 0.5 1 1.5 (median -0.15).
    pooled = rows["pso+nsga2+pso", None]
    assert pooled["median_m"] == pytest.approx(-0.15)
    assert pooled["performance_percent"] == pytest.approx(100.0 * 0.85 / 0.7)
    # -0.8 beats all six (18 pairs); 0.5 beats 3; 1 beats 2 and ties 1; 1.5 beats 2: 25.5 of 36.
    assert pooled["a12"] == pytest.approx(25.5 / 36.0)
    assert pooled["effect"] == "medium"
    assert pooled["published"] == {"performance_percent": 20, "p": 0.01, "a12": 0.57}
    assert rows["nsga2", None]["effect"] == "baseline"
    assert rows["pso+nsga2+pso", "scenario-01"]["a12"] == 1.0
    assert data["cost"][0]["search_share"] == pytest.approx(0.2)


def test_text_of_the_tables(tmp_path: Path) -> None:
    data = comparison_data(made(tmp_path))
    text = markdown(data)
    assert "| NSGAII | scenario-01 | 1 | 2 | 0 | 1.0 | 1.0 |" in text
    assert "| PNP | 6 | -0.150 | +121 % |" in text
    assert "predictions" in text
    rows = list(csv.reader(io.StringIO(table_csv(tables(data)[1]))))
    assert len({len(row) for row in rows}) == 1
    assert not any(cell.startswith("+") for row in rows for cell in row)


def test_everything_is_published(tmp_path: Path) -> None:
    publish_comparison(made(tmp_path))
    for name in (
        "violations.csv",
        "performance.csv",
        "runs.csv",
        "report.md",
        "report.html",
        "comparison.json",
    ):
        assert (tmp_path / name).stat().st_size > 100, name
    assert (tmp_path / "plots" / "best-margin.png").read_bytes().startswith(b"\x89PNG")


def test_names_are_escaped_in_the_page(tmp_path: Path) -> None:
    data = comparison_data(made(tmp_path))
    hostile = "<script>alert(1)</script>"
    text = tables_page(hostile, "comparison", [hostile], tables(data), [])
    assert "<script" not in text and text.count("&lt;script&gt;") == 3


def test_the_page_has_the_design_of_the_report(tmp_path: Path) -> None:
    publish_comparison(made(tmp_path))
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    style = (Path(tables_page.__code__.co_filename).parent / "page" / "page.css").read_text(encoding="utf-8")
    assert style in text and "@media (prefers-color-scheme: dark) { :root {" in text
    assert '<th scope="col">algorithm</th>' in text and '<td class="num">' in text


def test_short_names() -> None:
    assert [short_name(n) for n in ("nsga2", "bo", "pso+nsga2+pso", "bo+pso+bo")] == [
        "NSGAII",
        "BO",
        "PNP",
        "BPB",
    ]


def test_the_matrix() -> None:
    config = parse_config(
        CompareConfig, {"scenarios": ["scenario-02", "static-5"], "algorithms": ["published"]}, source="x"
    )
    assert len(config.algorithms) == 15
    matrix = cells(config)
    assert len(matrix) == 2 * 15 * 3
    assert len({cell.folder for cell in matrix}) == len(matrix)
    seeds = {cell_campaign(config, cell, "case").seed for cell in matrix}
    assert len(seeds) == len(matrix)
    combined = next(cell for cell in matrix if "+" in cell.algorithm)
    settings = cell_campaign(config, combined, "case").generator_settings["settings"]
    assert settings == {"size": 50, "evaluations": 500}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"algorithms": ["nsga9"], "baseline": "nsga9"}, "'nsga9' is unknown; known are"),
        ({"algorithms": ["pso"]}, "baseline: 'nsga2' is not one of the algorithms"),
        ({"algorithms": ["nsga2", "nsga2"]}, "only once"),
        ({"scenarios": []}, "at least 1"),
        ({"repetitions": 0}, "repetitions"),
        ({"sceanrios": ["a"]}, "did you mean 'scenarios'"),
    ],
)
def test_wrong_settings(change: dict, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        parse_config(CompareConfig, {"scenarios": ["static-5"], **change}, source="compare.yaml")


def test_unknown_and_doubled_scenarios(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="did you mean 'static-5'"):
        scenario_files(CompareConfig(scenarios=("static5",)), tmp_path)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one.json").write_text("{}")
    with pytest.raises(ConfigError, match="same name"):
        scenario_files(CompareConfig(scenarios=("a/one.json", "b/one.json")), tmp_path)


@pytest.mark.parametrize("name", ["table4", "table4-reduced", "table5", "quick"])
def test_shipped_comparisons_are_valid(name: str) -> None:
    from uav_testgen.core.config import load_config
    from uav_testgen.core.resources import config_folder

    config = load_config(CompareConfig, config_folder("compare") / f"{name}.yaml")
    assert len(scenario_files(config, Path())) == len(config.scenarios)
