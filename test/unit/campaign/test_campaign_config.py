"""Campaign files: defaults, named arenas, and errors that name the field."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.campaign.case import load_case
from uav_testgen.campaign.checks import check_parts
from uav_testgen.campaign.config import CampaignConfig, changed_fields, load_campaign
from uav_testgen.campaign.generate import generate_config
from uav_testgen.core.errors import ConfigError, InputFileError, InvalidScenario
from uav_testgen.scenario.arena import Arena

pytestmark = pytest.mark.unit
SHIPPED = sorted(Path("config/campaign").glob("*.yaml"))


def written(folder: Path, text: str) -> Path:
    path = folder / "c.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_campaigns_load(path: Path) -> None:
    assert load_campaign(path).case


def test_the_seed_option_replaces_the_seed(tmp_path: Path) -> None:
    assert load_campaign(written(tmp_path, "case: mission2\nseed: 4"), seed=9).seed == 9


def test_an_arena_may_be_named(tmp_path: Path) -> None:
    assert load_campaign(written(tmp_path, "case: mission2\narena: sbft2024")).arena.max_obstacles == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("case: mission2\nbudjet: {}", "did you mean 'budget'"),
        ("case: mission2\nbudget: {simulations: 0}", "budget.simulations"),
        ("case: mission2\nbudget: {simulations: .nan}", "budget.simulations"),
        ("case: mission2\narena: sbft1999", "unknown arena"),
        ("case: mission2\nconfirmation: {backend: lfs}", "cannot confirm itself"),
        ("generator: prgen", "case"),
        ("- 1", "a mapping of settings is expected"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_campaign(written(tmp_path, text))


def test_an_unknown_part_is_found_before_the_first_flight() -> None:
    case = load_case("mission2", Path(), Arena())
    with pytest.raises(ConfigError, match="unknown generator 'prgenn', did you mean 'prgen'"):
        check_parts(generate_config("mission2", 5, "prgenn", 1, "still"), case)
    with pytest.raises(ConfigError, match="unknown backend 'stil'"):
        check_parts(generate_config("mission2", 5, "random", 1, "stil"), case)


@pytest.mark.parametrize("part", ["planner", "vehicle"])
def test_code_that_is_not_there_is_found_before_the_first_flight(part: str) -> None:
    settings = {part: "nowhere.py:Mine"}
    config = CampaignConfig.model_validate(
        {"case": "mission2", "generator": "random", "screening": {"settings": settings}}
    )
    with pytest.raises(ConfigError, match=f"{part} 'nowhere.py': no such file"):
        check_parts(config, load_case("mission2", Path(), Arena()))


def test_an_unknown_planner_is_found_before_the_first_flight() -> None:
    config = CampaignConfig.model_validate(
        {"case": "mission2", "generator": "random", "screening": {"settings": {"planner": "nosuch"}}}
    )
    with pytest.raises(ConfigError, match="unknown planner 'nosuch'"):
        check_parts(config, load_case("mission2", Path(), Arena()))


def test_a_backend_of_the_command_line_counts_instead_of_the_files(tmp_path: Path) -> None:
    path = written(tmp_path, "case: mission2\nscreening: {backend: lfs, repeats: 2}")
    screening = load_campaign(path, replaced={"backend": "still"}).screening
    assert (screening.backend, screening.repeats) == ("still", 2)


def test_wrong_backend_settings_are_found_before_the_first_flight() -> None:
    config = CampaignConfig.model_validate(
        {
            "case": "mission2",
            "generator": "random",
            "screening": {"backend": "still", "settings": {"speed": 3}},
        }
    )
    with pytest.raises(ConfigError, match="unknown key 'speed', did you mean 'speed_mps'"):
        check_parts(config, load_case("mission2", Path(), Arena()))


@pytest.mark.parametrize("generator", ["random", "prgen", "nsga2", "surrealist"])
def test_a_mission_outside_the_arena_is_refused(generator: str) -> None:
    far = load_case("mission2", Path(), Arena(east_min_m=200.0, east_max_m=260.0))
    with pytest.raises(InvalidScenario, match="no leg enters the obstacle area"):
        check_parts(generate_config("mission2", 5, generator, 1, "still"), far)


def test_changed_fields_are_named_with_both_values() -> None:
    one, other = {"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"b": 1, "c": 5}, "d": 3}
    assert changed_fields(one, other) == ["a.c: 2 -> 5"]


def test_an_unknown_case_lists_the_shipped_ones() -> None:
    with pytest.raises(InputFileError, match="did you mean 'mission2'"):
        load_case("mision2", Path(), Arena())


def test_a_wrong_formula_is_named_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "case: mission2\nrequirements:\n  - max_altitude(limit_m=12)\n  - always (distence > 1.5)\n"
    )
    with pytest.raises(ConfigError) as caught:
        load_campaign(file)
    said = str(caught.value)
    assert said.startswith(f"{file}: requirements: formula 'always (distence > 1.5)', character 9")
    assert "did you mean 'distance'" in said
