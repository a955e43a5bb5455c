"""Registry: lazy loading, clear errors."""

import pytest

from uav_testgen.core.errors import ConfigError, MissingDependency
from uav_testgen.core.registry import Registry, nearest


def test_loads_on_use_and_caches() -> None:
    registry = Registry("thing", {"sqrt": "math:sqrt"})
    assert registry.names() == ["sqrt"]
    assert registry.load("sqrt")(9.0) == 3.0
    assert registry.load("sqrt") is registry.load("sqrt")


def test_unknown_name_suggests() -> None:
    registry = Registry("thing", {"prgen": "math:sqrt"})
    with pytest.raises(ConfigError, match=r"unknown thing 'pgen', did you mean 'prgen'\? Known: prgen$"):
        registry.load("pgen")
    with pytest.raises(ConfigError, match=r"unknown thing 'xyz'; known: prgen$"):
        registry.load("xyz")


def test_missing_module_says_what_to_do() -> None:
    registry = Registry("thing", {"ghost": "no_such_module_here:Class"})
    with pytest.raises(MissingDependency, match="make setup"):
        registry.load("ghost")


def test_own_parts_can_be_added() -> None:
    registry = Registry("thing", {})
    registry.add("mine", dict)
    assert registry.load("mine") is dict
    registry.add("theirs", "math:floor")
    assert registry.load("theirs")(1.5) == 1


def test_the_beginning_of_a_name_is_taken_for_it() -> None:
    names = ["max_tilt", "max_altitude", "max_speed"]
    assert nearest("max_alt", names) == ", did you mean 'max_altitude'?"
    assert nearest("max_titl", names) == ", did you mean 'max_tilt'?"
    assert nearest("zz", names) == ""


def test_what_is_nothing_like_a_name_brings_no_suggestion() -> None:
    assert nearest("nothere", ["another_way_round", "two_walls"]) == ""
    assert nearest("two_wals", ["another_way_round", "two_walls"]) == ", did you mean 'two_walls'?"
