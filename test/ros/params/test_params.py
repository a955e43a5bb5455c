"""ROS parameters made from configuration objects, on a real node."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import pytest
from pydantic import Field, model_validator

pytest.importorskip("rclpy")

from rclpy.parameter import Parameter

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.errors import ConfigError
from uav_testgen.planner.vfh3d.config import PlannerConfig
from uav_testgen.ros.params import declare_config, refuse_unknown
from uav_testgen.scenario.arena import Arena


class Colour(str, Enum):
    RED = "red"
    BLUE = "blue"


class Inner(RoomConfig):
    gain: float = Field(default=1.5, ge=0.0, le=3.0, description="Gain [1]")


class Sample(RoomConfig):
    speed_mps: float = Field(default=2.0, gt=0.0, description="Speed [m/s]")
    limit_m: float | None = Field(default=None, ge=0.0, description="Limit [m]")
    count: int = Field(default=3, ge=1, le=9, description="Count [1]")
    active: bool = Field(default=True, description="Whether it acts")
    colour: Colour = Field(default=Colour.RED, description="Colour")
    corner_m: tuple[float, float] = Field(default=(1.0, 2.0), description="Corner [m]")
    inner: Inner = Inner()

    @model_validator(mode="after")
    def _blue_is_slow(self) -> Sample:
        if self.colour is Colour.BLUE and self.speed_mps > 5.0:
            raise ValueError("blue must not be faster than 5 m/s")
        return self


Maker = Callable[..., Any]


def given(**values: Any) -> dict[str, Any]:
    names = {"inner_gain": "inner.gain"}
    return {
        "parameter_overrides": [Parameter(names.get(key, key), value=value) for key, value in values.items()]
    }


@pytest.mark.parametrize("model", [Sample, PlannerConfig, Arena])
def test_defaults_come_back(make_node: Maker, model: type[RoomConfig]) -> None:
    assert declare_config(make_node("node"), model) == model()


def test_given_values_come_back(make_node: Maker) -> None:
    values = given(
        speed_mps=4.0, limit_m=7.0, count=5, active=False, colour="blue", corner_m=[3.0, 4.0], inner_gain=0.5
    )
    config = declare_config(make_node("node", **values), Sample)
    assert config == Sample(
        speed_mps=4.0,
        limit_m=7.0,
        count=5,
        active=False,
        colour=Colour.BLUE,
        corner_m=(3.0, 4.0),
        inner=Inner(gain=0.5),
    )


def test_defaults_may_be_replaced(make_node: Maker) -> None:
    mine = Sample(count=7, inner=Inner(gain=2.5))
    assert declare_config(make_node("node"), Sample, defaults=mine, prefix="sample") == mine


def test_range_and_description_are_declared(make_node: Maker) -> None:
    node = make_node("node")
    declare_config(node, Sample, prefix="sample")
    gain = node.describe_parameter("sample.inner.gain")
    assert gain.description == "Gain [1]"
    assert (gain.floating_point_range[0].from_value, gain.floating_point_range[0].to_value) == (0.0, 3.0)
    count = node.describe_parameter("sample.count")
    assert (count.integer_range[0].from_value, count.integer_range[0].to_value) == (1, 9)
    assert "red, blue" in node.describe_parameter("sample.colour").additional_constraints
    assert node.describe_parameter("sample.count").read_only


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"count": 99}, "count"),
        ({"count": 2.5}, "count .*must be of type int"),
        ({"speed_mps": 4}, r"speed_mps .*must be of type float \(a decimal number needs its point: 5.0\)"),
        ({"speed_mps": -1.0}, "speed_mps"),
        ({"speed_mps": float("nan")}, "speed_mps"),
        ({"colour": "green"}, "colour: Input should be 'red' or 'blue'"),
        ({"colour": "blue", "speed_mps": 9.0}, "blue must not be faster"),
        ({"inner_gain": 4.0}, "inner.gain"),
    ],
)
def test_wrong_values_name_the_parameter(make_node: Maker, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        declare_config(make_node("node", **given(**values)), Sample)


def test_field_without_default_is_a_mistake_of_ours(make_node: Maker) -> None:
    class Incomplete(RoomConfig):
        needed: float

    with pytest.raises(TypeError, match=r"Incomplete\.needed has no default"):
        declare_config(make_node("node"), Incomplete)


def test_a_misspelt_parameter_is_refused_with_the_right_name(make_node: Maker) -> None:
    node = make_node("node", **given(speed_mpss=4.0))
    declare_config(node, Sample)
    with pytest.raises(ConfigError, match=r"/node: unknown parameter 'speed_mpss', did you mean 'speed_mps'"):
        refuse_unknown(node)
    good = make_node("other", **given(speed_mps=4.0))
    declare_config(good, Sample)
    refuse_unknown(good)
