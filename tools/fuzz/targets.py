"""Every parser of the project as a function of bytes, with good examples to start from.

A parser either gives a value or raises one of our errors. Anything else that comes out is a crash.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent))

from meaning_targets import MEANING_TARGETS
from target import ROOT, Target

if TYPE_CHECKING:
    from uav_testgen.scenario.model import Scenario

CONFIG = ROOT / "config"


def _through_a_file(name: str, read: Callable[[Path], object]) -> Callable[[bytes], None]:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))

    def check(data: bytes) -> None:
        path = folder / name
        path.write_bytes(data)
        read(path)

    return check


def _files(pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(CONFIG.glob(pattern))]


def scenario() -> Target:
    """Our own scenario file and Aerialist's test file, as YAML."""
    from uav_testgen.scenario.feasibility import problems
    from uav_testgen.scenario.formats.aerialist_write import aerialist_document
    from uav_testgen.scenario.formats.scenario_file import load_scenario
    from uav_testgen.testing.factories import make_box, make_scenario

    example = make_scenario(make_box())
    seeds = [
        json.dumps(example.model_dump(mode="json")).encode(),
        json.dumps(aerialist_document(example, "mission2.plan")).encode(),
        *_files("scenarios/*.yaml"),
        *_files("missions/*.yaml"),
    ]
    return Target(_through_a_file("case.yaml", lambda path: problems(load_scenario(path))), seeds)


def plan() -> Target:
    """QGroundControl's plan."""
    from uav_testgen.scenario.formats.missions import mission_names, named_mission
    from uav_testgen.scenario.formats.plan_file import load_plan, plan_data

    seeds = [json.dumps(plan_data(named_mission(name))).encode() for name in mission_names()]
    return Target(_through_a_file("case.plan", load_plan), seeds)


def _decode_corners(stage: Scenario) -> None:
    """Some instances of a logical scenario: what was accepted must have a meaning in every corner."""
    import numpy as np

    from uav_testgen.scenario.logical.space import LogicalSpace

    space = LogicalSpace(stage)
    for share in (0.0, 0.37, 1.0):
        space.decode(np.full(space.dimension, share))


def logical() -> Target:
    """A logical scenario, down to its instances."""
    from uav_testgen.core.config import read_yaml
    from uav_testgen.scenario.logical.stage import load_stage

    def read(path: Path) -> None:
        _decode_corners(load_stage(path, read_yaml(path)))

    return Target(_through_a_file("case.json", read), _files("stella/scenarios/*.json"))


def ranges() -> Target:
    """A range table, under logical scenarios that use all of it: landforms, forms, sizes, winds and fogs."""
    from uav_testgen.scenario.logical.declaration import find_logical, load_logical
    from uav_testgen.scenario.logical.range_table import load_table
    from uav_testgen.scenario.logical.stage import stage

    names = ("scenario-01", "scenario-04", "scenario-07", "scenario-13", "scenario-19")
    situations = [load_logical(find_logical(name, CONFIG)) for name in names]

    def read(path: Path) -> None:
        table = load_table(path.name, path.parent)
        for situation in situations:
            _decode_corners(stage(situation, table))

    return Target(_through_a_file("case.yaml", read), _files("stella/*.yaml"))


def fleet() -> Target:
    """A fleet scenario."""
    from uav_testgen.fleet.scenario import load_fleet_scenario

    return Target(_through_a_file("case.json", load_fleet_scenario), _files("fleet/*.json"))


def campaign() -> Target:
    """The settings of a campaign."""
    from uav_testgen.campaign.config import load_campaign

    return Target(_through_a_file("case.yaml", load_campaign), _files("campaign/*.yaml"))


def profile() -> Target:
    """Planner profiles, as far as the types they name."""
    from uav_testgen.graph.planner_profile import Frames, load_profile
    from uav_testgen.ros.adapter.answers import AnswerReader
    from uav_testgen.ros.adapter.place import Places
    from uav_testgen.sensing.camera import CameraConfig

    places = Places(Frames(), CameraConfig())

    def read(path: Path) -> None:
        AnswerReader(load_profile(str(path)).from_planner, places, path.name)

    return Target(_through_a_file("p.yaml", read), _files("planner_profiles/[pt]*.yaml"))


