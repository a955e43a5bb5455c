"""Tests: vehicle, simulation, mission, what is expected, who simulates. Python 3.8."""

from enum import Enum

from .._outside import client
from . import file_helper
from .command import Command
from .obstacle import Obstacle
from .trajectory import Trajectory
from .wind import Wind

_OLD = {"drone": "robot", "test": "mission"}


class AerialistTest(object):
    """A test and its parts."""

    NAMES = ("robot", "simulation", "mission", "assertion", "agent")

    def __init__(self, robot=None, simulation=None, mission=None, assertion=None, agent=None):
        for name, part in zip(self.NAMES, (robot, simulation, mission, assertion, agent)):
            setattr(self, name, part)
        if simulation is not None and mission is not None:
            mission.speed = simulation.speed

    @classmethod
    def from_yaml(cls, address):
        """The test in a file, in the keys of any version."""
        data = client.ask("read_yaml", path=file_helper.get_local_file(address))["data"] or {}
        data = {_OLD.get(key, key): value for key, value in data.items()}
        kinds = (RobotConfig, SimulationConfig, MissionConfig, AssertionConfig, AgentConfig)
        parts = [
            None if data.get(name) is None else kind(**data[name])
            for name, kind in zip(AerialistTest.NAMES, kinds)
        ]
        return cls(*parts)

    def to_yaml(self, address):
        """Write a file; returns its address."""
        client.ask("write_yaml", path=str(address), data=plain(self.to_dict()))
        return address

    def to_dict(self):
        """Plain data of the parts that are there."""
        parts = ((name, getattr(self, name)) for name in self.NAMES)
        return {name: part.to_dict() for name, part in parts if part is not None}

    @classmethod
    def plot(cls, test, results, obstacle_distance=True):
        """Draw the results; returns the file."""
        from .plot import Plot

        return Plot.plot_test(test, results, obstacle_distance)

    @classmethod
    def load_folder(cls, tests_folder, pattern="*.yaml", from_sub_folders=False):
        """All tests of a folder."""
        return [cls.from_yaml(path) for path in file_helper.list_files_in_folder(tests_folder, pattern)]


def plain(data):
    """Plain data: numbers of numpy as numbers, tuples as lists, anything else as text."""
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in data]
    if data is None or isinstance(data, (bool, int, float, str)):
        return data
    return data.item() if hasattr(data, "item") else str(data)


class RobotConfig(object):
    """The vehicle: its port, parameters and mission."""

    PX4_CF_PORT = CF_PORT = 14550
    PX4_SITL_PORT = SITL_PORT = 14540
    PX4_ROS_PORT = ROS_PORT = 14541
    _PORTS = {"sitl": 14540, "sim": 14540, "ros": 14541, "avoidance": 14541, "cf": 14550, "hw": 14550}

    def __init__(self, port=14540, params=None, params_file=None, mission_file=None):
        text = str(port).replace("px4_", "", 1)
        self.port = int(text) if text.isdigit() else self._PORTS[text]
        self.params = params
        self.params_file = params_file
        if params is None and params_file is not None:
            self.params = Command.extract_params_from_csv(file_helper.get_local_file(params_file))
        self.mission_file = None if mission_file is None else file_helper.get_local_file(mission_file)

    def to_dict(self):
        """Plain data."""
        data = {"port": self.port}
        if self.params is not None:
            data["params"] = self.params
        elif self.params_file is not None:
            data["params_file"] = self.params_file
        if self.mission_file is not None:
            data["mission_file"] = self.mission_file
        return data


