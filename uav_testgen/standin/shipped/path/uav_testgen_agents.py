"""Agents for an installed Aerialist that fly by asking `uav-testgen as-aerialist`.

Imported in place of Aerialist's own modules `local_agent` and `k8s_agent`, so `aerialist.px4` is its package.
Standard library only, Python 3.8.
"""

import copy
import importlib
import os
import shutil

try:
    import uav_testgen_client as client
except ImportError:  # looked at outside a started program
    client = None

try:
    _Result = importlib.import_module(__package__ + ".aerialist_test").AerialistTestResult
except ImportError:
    try:
        _Result = importlib.import_module(__package__ + ".drone_test").DroneTestResult
    except ImportError:
        _Result = None


class _Agent:
    runs = 1

    def __init__(self, config):
        self.config = config
        self.results = []

    def run(self):
        """Simulate; one result for each run."""
        for _ in range(self.runs):
            self.results.append(_Result(self._log()))
        return self.results

    def _log(self):
        test = copy.copy(self.config)
        test.assertion = None
        test.agent = None
        mission = getattr(
            getattr(self.config, "robot", None) or getattr(self.config, "drone", None), "mission_file", None
        )
        try:
            answer = client.ask("fly", data=_plain(test.to_dict()), name=_name(mission))
        except client.NoAnswer as error:
            raise Exception("simulation failed: {}".format(error))
        if answer["unfinished"]:
            raise Exception(
                "timeout expired: the vehicle does not arrive (set SIMULATION_TIMEOUT to keep the log)"
            )
        folder = os.environ.get("LOGS_COPY_DIR") or "results/logs/"
        os.makedirs(folder, exist_ok=True)
        target = os.path.join(folder, os.path.basename(answer["log"]))
        shutil.copyfile(answer["log"], target)
        return target


class LocalAgent(_Agent):
    """One simulation."""


class K8sAgent(_Agent):
    """As many simulations as the test asks for."""

    def __init__(self, config):
        super().__init__(config)
        self.runs = int(getattr(config.agent, "count", None) or 1)


def _name(mission):
    return os.path.splitext(os.path.basename(mission))[0] + ".yaml" if mission else "test.yaml"


def _plain(data):
    """Numbers of numpy and other types as plain data."""
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    if data is None or isinstance(data, (bool, int, float, str)):
        return data
    return data.item() if hasattr(data, "item") else str(data)
