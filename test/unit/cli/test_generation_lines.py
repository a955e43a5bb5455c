"""What people read while a search runs."""

from __future__ import annotations

from uav_testgen.cli._progress import describe_generation
from uav_testgen.generator.nsga2 import Nsga2Config, Nsga2Generator
from uav_testgen.testing.factories import make_evaluation, make_scenario

ROW = {
    "generation": 12,
    "evaluations": 130,
    "valid_share": 0.954,
    "best_distance_m": 0.534,
    "median_distance_m": 1.2,
    "diversity": 0.8213,
    "mean_novelty_m": 4.74,
    "max_novelty_m": 14.18,
    "mean_duration_s": 290.231,
}


def test_a_generation_fits_80_columns() -> None:
    assert describe_generation(ROW).splitlines() == [
        "generation 12: evaluations 130, valid 95 %, best distance 0.53 m,",
        "    median distance 1.20 m, diversity 0.82, mean novelty 4.74 m,",
        "    max novelty 14.18 m, mean duration 290.23 s",
    ]


def test_every_figure_of_the_search_is_shown() -> None:
    generator = Nsga2Generator(make_scenario(), Nsga2Config(population=4), seed=0)
    generator.tell([make_evaluation(number, one) for number, one in enumerate(generator.ask(4))])
    (row,) = generator.report().generations
    text = describe_generation(row)
    assert max(len(line) for line in text.splitlines()) < 80
    for word in ("valid 100 %", "best distance 1.00 m", "median distance 1.00 m", "diversity", "novelty"):
        assert word in text


def test_a_generation_without_figures_is_still_a_line() -> None:
    assert describe_generation({"generation": 3}) == "generation 3"
