"""Timed commands to the vehicle. Python 3.8."""

import csv
from enum import Enum


class FlightMode(Enum):
    """PX4's flight modes, and what Aerialist adds."""

    Unassigned = -1
    Manual = 0
    Altitude = 1
    Position = 2
    Mission = 3
    Hold = 4
    Return = 5
    Acro = 6
    Offboard = 7
    Stabilized = 8
    Takeoff = 10
    Land = 11
    FollowMe = 12
    Arm = 20
    Disarm = 21
    Setpoint = 100


class Command(object):
    """A mode or stick positions at a time [microseconds]."""

    def __init__(self, timestamp=0, x=0, y=0, z=0.5, r=0, mode=FlightMode.Setpoint):
        self.timestamp = timestamp
        self.x, self.y, self.z, self.r = x, y, z, r
        self.mode = mode if isinstance(mode, FlightMode) else FlightMode(int(mode))

    def __repr__(self):
        return "{} {} ({},{},{},{})".format(self.timestamp, self.mode.name, self.x, self.y, self.z, self.r)

    def to_dict(self):
        """Plain data."""
        sticks = {name: getattr(self, name) for name in "xyzr"}
        return dict(timestamp=self.timestamp, mode=self.mode.value, **sticks)

    @classmethod
    def extract(cls, address):
        """The commands in a CSV file; None for another kind of file."""
        return cls.extract_from_csv(address) if str(address).endswith(".csv") else None

    @classmethod
    def extract_from_csv(cls, address):
        """The commands in a CSV file with the columns timestamp, x, y, z, r, mode."""
        with open(address, newline="") as stream:
            rows = list(csv.DictReader(stream, skipinitialspace=True))
        return [cls(**{name.strip(): _number(row[name]) for name in row if name}) for row in rows]

    @classmethod
    def extract_params_from_csv(cls, address):
        """PX4's parameters in a CSV file of names and values."""
        with open(address, newline="") as stream:
            return {row[0].strip(): _number(row[1]) for row in csv.reader(stream) if len(row) >= 2}

    @classmethod
    def save_csv(cls, commands, address):
        """Write a CSV file."""
        with open(address, "w", newline="") as stream:
            writer = csv.DictWriter(stream, ["timestamp", "mode", "x", "y", "z", "r"])
            writer.writeheader()
            writer.writerows(command.to_dict() for command in commands)


def _number(text):
    try:
        return int(text)
    except ValueError:
        return float(text)


class DefaultCommands(object):
    """Commands by name."""

    Hover = Command()
    Arm = Command(mode=FlightMode.Arm)
    Disarm = Command(mode=FlightMode.Disarm)
    Takeoff = Command(mode=FlightMode.Takeoff)
    Land = Command(mode=FlightMode.Land)
    Hold = Command(mode=FlightMode.Hold)