def requirement() -> Target:
    """Requirements as text: formulas, and names with arguments. Code is never loaded."""
    from uav_testgen.core.plugin import is_plugin
    from uav_testgen.oracle.requirement import make_requirement, split_text

    def check(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        if not is_plugin(split_text(text)[0]):
            make_requirement(text)

    seeds = (
        "always (distance > 1.5)",
        "eventually[0, 20 s] (speed < 2 and not (altitude > 12 m)) until[1, 3] (abs(yaw_rate) < 1)",
        "max_altitude(limit_m=12)",
        "formula(text='historically[0, 2] (clearance > 0.5)')",
    )
    return Target(check, [text.encode() for text in seeds])


def study() -> Target:
    """The settings of a study."""
    from uav_testgen.campaign.study.config import StudyConfig
    from uav_testgen.core.config import load_config

    return Target(
        _through_a_file("case.yaml", lambda path: load_config(StudyConfig, path)), _files("study/*.yaml")
    )


def store() -> Target:
    """A campaign's memory: what is read back must be what was written."""
    from uav_testgen.work.store import FILE_NAME, Record, Store, encode

    def read(path: Path) -> None:
        for record in Store(path.parent).read():
            assert isinstance(record.body, dict)

    lines = [encode(Record(n, "evaluation", {"number": n, "x": [1.5, None, "a"]})) for n in range(3)]
    return Target(_through_a_file(FILE_NAME, read), [b"".join(lines)])


def ulog() -> Target:
    """PX4's flight log."""
    import math

    from uav_testgen.flight.ulog.reader import read_log
    from uav_testgen.testing.factories import make_trajectory
    from uav_testgen.testing.flight_logs import log_bytes

    points = [(0.2 * k, 0.1 * k, 5.0 * math.sin(math.pi * k / 39.0)) for k in range(40)]
    read = _through_a_file("case.ulg", lambda path: read_log(path, accept_cut=True))
    return Target(read, [log_bytes(make_trajectory(points))])


def mcap() -> Target:
    """A recording."""
    from mcap.writer import CompressionType

    from uav_testgen.ros.recording_file import open_recording
    from uav_testgen.testing.recordings import recording_bytes

    def read(path: Path) -> None:
        with open_recording(path) as recording:
            for message in recording.messages():
                assert message.channel in recording.channels

    seeds = [recording_bytes(compression) for compression in CompressionType]
    return Target(_through_a_file("case.mcap", read), seeds)


def messages() -> Target:
    """Messages as they come over the wire; the first byte says which one it is."""
    from nav_msgs.msg import Odometry
    from rclpy.serialization import deserialize_message, serialize_message
    from sensor_msgs.msg import PointCloud2
    from uav_testgen_msgs.msg import Flight, FlightStep, Scenario, Setpoint, Verdict

    from uav_testgen.ros.convert.cloud import cloud_from_msg
    from uav_testgen.ros.convert.flight import flight_from_msg, verdict_from_msg
    from uav_testgen.ros.convert.motion import check_step, image_motion_from_step, motion_from_msgs
    from uav_testgen.ros.convert.scenario import scenario_from_msg, scenario_to_msg
    from uav_testgen.ros.convert.setpoint import setpoint_from_msg
    from uav_testgen.testing.factories import make_box, make_scenario

    def step(message: FlightStep) -> None:
        check_step(message)
        image_motion_from_step(message)

    readers: list[tuple[type, Callable[[object], object]]] = [
        (Scenario, scenario_from_msg),
        (Flight, flight_from_msg),
        (Verdict, verdict_from_msg),
        (Odometry, motion_from_msgs),
        (PointCloud2, cloud_from_msg),
        (FlightStep, step),
        (Setpoint, setpoint_from_msg),
    ]

    def check(data: bytes) -> None:
        if not data:
            return
        kind, read = readers[data[0] % len(readers)]
        try:
            message = deserialize_message(data[1:], kind)
        except Exception:
            return  # the middleware refuses it before we see it
        read(message)

    examples = [scenario_to_msg(make_scenario(make_box())), *(kind() for kind, _ in readers[1:])]
    return Target(check, [bytes([n]) + serialize_message(one) for n, one in enumerate(examples)])


TARGETS: dict[str, Callable[[], Target]] = {
    function.__name__: function
    for function in (
        scenario,
        plan,
        logical,
        ranges,
        fleet,
        campaign,
        profile,
        requirement,
        study,
        store,
        ulog,
        mcap,
        messages,
    )
} | MEANING_TARGETS
