"""Our px4_msgs subset reads what a real PX4 1.16 wrote, byte for byte."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

px4 = pytest.importorskip("px4_msgs.msg")

from mcap.reader import make_reader  # noqa: E402
from mcap_ros2.decoder import DecoderFactory  # noqa: E402
from rclpy.serialization import deserialize_message, serialize_message  # noqa: E402

OURS = sorted(path.stem for path in Path(__file__).parents[3].glob("interfaces/px4_msgs/msg/*.msg"))
PER_TOPIC = 20


@pytest.fixture(scope="module")
def recorded(shared_data: Path) -> dict[str, list[tuple[bytes, Any]]]:
    """Per message type: raw bytes and the values decoded with the schema stored in the recording."""
    found: dict[str, list[tuple[bytes, Any]]] = {}
    files = sorted((shared_data / "px4").glob("*.mcap"))
    if not files:
        pytest.skip("no PX4 recordings in ../shared/px4")
    for file in files:
        with file.open("rb") as stream:
            reader = make_reader(stream, decoder_factories=[DecoderFactory()])
            for schema, _, message, decoded in reader.iter_decoded_messages():
                rows = found.setdefault(schema.name.split("/")[-1], [])
                if len(rows) < PER_TOPIC:
                    rows.append((message.data, decoded))
    return found


@pytest.fixture(scope="module")
def schemas(shared_data: Path) -> dict[str, str]:
    """Message definitions stored in the recordings."""
    texts: dict[str, str] = {}
    for file in sorted((shared_data / "px4").glob("*.mcap")):
        with file.open("rb") as stream:
            summary = make_reader(stream).get_summary()
            assert summary is not None
            for schema in summary.schemas.values():
                texts[schema.name.split("/")[-1]] = schema.data.decode()
    return texts


def fields(definition: str) -> list[tuple[str, str]]:
    lines = [line.split("#")[0].strip() for line in definition.splitlines()]
    return [(kind, name) for kind, name in (line.split() for line in lines if line and "=" not in line)]


# Hashes over all fields, as PX4 1.16 has them built in: for messages that nobody recorded, and the check of
# the formula on some that were.
HASHES = {
    "ArmingCheckReply": 65702502,
    "ArmingCheckRequest": 2071694766,
    "Event": 2076212785,
    "FailsafeFlags": 977873347,
    "MessageFormatRequest": 618794167,
    "MessageFormatResponse": 1621134381,
    "ModeCompleted": 3073390519,
    "OffboardControlMode": 804464992,
    "RegisterExtComponentReply": 1062872879,
    "RegisterExtComponentRequest": 902686241,
    "TrajectorySetpoint": 4128550110,
    "UnregisterExtComponent": 1478728617,
    "VehicleCommand": 3416593583,
    "VehicleCommandAck": 2759281150,
    "VehicleLandDetected": 1278272063,
    "VehicleLocalPosition": 1363268343,
    "VehicleOdometry": 988836982,
    "VehicleStatus": 4151966309,
}


@pytest.mark.parametrize("name", sorted(set(OURS) - set(HASHES)))
def test_definition_has_the_same_fields(name: str, schemas: dict[str, str], project_root: Path) -> None:
    ours = (project_root / "interfaces" / "px4_msgs" / "msg" / f"{name}.msg").read_text(encoding="utf-8")
    assert name in schemas, f"{name} was not recorded"
    assert fields(ours) == fields(schemas[name])


@pytest.mark.parametrize("name", HASHES)
def test_definition_has_the_hash_px4_tells(name: str) -> None:
    from uav_testgen.ros.px4.formats import message_hashes

    assert HASHES[name] in message_hashes(getattr(px4, name))


def test_recorded_bytes_are_understood(recorded: dict[str, list[tuple[bytes, Any]]]) -> None:
    checked = []
    for name in OURS:
        kind = getattr(px4, name)
        for raw, decoded in recorded.get(name, []):
            message = deserialize_message(raw, kind)
            for field in kind.get_fields_and_field_types():
                assert same(getattr(message, field), getattr(decoded, field)), f"{name}.{field}"
            assert deserialize_message(serialize_message(message), kind) is not None
            checked.append(name)
    assert {"VehicleOdometry", "VehicleStatus", "VehicleLocalPosition"} <= set(checked)


def same(ours: Any, theirs: Any) -> bool:
    if hasattr(ours, "__len__") and not isinstance(ours, str):
        return len(ours) == len(theirs) and all(same(a, b) for a, b in zip(ours, theirs, strict=True))
    if isinstance(theirs, float) and math.isnan(theirs):
        return math.isnan(ours)
    return bool(ours == theirs)
