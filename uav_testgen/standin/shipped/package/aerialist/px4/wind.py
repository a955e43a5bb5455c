"""Wind of a simulation. Python 3.8."""

_FIELDS = {
    "velocity_mean": 0.0, "velocity_max": 100.0, "direction": (1, 0, 0), "velocity_variance": 0,
    "direction_variance": 0, "gust_start": 0, "gust_duration": 0, "gust_velocity_mean": 0, "gust_velocity_max": 0,
    "gust_velocity_variance": 0, "gust_direction": (0, 0, 0), "gust_direction_variance": 0,
}  # fmt: skip


class Wind(object):
    """Speeds [m/s] and directions of where it blows to, in Gazebo's axes."""

    def __init__(self, velocity_mean, velocity_max, direction, **others):
        values = dict(_FIELDS, velocity_mean=velocity_mean, velocity_max=velocity_max, direction=direction)
        unknown = set(others) - set(_FIELDS)
        if unknown:
            raise TypeError("Wind has no field {}".format(", ".join(sorted(unknown))))
        values.update(others)
        self.__dict__.update(values)

    def to_dict(self):
        """Plain data."""
        values = {name: getattr(self, name) for name in _FIELDS}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
