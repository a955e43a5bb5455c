"""Whatever is in a planner profile, reading it gives a profile or one of our errors in one line."""

from __future__ import annotations

import contextlib
from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.core.resources import config_folder
from uav_testgen.graph.planner_profile import PlannerProfile, load_profile, profile_names

KEYS = [
    "time", "mode", "speed", "frames", "world", "to_planner", "goal", "cloud", "depth", "topic", "type", "fields",
    "constants", "from_planner", "position", "path", "only_if", "state", "reset", "service", "limits", "answer_s",
]  # fmt: skip
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        ["wall", "nav_msgs/Path", "os/Path", "../x/Y", "a" * 500, "/", "//", "a[].b", "a[99999999999]", "-"]
    ),
)
nasty = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=12,
)


def read(path: Path) -> None:
    try:
        assert isinstance(load_profile(str(path)), PlannerProfile)
    except UavTestgenError as error:
        assert str(path) in str(error)


@settings(max_examples=80)
@given(data=nasty)
def test_any_data(data: object, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path_factory.getbasetemp() / "hostile.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    read(path)


@settings(max_examples=60)
@given(name=st.sampled_from(profile_names()), key=st.sampled_from(KEYS), value=nasty)
def test_a_good_profile_with_one_wrong_value(name: str, key: str, value: object, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    data = yaml.safe_load((config_folder("planner_profiles") / f"{name}.yaml").read_text(encoding="utf-8"))

    def spoil(place: object) -> None:
        for inner, content in list(place.items()) if isinstance(place, dict) else ():
            if inner == key:
                place[inner] = value  # type: ignore[index]
            else:
                spoil(content)

    spoil(data)
    path = tmp_path_factory.getbasetemp() / "spoilt.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    read(path)


@settings(max_examples=40)
@given(data=st.binary(max_size=200))
def test_any_bytes(data: bytes, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path_factory.getbasetemp() / "bytes.yaml"
    path.write_bytes(data)
    with contextlib.suppress(UavTestgenError):
        load_profile(str(path))
