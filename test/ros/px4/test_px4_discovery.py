"""An agent that knows nothing of our settings is found, and no shared memory is used on our side."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from uav_testgen.core.resources import config_folder
from uav_testgen.graph.environment import PROFILE_VARIABLES, RANGE, UDP_PROFILE, settings_over

from .conftest import FAKE

LOCALHOST_ONLY = """
<profiles xmlns="http://www.eprosima.com/XMLSchemas/fastRTPS_Profiles">
  <transport_descriptors>
    <transport_descriptor>
      <transport_id>udp_localhost</transport_id>
      <type>UDPv4</type>
      <interfaceWhiteList><address>127.0.0.1</address></interfaceWhiteList>
    </transport_descriptor>
  </transport_descriptors>
  <participant profile_name="agent" is_default_profile="true">
    <rtps>
      <useBuiltinTransports>false</useBuiltinTransports>
      <userTransports><transport_id>udp_localhost</transport_id></userTransports>
    </rtps>
  </participant>
</profiles>
"""
LISTENER = """
import json, time, rclpy
from px4_msgs.msg import VehicleOdometry, VehicleCommand, VehicleCommandAck
from uav_testgen.ros.px4.reader_qos import PX4_READER
from uav_testgen.ros.qos import PX4_IN
rclpy.init()
node = rclpy.create_node("listener")
heard, answers = [], []
node.create_subscription(VehicleOdometry, "/fmu/out/vehicle_odometry", heard.append, PX4_READER)
node.create_subscription(VehicleCommandAck, "/fmu/out/vehicle_command_ack", answers.append, PX4_READER)
command = node.create_publisher(VehicleCommand, "/fmu/in/vehicle_command", PX4_IN)
node.create_timer(0.5, lambda: command.publish(VehicleCommand(command=400, param1=0.0)))
end_s = time.monotonic() + 30.0
while time.monotonic() < end_s and (len(heard) < 20 or not answers):
    rclpy.spin_once(node, timeout_sec=0.2)
shared = sum("/dev/shm/fastrtps" in line for line in open("/proc/self/maps"))
print(json.dumps({"heard": len(heard), "answered": len(answers), "shared_memory": shared}))
"""


@pytest.fixture
def plain(ros_domain: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    for name in (RANGE, *PROFILE_VARIABLES):
        monkeypatch.delenv(name, raising=False)
    return dict(os.environ)


@pytest.fixture(params=["default", "localhost only"])
def agent(request: pytest.FixtureRequest, plain: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """Stands for the agent: its transports are Fast DDS's defaults, or those of UXRCE_DDS_PTCFG 1."""
    environment = dict(plain)
    if request.param != "default":
        (tmp_path / "agent.xml").write_text(LOCALHOST_ONLY)
        environment |= dict.fromkeys(PROFILE_VARIABLES, str(tmp_path / "agent.xml"))
    process = subprocess.Popen([sys.executable, str(FAKE)], env=environment)
    yield request.param
    process.send_signal(signal.SIGINT)
    process.wait(10)


@pytest.mark.parametrize("users", [{}, {RANGE: "LOCALHOST"}])
def test_agent_is_found(agent: str, plain: dict[str, str], users: dict[str, str]) -> None:
    given = {**plain, **users}
    environment = {**given, **settings_over(given, UDP_PROFILE)}
    done = subprocess.run(
        [sys.executable, "-c", LISTENER], env=environment, capture_output=True, text=True, timeout=90
    )
    found = json.loads(done.stdout)
    assert found["heard"] >= 20 and found["answered"] >= 1, "both ways"
    assert found["shared_memory"] == 0


def test_profile_answers_every_address_and_tells_one() -> None:
    """An agent with Fast DDS 2.9 names another interface of this machine than loopback: a transport bound to
    loopback could not answer it. What keeps us on this machine is that nobody else is told of us."""
    profile = (config_folder() / UDP_PROFILE).read_text(encoding="utf-8")
    root = ElementTree.fromstring(profile)
    words = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert "interfaceWhiteList" not in words and "metatrafficMulticastLocatorList" not in words
    for name in ("defaultUnicastLocatorList", "metatrafficUnicastLocatorList", "initialPeersList"):
        assert name in words
    addresses = {element.text for element in root.iter() if element.tag.rpartition("}")[2] == "address"}
    assert addresses == {"127.0.0.1"}
