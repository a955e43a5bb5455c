"""Which variables the processes of a graph get, beside what the user has set."""

from __future__ import annotations

import pytest

from uav_testgen.graph.environment import (
    PROFILE_VARIABLES,
    RANGE,
    SKIP_VARIABLE,
    UDP_PROFILE,
    ros_environment,
    settings_over,
)


def test_simulation_stays_on_this_machine() -> None:
    values = ros_environment(domain=7)
    assert (values[RANGE], values["ROS_DOMAIN_ID"]) == ("LOCALHOST", "7")
    assert all(values[name].endswith("/fastdds.xml") for name in PROFILE_VARIABLES)


def test_beside_px4_the_range_adds_no_shared_memory() -> None:
    values = ros_environment(UDP_PROFILE)
    assert values[RANGE] == "SUBNET"
    assert all(values[name].endswith("/fastdds_px4.xml") for name in PROFILE_VARIABLES)


@pytest.mark.parametrize("profile", ["fastdds.xml", UDP_PROFILE])
def test_what_the_user_has_set_counts(profile: str) -> None:
    given = {RANGE: "OFF", PROFILE_VARIABLES[0]: ""}
    assert settings_over(given, profile) == {SKIP_VARIABLE: "1"}
    given[SKIP_VARIABLE] = "0"
    assert settings_over(given, profile) == {}
    assert settings_over(given, profile, 3) == {"ROS_DOMAIN_ID": "3"}


def test_localhost_is_widened_where_the_profile_keeps_to_this_machine() -> None:
    given = {RANGE: "LOCALHOST", "ROS_LOCALHOST_ONLY": "1"}
    assert settings_over(given, UDP_PROFILE)[RANGE] == "SUBNET"
    assert settings_over(given, UDP_PROFILE)["ROS_LOCALHOST_ONLY"] == "0"
    assert RANGE not in settings_over(given)
    own = {**given, PROFILE_VARIABLES[0]: "mine.xml"}
    assert settings_over(own, UDP_PROFILE) == {SKIP_VARIABLE: "1"}, (
        "a profile of one's own may need the range it was made for"
    )


def test_a_profile_in_the_working_directory_is_not_obeyed() -> None:
    """Fast DDS reads one there besides the profile it is given; the folder may be somebody else's."""
    assert ros_environment()[SKIP_VARIABLE] == ros_environment(UDP_PROFILE)[SKIP_VARIABLE] == "1"
