"""A point of a trajectory. Python 3.8."""

import math


class Position(object):
    """x north, y east, z up [m]; r heading [rad]; timestamp [microseconds]."""

    def __init__(self, x, y, z, r=None, timestamp=None):
        self.timestamp = timestamp
        self.x = x
        self.y = y
        self.z = z
        self.r = r

    def convert_jmavsim(self):
        """From jMAVSim's axes."""
        self.x, self.y = -self.y, self.x

    def get_position_in_relative_distance(self, distance):
        """The point this far ahead."""
        return (self.x + distance * math.cos(self.r), self.y + distance * math.sin(self.r), self.z, self.r)

    def to_geometry(self):
        """The point in plan view, as a shapely geometry."""
        from shapely.geometry import Point

        return Point(self.x, self.y)

    def to_dict(self):
        """Plain data."""
        return {"timestamp": self.timestamp, "x": self.x, "y": self.y, "z": self.z, "r": self.r}

    def __repr__(self):
        return "{} ({},{},{}) {}".format(self.timestamp, self.x, self.y, self.z, self.r)

    @classmethod
    def average(cls, positions):
        """The mean of several points."""
        count = float(len(positions))

        def mean(name):
            values = [getattr(position, name) for position in positions]
            return None if any(value is None for value in values) else sum(values) / count

        return cls(mean("x"), mean("y"), mean("z"), mean("r"), mean("timestamp"))