class SimulationConfig(object):
    """The simulator, its obstacles and its wind."""

    JMAVSIM = "jmavsim"
    GAZEBO = "gazebo"
    ROS = "ros"

    def __init__(
        self, simulator=GAZEBO, world="default", speed=1, headless=True, obstacles=None, home_position=None, wind=None,
        timeout=-1
    ):  # fmt: skip
        self.simulator = simulator
        self.world = world
        self.speed = speed
        self.headless = headless
        self.home_position = home_position
        self.timeout = timeout
        self.wind = wind if wind is None or isinstance(wind, Wind) else Wind(**wind)
        self.obstacles = obstacles
        if obstacles and isinstance(obstacles[0], dict):
            self.obstacles = Obstacle.from_dict_multiple(obstacles)
        elif obstacles and not isinstance(obstacles[0], Obstacle):
            self.obstacles = Obstacle.from_coordinates_multiple(obstacles)

    def to_dict(self):
        """Plain data."""
        data = {"headless": self.headless}
        if self.simulator is not None:
            data["simulator"] = self.simulator
        if self.world != "default":
            data["world"] = self.world
        if self.speed != 1:
            data["speed"] = self.speed
        if self.obstacles is not None:
            data["obstacles"] = [obstacle.to_dict() for obstacle in self.obstacles]
        if self.home_position is not None:
            data["home_position"] = self.home_position
        if self.timeout is not None and self.timeout > 0:
            data["timeout"] = self.timeout
        if self.wind is not None:
            data["wind"] = self.wind.to_dict()
        return data


class MissionConfig(object):
    """Timed commands, or waypoints."""

    MAX_INLINE_COMMANDS = 10

    def __init__(self, commands=None, commands_file=None, speed=1, waypoints=None):
        self.speed = speed
        self.commands_file = commands_file
        self.commands = commands
        if commands and not isinstance(commands[0], Command):
            self.commands = [Command(**command) for command in commands]
        if commands is None and commands_file is not None:
            self.commands = Command.extract(file_helper.get_local_file(commands_file))
        self.waypoints = waypoints
        if waypoints and isinstance(waypoints[0], dict):
            self.waypoints = [Obstacle.Position(**waypoint) for waypoint in waypoints]

    def to_dict(self):
        """Plain data."""
        data = {}
        if self.commands is not None and len(self.commands) <= self.MAX_INLINE_COMMANDS:
            data["commands"] = [command.to_dict() for command in self.commands]
        elif self.commands_file is not None:
            data["commands_file"] = self.commands_file
        if self.speed != 1:
            data["speed"] = self.speed
        if self.waypoints is not None:
            data["waypoints"] = [waypoint._asdict() for waypoint in self.waypoints]
        return data


class AssertionConfig(object):
    """The flight a simulation is compared with."""

    TRAJECTORY = Trajectory

    def __init__(self, log_file=None, variable="trajectory", expectation=None):
        self.log_file = log_file
        self.variable = variable
        self.expectation = expectation
        if expectation is None and log_file is not None:
            self.expectation = Trajectory.extract(file_helper.get_local_file(log_file))

    def to_dict(self):
        """Plain data."""
        data = {"variable": "trajectory"}
        if self.log_file is not None:
            data["log_file"] = self.log_file
        return data


class AgentConfig(object):
    """Who simulates, and how often."""

    K8S = "k8s"
    DOCKER = "docker"
    LOCAL = "local"

    def __init__(self, engine, count=1, path=None, id=None):
        self.engine = engine
        self.count = count
        self.path = path
        self.id = id

    def to_dict(self):
        """Plain data."""
        data = {"engine": self.engine, "count": self.count, "path": self.path, "id": self.id}
        return {
            key: value for key, value in data.items() if value is not None and (key, value) != ("count", 1)
        }


class AerialistTestResult(object):
    """One simulation: its log and the trajectory in it."""

    class Status(Enum):
        """What came of it."""

        UNKNOWN = "unknown"
        PENDING = "pending"
        ERROR = "error"
        COLLISION = "collision"
        SAFETY_STOP = "safety_stop"
        BLOCKED = "blocked"
        TIMEOUT = "timeout"
        FAILURE = "failure"
        SUCCESS = "success"

    def __init__(self, log_file=None, variable="trajectory", record=None, status=Status.UNKNOWN):
        self.log_file = log_file
        self.variable = variable
        self.status = status
        self.record = record
        if record is None and log_file is not None:
            self.record = Trajectory.extract(file_helper.get_local_file(log_file))

    @classmethod
    def load_folder(cls, logs_folder, variable="trajectory"):
        """All logs of a folder."""
        return [cls(log, variable) for log in file_helper.get_logs_address(logs_folder)]
