"""Agents ask the server of `uav-testgen as-aerialist` to simulate. Python 3.8."""

import os
import shutil

from .._outside import client, config
from .aerialist_test import AerialistTestResult, plain


class TestAgent(object):
    """Simulates a test."""

    COPY_DIR = config("LOGS_COPY_DIR", default="results/logs/")
    runs = 1

    def __init__(self, config):
        self.config = config
        self.results = []

    def run(self):
        """Simulate; one result for each run that left a log."""
        for _ in range(self.runs):
            self.results.append(AerialistTestResult(self.simulate()))
        return self.results

    def simulate(self):
        """One simulation; returns its log. An exception says why there is none."""
        parts = self.config.to_dict()
        data = {key: part for key, part in parts.items() if key not in ("agent", "assertion")}
        vehicle = data.get("robot") or data.get("drone") or {}
        name = os.path.splitext(os.path.basename(vehicle.get("mission_file") or "test"))[0] + ".yaml"
        try:
            answer = client.ask("fly", data=plain(data), name=name)
        except client.NoAnswer as error:
            raise Exception("simulation failed: {}".format(error))
        if answer["unfinished"]:
            raise Exception(
                "timeout expired: the vehicle does not arrive (set SIMULATION_TIMEOUT to keep the log)"
            )
        os.makedirs(self.COPY_DIR, exist_ok=True)
        target = os.path.join(self.COPY_DIR, os.path.basename(answer["log"]))
        shutil.copyfile(answer["log"], target)
        return target
