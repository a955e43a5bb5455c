from __future__ import annotations

from launch.actions import Action


class Node(Action):
    """Real signature; checks what the real constructor checks of it."""

    def __init__(
        self, *, executable, package=None, name=None, namespace=None, exec_name=None, parameters=None,
        remappings=None, ros_arguments=None, arguments=None, condition=None, output="log", on_exit=None,
        respawn=False, respawn_delay=None, prefix=None, additional_env=None, emulate_tty=False, cwd=None,
        env=None, shell=False, sigterm_timeout=None, sigkill_timeout=None,
    ):  # fmt: skip
        super().__init__(condition=condition)
        if parameters is not None and not isinstance(parameters, list):
            raise TypeError("'parameters' must be a list")
        for entry in parameters or []:
            if not isinstance(entry, (dict, str)):
                raise TypeError("parameters are dictionaries or file names")
            if isinstance(entry, dict):
                _check_values(entry)
        for pair in remappings or []:
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise TypeError("remappings are pairs")
        self.package, self.executable, self.name, self.namespace = package, executable, name, namespace
        self.parameters, self.remappings = list(parameters or []), list(remappings or [])
        self.arguments, self.output, self.on_exit = arguments, output, on_exit
        self.additional_env = dict(additional_env or {})


def _check_values(entry):
    """launch_ros refuses empty lists (no type) and mixed lists."""
    for key, value in entry.items():
        if not isinstance(key, str):
            raise TypeError(f"parameter name {key!r} is not a string")
        items = value if isinstance(value, (list, tuple)) else [value]
        if not items:
            raise TypeError(f"parameter {key} is an empty list")
        if len({type(item) for item in items}) > 1 or not isinstance(items[0], (bool, int, float, str)):
            raise TypeError(f"parameter {key} has a value launch_ros cannot pass on: {value!r}")
