"""The `kubectl` and `yq` that programs find first in their PATH: jobs as Aerialist's k8s agent makes them.

Logs go to the folder that the job mounts; a job without one is flown, and nobody can fetch its logs.
"""

from __future__ import annotations

import json
import re
import shlex
import threading
from pathlib import Path
from typing import Any

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.standin.container import RESULTS, Fly, load_job
from uav_testgen.standin.docker import Docker
from uav_testgen.standin.reply import Call, Reply, refusal

_LOOK_AGAIN_S = 0.2
_MOST_RUNS = 10_000
_SETS = re.compile(r"\.(metadata\.name|spec\.completions)\s*=\s*\"?([^\"|\s]+)\"?")
_COMMAND = re.compile(r"select\(\.name == \"COMMAND\"\)\.value = \"((?:[^\"\\]|\\.)*)\"")
_VOLUME = re.compile(r"hostPath\.path\s*=\s*\"([^\"]*)\"")
# Docker Desktop shows the folders of the machine below this one.
_DESKTOP = "/host_mnt"


class Kubernetes:
    """Jobs of one session."""

    def __init__(self, docker: Docker, fly: Fly) -> None:
        self._docker = docker
        self._fly = fly
        self._jobs: dict[str, _Job] = {}

    def yq(self, call: Call) -> Reply:
        """The job that Aerialist's expression describes; its template is not needed."""
        expression = next((word for word in call.words if word.startswith(".")), "")
        found = dict(_SETS.findall(expression))
        command, volume = _COMMAND.search(expression), _VOLUME.search(expression)
        if "metadata.name" not in found or command is None:
            return refusal("yq: the stand-in only understands the expressions of Aerialist's k8s agent")
        job: dict[str, Any] = {
            "name": found["metadata.name"],
            "runs": int(found.get("spec.completions", "1")),
            "command": command[1],
            "volume": volume[1] if volume else None,
        }
        return Reply(stdout=json.dumps(job) + "\n")

    def kubectl(self, call: Call) -> Reply:
        """One `kubectl …` command."""
        words = [word for word in call.words if not word.startswith("-n=")]
        verb = words[0] if words else "help"
        if verb in ("apply", "create"):
            return self._apply(call)
        if verb == "wait":
            return self._wait(words)
        if verb == "delete":
            return Reply(
                stdout="".join(
                    f'job.batch "{_job_name(word)}" deleted\n' for word in words[1:] if "/" in word
                )
            )
        if verb in ("get", "describe", "logs", "version", "cluster-info", "config"):
            return Reply(stdout="".join(f"{job.name} {job.state}\n" for job in self._jobs.values()))
        return refusal(
            f"kubectl: '{verb}' is not answered by the stand-in; it knows apply, wait, get, delete"
        )

    def _apply(self, call: Call) -> Reply:
        try:
            described = _described(load_job(call.stdin))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            return refusal(f"error: error validating data: not a job of Aerialist ({str(error)[:200]})")
        job = _Job(described, self._docker, self._fly, call)
        self._jobs[job.name] = job
        job.start()
        return Reply(stdout=f"job.batch/{job.name} created\n")

    def _wait(self, words: list[str]) -> Reply:
        name = next((_job_name(word) for word in words[1:] if "/" in word or word in self._jobs), "")
        wanted = next((word.partition("condition=")[2] for word in words if "condition=" in word), "complete")
        job = self._jobs.get(name)
        if job is None:
            return refusal(f'Error from server (NotFound): jobs.batch "{name}" not found')
        if job.state == wanted:
            return Reply(stdout=f"job.batch/{name} condition met\n")
        # Like the real one this waits for a condition that may never come: the agent ends the other of the two.
        return Reply(again_s=_LOOK_AGAIN_S)


class _Job(threading.Thread):
    """The runs of one job, one after the other."""

    def __init__(self, described: dict[str, Any], docker: Docker, fly: Fly, call: Call) -> None:
        super().__init__(daemon=True)
        self.name = str(described["name"])
        self.state = "running"
        self._described, self._docker, self._fly, self._call = described, docker, fly, call

    def run(self) -> None:
        """Fly; complete if every run left a log."""
        volume = self._described["volume"]
        inside = self._call.environment.get("KUBE_VOLUME_PATH", RESULTS)
        mounts = [] if volume is None else [(inside.rstrip("/"), _host(str(volume)))]
        limit = self._call.environment.get("SIMULATION_TIMEOUT")
        container = self._docker.make(mounts, **({"SIMULATION_TIMEOUT": limit} if limit else {}))
        words = shlex.split(str(self._described["command"]))
        complete = True
        for _ in range(self._described["runs"]):
            try:
                complete = container.run(words, self._fly).code == 0 and complete
            except UavTestgenError:
                complete = False
        self.state = "complete" if complete else "failed"


def _host(path: str) -> Path:
    plain = Path(path.removeprefix(_DESKTOP))
    return plain if path.startswith(_DESKTOP) and plain.parent.exists() else Path(path)


def _job_name(word: str) -> str:
    return word.rpartition("/")[2]


def _described(data: Any) -> dict[str, Any]:
    """Name, runs, command and folder of a job, from our `yq` or from a whole manifest."""
    if "command" not in data:
        pod = data["spec"]["template"]["spec"]
        environment = {one["name"]: one.get("value") for one in pod["containers"][0].get("env", [])}
        volumes = [one["hostPath"]["path"] for one in pod.get("volumes", []) if "hostPath" in one]
        data = {
            "name": data["metadata"]["name"],
            "runs": data["spec"].get("completions", 1),
            "command": environment["COMMAND"],
            "volume": volumes[0] if volumes else None,
        }
    if not 1 <= int(data["runs"]) <= _MOST_RUNS:
        raise ValueError(f"spec.completions: 1 to {_MOST_RUNS} are accepted")
    return {**data, "runs": int(data["runs"])}
