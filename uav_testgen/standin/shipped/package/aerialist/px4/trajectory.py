"""Flown paths: read from logs, averaged in time, compared, measured against obstacles. Python 3.8."""

import copy
import math
import os

from .._outside import config
from ._ulog import read_topic
from .command import _number
from .obstacle import Obstacle
from .position import Position


class Trajectory(object):
    """Positions in order of time."""

    USE_GPS = config("USE_GPS", default=False, cast=bool)
    DIR = config("RESULTS_DIR", default="results/")
    DISTANCE_METHOD = config("DISTANCE_METHOD", default="dtw")
    AVERAGE_METHOD = config("AVERAGE_METHOD", default="dtw")
    ALLIGN_ORIGIN = config("ALLIGN_ORIGIN", default=True, cast=bool)
    SAMPLING_PERIOD = config("TRJ_SMPL_PRD", cast=float, default=500000)
    RESAMPLE = config("RESAMPLE", default=True, cast=bool)
    REMOVE_OFFSET = True
    IGNORE_AUTO_MODES = False
    PLOT_R = True
    TIME_RANGE = None
    VEHICLE_WIDTH = 0.25

    def __init__(self, positions):
        self.positions = positions

    # Reading

    @classmethod
    def extract(cls, address):
        """The trajectory in a log or CSV file."""
        if str(address).endswith(".csv"):
            return cls.extract_from_csv(address)
        return cls.extract_from_log(address) if str(address).endswith(".ulg") else None

    @classmethod
    def extract_from_csv(cls, address):
        """From a CSV file with the columns timestamp, x, y, z, r."""
        import csv

        with open(address, newline="") as stream:
            rows = [{key: _number(value) for key, value in row.items()} for row in csv.DictReader(stream)]
        return cls([Position(row["x"], row["y"], row["z"], row["r"], row["timestamp"]) for row in rows])

    @classmethod
    def extract_from_log(cls, log_address, ignore_automodes=False, is_jmavsim=False):
        """From PX4's position estimate: north, east and up from the first sample, averaged over half a second."""
        if cls.USE_GPS:
            found = cls._read(log_address, "vehicle_global_position", ("lat", "lon", "alt"), 1.0)
        else:
            found = cls._read(log_address, "vehicle_local_position", ("x", "y", "z", "heading"), -1.0)
        if is_jmavsim:
            for position in found.positions:
                position.convert_jmavsim()
        if ignore_automodes or cls.IGNORE_AUTO_MODES:
            found = cls(found._by_hand(log_address))
        return found.downsample_time() if cls.RESAMPLE else found

    @classmethod
    def extract_groundtruth(cls, log_address):
        """From the simulator's true position."""
        return cls._read(log_address, "vehicle_local_position_groundtruth", ("x", "y", "z", "heading"), -1.0)

    @classmethod
    def extract_waypoints(cls, log_address):
        """From the set-points of the planner, where the log has them."""
        place = "waypoints[0].position[{}]"
        names = (place.format(0), place.format(1), place.format(2), "waypoints[0].yaw")
        return cls._read(log_address, "vehicle_trajectory_waypoint", names, -1.0)

    @classmethod
    def _read(cls, address, topic, names, upwards):
        columns = read_topic(address, topic)
        if columns is None:
            raise ValueError("{}: the log has no {}".format(address, topic))
        values = [columns[name] for name in names] + [[0.0] * len(columns["timestamp"])]
        rows = zip(columns["timestamp"], *values[:4])
        found = cls([Position(x, y, upwards * z, r, stamp) for stamp, x, y, z, r in rows])
        first = copy.copy(found.positions[0])
        for position in found.positions:
            if cls.REMOVE_OFFSET:
                position.timestamp -= first.timestamp
            if cls.ALLIGN_ORIGIN:
                position.x -= first.x
                position.y -= first.y
                position.z -= first.z
                position.r -= first.r
        return found

    def _by_hand(self, log_address):
        states = read_topic(log_address, "commander_state") or {"timestamp": [], "main_state": []}
        offset = (read_topic(log_address, "vehicle_local_position") or {"timestamp": [0]})["timestamp"][0]
        kept = []
        for position in self.positions:
            known = [
                s
                for t, s in zip(states["timestamp"], states["main_state"])
                if t - offset <= position.timestamp
            ]
            if known and 0 <= known[-1] <= 2:
                kept.append(position)
        return kept or self.positions[-1:]

    @classmethod
    def get_home(cls, log_address):
        """Latitude, longitude and altitude of the first sample."""
        columns = read_topic(log_address, "vehicle_global_position")
        return None if columns is None else [columns[name][0] for name in ("lat", "lon", "alt")]

    @classmethod
    def load_folder(cls, path, ignore_automodes=False):
        """All logs of a folder."""
        names = [name for name in sorted(os.listdir(path)) if name.endswith(".ulg")]
        return [cls.extract_from_log(os.path.join(path, name), ignore_automodes) for name in names]

    def save_csv(self, address):
        """Write a CSV file."""
        import csv

        with open(address, "w", newline="") as stream:
            writer = csv.DictWriter(stream, ["timestamp", "x", "y", "z", "r"])
            writer.writeheader()
            writer.writerows(position.to_dict() for position in self.positions)

    # Shape

    def allign_origin(self):
        """Count positions and time from the first one."""
        first = copy.copy(self.positions[0])
        for position in self.positions:
            for name in ("x", "y", "z", "timestamp", "r"):
                if getattr(first, name) is not None:
                    setattr(position, name, getattr(position, name) - getattr(first, name))

    def to_data_frame(self):
        """A numpy table: time [s], x, y, z, r."""
        import numpy

        kept = self.positions
        if self.TIME_RANGE is not None:
            kept = [p for p in kept if self.TIME_RANGE[0] <= p.timestamp <= self.TIME_RANGE[1]]
        return numpy.array(
            [[p.timestamp / 1e6, p.x, p.y, p.z, p.r or 0.0] for p in kept], dtype=float
        ).reshape(-1, 5)

    def downsample(self, count):
        """This many positions, evenly chosen; None if there are fewer."""
        length = len(self.positions)
        if count > length:
            return None
        return Trajectory(
            [self.positions[min(math.ceil(k * length / float(count)), length - 1)] for k in range(count)]
        )

    def downsample_time(self, period=None):
        """The average position of each period [microseconds]."""
        period = period or self.SAMPLING_PERIOD
        first = self.positions[0].timestamp
        groups = {}
        for position in self.positions:
            # The first period holds its end, every later one begins after the end of the one before.
            slot = max(math.ceil((position.timestamp - first) / period) - 1, 0)
            groups.setdefault(slot, []).append(position)
        return Trajectory([Position.average(groups[slot]) for slot in sorted(groups)])

    def to_line(self):
        """The path as a shapely line."""
        from shapely.geometry import LineString

        points = [(p.x, p.y, p.z) for p in self.positions]
        return LineString(points if len(points) > 1 else points * 2)

    def to_thick_line(self):
        """The path, as wide as the vehicle."""
        return self.to_line().buffer(self.VEHICLE_WIDTH / 2.0)

    # Measures

    def min_distance_to_obstacles(self, obstacles):
        """Distance of the vehicle's path to the nearest obstacle; 0 for a collision."""
        line = self.to_line()
        distances = [obstacle.distance(line) for obstacle in obstacles]
        # Over an obstacle the distance is a height, from which no width is taken.
        wide = [obstacle.geometry.distance(line) for obstacle in obstacles]
        half = self.VEHICLE_WIDTH / 2.0
        return min(max(w - half, 0.0) if w > 0 else d for d, w in zip(distances, wide))

    def distance_to_obstacles(self, obstacles):
        """The smallest sum of the distances to all obstacles along the path."""
        return Obstacle.distance_to_many(obstacles, self.to_line(), self.VEHICLE_WIDTH / 2.0)

    def distance(self, other):
        """How different two flights are, by the method the settings name."""
        if self.DISTANCE_METHOD == "frechet":
            return self.frechet_distance(other)
        return self.dtw_t_distance(other) if self.DISTANCE_METHOD == "dtw-t" else self.dtw_distance(other)

    def dtw_distance(self, other):
        """Dynamic time warping of the paths."""
        return float(_warp(_table(self, 1), _table(other, 1))[-1, -1])

    def dtw_t_distance(self, other):
        """Dynamic time warping of paths and times, each scaled to its range."""
        return float(_warp(_scaled(_table(self, 0)), _scaled(_table(other, 0)))[-1, -1])

    def frechet_distance(self, other):
        """The longest leash two walkers need."""
        import numpy

        costs = _costs(_table(self, 1), _table(other, 1))
        leash = numpy.array(costs)
        leash[0] = numpy.maximum.accumulate(costs[0])
        leash[:, 0] = numpy.maximum.accumulate(costs[:, 0])
        for i in range(1, costs.shape[0]):
            for j in range(1, costs.shape[1]):
                best = min(leash[i - 1, j], leash[i, j - 1], leash[i - 1, j - 1])
                leash[i, j] = max(costs[i, j], best)
        return float(leash[-1, -1])

    # Averages

    @classmethod
    def average(cls, trajectories):
        """The flight in the middle of several."""
        dtw = cls.AVERAGE_METHOD == "dtw" and len(trajectories) > 1
        return cls.dtw_average(trajectories) if dtw else cls.simple_average(trajectories)

    @classmethod
    def simple_average(cls, trajectories):
        """Position by position."""
        count = min(len(one.positions) for one in trajectories)
        picked = [one.downsample(count).positions for one in trajectories]
        return cls([Position.average(list(together)) for together in zip(*picked)])

    @classmethod
    def dtw_average(cls, trajectories, rounds=5):
        """The barycentre under dynamic time warping, begun at the most central flight."""
        sums = [sum(one.dtw_distance(other) for other in trajectories) for one in trajectories]
        middle = trajectories[sums.index(min(sums))]
        for _ in range(rounds):
            groups = [[] for _ in middle.positions]
            for one in trajectories:
                for i, j in _path(_warp(_table(middle, 1), _table(one, 1))):
                    groups[i].append(one.positions[j])
            middle = cls([Position.average(group) for group in groups])
        return middle

    # Pictures

    def plot(self, goal=None, save=True, obstacles=None, file_prefix="", highlights=None, filename=None):
        """Draw it; returns the file."""
        return self.plot_multiple(
            [self], goal, obstacles=obstacles, file_prefix=file_prefix, filename=filename
        )

    @classmethod
    def plot_multiple(
        cls, trajectories, goal=None, save=True, distance=None, highlights=None, obstacles=None, file_prefix="",
        ave_trajectory=None, filename=None, **_
    ):  # fmt: skip
        """Draw several; returns the file."""
        from .plot import draw

        drawn = [*trajectories, *([goal] if goal is not None else [])]
        return draw(drawn, obstacles or [], cls.DIR, file_prefix, filename)


def _table(trajectory, first):
    return trajectory.to_data_frame()[:, first:4]


def _scaled(table):
    span = table.max(axis=0) - table.min(axis=0)
    span[span == 0] = 1.0
    return (table - table.min(axis=0)) / span


def _costs(one, other):
    import numpy

    return numpy.sqrt(((one[:, None, :] - other[None, :, :]) ** 2).sum(axis=2))


def _warp(one, other):
    import numpy

    costs = _costs(one, other)
    total = numpy.full(costs.shape, numpy.inf)
    total[0] = numpy.cumsum(costs[0])
    total[:, 0] = numpy.cumsum(costs[:, 0])
    for i in range(1, costs.shape[0]):
        row, above = total[i], total[i - 1]
        for j in range(1, costs.shape[1]):
            row[j] = costs[i, j] + min(above[j], row[j - 1], above[j - 1])
    return total


def _path(total):
    i, j = total.shape[0] - 1, total.shape[1] - 1
    steps = [(i, j)]
    while i or j:
        choices = [(i - 1, j - 1), (i - 1, j), (i, j - 1)]
        i, j = min((c for c in choices if c[0] >= 0 and c[1] >= 0), key=lambda c: total[c])
        steps.append((i, j))
    return steps
