"""StellaUAV, section V-B: logical scenarios by combining words in pairs or triples; Table III measured."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path

import pytest

from uav_testgen.core.config import parse_config, read_yaml
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.logical.covering import Factors, coverage_of, covering_array
from uav_testgen.scenario.logical.declaration import load_logical, parse_logical
from uav_testgen.scenario.logical.derivation import ABSENT, factors_of, row_to_json, scenario_to_row
from uav_testgen.scenario.logical.range_table import RangeTable, load_table


def anything(_: Mapping[int, str]) -> bool:
    return True


def table_iii() -> list[Path]:
    return sorted(config_folder("stella/scenarios").glob("scenario-*.json"))


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_an_array_covers_everything_by_brute_force(strength: int) -> None:
    factors = Factors(("a", "b", "c", "d"), (("1", "2"), ("x", "y", "z"), ("p", "q"), ("u", "v")), anything)
    rows = covering_array(factors, strength)
    for chosen in itertools.combinations(range(4), strength):
        seen = {tuple(row[factor] for factor in chosen) for row in rows}
        assert seen == set(itertools.product(*(factors.values[factor] for factor in chosen)))
    assert coverage_of(factors, rows, strength).share == 1.0


def test_what_cannot_occur_is_neither_asked_for_nor_produced() -> None:
    def not_both(chosen: Mapping[int, str]) -> bool:
        return not (chosen.get(0) == "1" and chosen.get(1) == "x")

    factors = Factors(("a", "b", "c"), (("1", "2"), ("x", "y"), ("p", "q")), not_both)
    rows = covering_array(factors, 2)
    assert not any(row[:2] == ("1", "x") for row in rows)
    assert coverage_of(factors, rows, 2).possible == 3 + 4 + 4


def test_missing_combinations_are_named() -> None:
    factors = Factors(("wind", "fog"), (("none", "strong"), ("none", "thick")), anything)
    coverage = coverage_of(factors, [("none", "none"), ("strong", "thick")], 2)
    assert (coverage.covered, coverage.possible) == (2, 4)
    assert coverage.missing == ("wind none, fog thick", "wind strong, fog none")


def test_table_iii_is_pair_wise_complete_and_not_triple_wise() -> None:
    """Table III: "a pair-wise combination of the value ranges"."""
    factors = factors_of(load_table("px4", Path()))
    rows = [scenario_to_row(factors, load_logical(path)) for path in table_iii()]
    assert len(rows) == 32
    known = [row for row in rows if row is not None]
    assert len(known) == 32
    assert coverage_of(factors, known, 2).share == 1.0
    triples = coverage_of(factors, known, 3)
    assert (triples.covered, triples.possible) == (14533, 22120)


def test_a_derived_suite_is_complete_repeatable_and_about_as_small_as_the_published() -> None:
    factors = factors_of(load_table("px4", Path()))
    rows = covering_array(factors, 2, seed=0)
    assert rows == covering_array(factors, 2, seed=0)
    assert coverage_of(factors, rows, 2).missing == ()
    assert len(rows) <= 36


def test_rows_and_files_say_the_same(tmp_path: Path) -> None:
    factors = factors_of(load_table("px4", Path()), obstacles=3, weather=["lighting"])
    for number, row in enumerate(covering_array(factors, 2)):
        data = row_to_json(factors, row, f"scenario {number}", "px4")
        logical = parse_logical(tmp_path / "x.json", data)
        assert scenario_to_row(factors, logical) == row
        assert (
            len(logical.environment.obstacles)
            == int(row[2])
            == sum(
                value != ABSENT
                for name, value in zip(factors.names, row, strict=True)
                if name.endswith("kind")
            )
        )


def test_words_of_another_table() -> None:
    table = read_yaml(config_folder("stella") / "px4.yaml")
    table["wind_kmh"] = {"none": [0, 0], "storm": [60, 90]}
    factors = factors_of(parse_config(RangeTable, table, source="x"))
    assert ("none", "storm") in factors.values
    assert scenario_to_row(factors, load_logical(table_iii()[0])) is None
    with pytest.raises(ConfigError, match="did you mean 'lighting'"):
        factors_of(load_table("px4", Path()), weather=["ligthing"])
