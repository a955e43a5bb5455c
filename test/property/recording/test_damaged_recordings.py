"""Whatever happens to the bytes of a recording, the answer is its messages or one clear error."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcap.writer import CompressionType

from uav_testgen.core.errors import InputFileError
from uav_testgen.ros.recording_file import open_recording
from uav_testgen.testing.recordings import recording_bytes

WHOLE = recording_bytes()
PLAIN = recording_bytes(CompressionType.NONE)
QUICK = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(folder: Path, content: bytes) -> int | None:
    """Number of messages; None where the file is refused."""
    path = folder / "damaged.mcap"
    path.write_bytes(content)
    try:
        with open_recording(path) as recording:
            return sum(message.channel in recording.channels for message in recording.messages())
    except InputFileError as error:
        assert str(error).startswith(str(path))
        return None


@pytest.mark.parametrize("compression", list(CompressionType))
def test_a_whole_recording_is_read(tmp_path: Path, compression: CompressionType) -> None:
    assert read(tmp_path, recording_bytes(compression)) == 3


@QUICK
@given(length=st.integers(0, len(WHOLE) - 1))
def test_cut_anywhere(tmp_path: Path, length: int) -> None:
    assert read(tmp_path, WHOLE[:length]) is None


@QUICK
@given(
    whole=st.sampled_from([WHOLE, PLAIN]),
    changes=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=30),
)
def test_garbled_bytes(tmp_path: Path, whole: bytes, changes: list[tuple[int, int]]) -> None:
    content = bytearray(whole)
    for place, value in changes:
        content[place % len(content)] = value
    read(tmp_path, bytes(content))


@QUICK
@given(noise=st.binary(max_size=500))
def test_noise_after_a_right_beginning(tmp_path: Path, noise: bytes) -> None:
    read(tmp_path, PLAIN[:8] + noise)


@pytest.mark.parametrize(
    ("topic", "type_name"),
    [
        ("/place", "os/system"),
        ("/place", "../../evil/msg/Type"),
        ("/place", "a.b.c/msg/Type"),
        ("/pl ace\n", "geometry_msgs/msg/Point"),
        ("", "geometry_msgs/msg/Point"),
    ],
)
def test_names_that_are_no_names_are_refused(tmp_path: Path, topic: str, type_name: str) -> None:
    assert read(tmp_path, recording_bytes(topic=topic, type_name=type_name)) is None
