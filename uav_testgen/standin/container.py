"""A container that does not exist: a folder for its files, its mounts, and the commands Aerialist runs in it."""

from __future__ import annotations

import os
import posixpath
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import BackendError, UavTestgenError
from uav_testgen.core.files import write_text, yaml_text
from uav_testgen.scenario.formats.aerialist_schema import OLD_TO_NEW_KEYS
from uav_testgen.standin.answers import Answer
from uav_testgen.standin.reply import Reply, refusal
from uav_testgen.standin.request import Request, exec_document, make_request

HOME = "/src/aerialist"
RESULTS = f"{HOME}/results/"
_TIMED_OUT = 124
_NOT_FOUND = 127
# Harmless file commands that programs run inside the container; they see the container's files only.
_FILE_COMMANDS = {
    "ls",
    "cat",
    "mkdir",
    "rm",
    "find",
    "test",
    "cp",
    "mv",
    "stat",
    "head",
    "tail",
    "wc",
    "touch",
}
_PYTHON_S = 300
_FILE_FIELDS = (("robot", "mission_file"), ("robot", "params_file"), ("mission", "commands_file"))

Fly = Callable[[Request], Answer]


@dataclass
class Container:
    """One container. `folder` is its private file system, `mounts` are (container path, host path)."""

    identity: str
    folder: Path
    name: str = ""
    image: str = ""
    mounts: tuple[tuple[str, Path], ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    running: bool = True
    output: str = ""
    code: int = 0

    def host_path(self, inside: str) -> Path:
        """Where a path of the container lies on this machine."""
        # Cleaned first, so that no path leads out of the container's folder.
        path = posixpath.normpath(posixpath.join(HOME, inside))
        path = "/" + path.lstrip("/")
        for target, host in sorted(self.mounts, key=lambda mount: -len(mount[0])):
            if path == target:
                return host
            if path.startswith(target.rstrip("/") + "/"):
                return host / path[len(target.rstrip("/")) + 1 :]
        return self.folder / path.lstrip("/")

    def run(self, words: Sequence[str], fly: Fly, environment: Mapping[str, str] | None = None) -> Reply:
        """Run a command in the container."""
        given = {**self.environment, **(environment or {})}
        words, limit_s = _bare(list(words), given)
        if not words:
            return Reply()
        tail = _after_exec(words)
        if tail is not None:
            return self._exec_test(tail, fly, given, limit_s)
        program = posixpath.basename(words[0])
        if program in ("bash", "sh"):
            return self._shell(words, fly, given)
        if program in _FILE_COMMANDS:
            return self._files([program, *words[1:]])
        if program.startswith("python"):
            return self._python(words[1:])
        if program in ("true", "sleep", "cd", "source", "export", "."):
            return Reply()
        if program == "echo":
            return Reply(stdout=" ".join(words[1:]) + "\n")
        return refusal(
            f"{program}: not available here: the stand-in for Aerialist's container runs 'aerialist exec', Python "
            "and simple file commands",
            _NOT_FOUND,
        )

    def _exec_test(
        self, words: Sequence[str], fly: Fly, environment: Mapping[str, str], limit_s: float | None
    ) -> Reply:
        """`aerialist exec`: what it prints, as the agents read it."""
        lines = ["entry - INFO - preparing the test ...", "entry - INFO - setting up the test environment..."]
        try:
            answer = fly(self._request(words, environment))
        except UavTestgenError as error:
            return Reply(
                "\n".join([*lines, f"entry - ERROR - program terminated:{_ascii(str(error))}"]) + "\n", "", 1
            )
        if answer.log is None:
            lines.append(f"entry - ERROR - program terminated:{_ascii(answer.message)}")
            return Reply("\n".join(lines) + "\n", "", 1)
        copies = environment.get("LOGS_COPY_DIR") or RESULTS
        inside = posixpath.join(HOME, copies, answer.log.name)
        target = self.host_path(inside)
        # Several simulations of one test may come back through the same folder.
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(answer.log.read_bytes())
        except OSError as error:
            raise BackendError(f"{target}: the log cannot be copied there ({error.strerror})") from None
        lines += ["entry - INFO - running the test...", f"INFO  [logger] logging started: {inside}"]
        too_long = limit_s is not None and answer.duration_s > limit_s
        if answer.unfinished or too_long:
            # The command's own time limit ends it before it can tell where the log is.
            return Reply("\n".join(lines) + "\n", "", _TIMED_OUT)
        lines += ["entry - INFO - test finished...", f"entry - INFO - LOG:{inside}"]
        return Reply("\n".join(lines) + "\n")

    def _request(self, words: Sequence[str], environment: Mapping[str, str]) -> Request:
        test_file, document = exec_document(words)
        path = self.folder / "exec.yaml" if test_file is None else self.host_path(test_file)
        data: Any = read_yaml(path) if test_file is not None else document
        if isinstance(data, dict):
            data = self._with_host_paths(data)
        if test_file is None:
            write_text(path, yaml_text(data))
        return make_request(path, data, environment)

    def _with_host_paths(self, document: dict[str, Any]) -> dict[str, Any]:
        """The document with files named by where they lie on this machine."""
        changed = dict(document)
        for section, key in _FILE_FIELDS:
            for name in (section, *(old for old, new in OLD_TO_NEW_KEYS.items() if new == section)):
                part = changed.get(name)
                if isinstance(part, dict) and isinstance(part.get(key), str):
                    changed[name] = {**part, key: str(self.host_path(part[key]))}
        return changed

    def _shell(self, words: Sequence[str], fly: Fly, environment: Mapping[str, str]) -> Reply:
        scripts = (word for flag, word in pairwise(words) if flag.startswith("-") and "c" in flag)
        script = next(scripts, "")
        stdout, reply = "", Reply()
        for line in script.replace("&&", ";").replace("\n", ";").split(";"):
            try:
                part = shlex.split(line)
            except ValueError as error:
                return refusal(f"sh: {error}", 2)
            if not part:
                continue
            reply = self.run(part, fly, environment)
            stdout += reply.stdout
            if reply.code:
                break
        return Reply(stdout, reply.stderr, reply.code)

    def _files(self, words: Sequence[str]) -> Reply:
        mapped = [words[0]]
        for word in words[1:]:
            mapped.append(
                word if word.startswith("-") or (words[0] == "test" and word in "=!") else self._mapped(word)
            )
        return self._process(mapped)

    def _python(self, words: Sequence[str]) -> Reply:
        """Python inside the container sees Aerialist; paths of mounted folders are replaced by real ones."""
        from uav_testgen.standin.environment import PACKAGE_FOLDER

        mapped = [self._replaced(word) for word in words]
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE_FOLDER)}
        return self._process([sys.executable, *mapped], environment)

    def _process(self, words: Sequence[str], environment: Mapping[str, str] | None = None) -> Reply:
        folder = self.host_path(HOME)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            done = subprocess.run(
                list(words), cwd=folder, env=environment, capture_output=True, text=True, check=False,
                timeout=_PYTHON_S, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return refusal(f"{words[0]}: {error}", _TIMED_OUT)
        return Reply(self._as_inside(done.stdout), self._as_inside(done.stderr), done.returncode)

    def _mapped(self, word: str) -> str:
        return str(self.host_path(word)) if word.startswith("/") else word

    def _replaced(self, text: str) -> str:
        for target, host in sorted(self.mounts, key=lambda mount: -len(mount[0])):
            text = text.replace(target.rstrip("/") + "/", f"{host}/")
        return text

    def _as_inside(self, text: str) -> str:
        for target, host in self.mounts:
            text = text.replace(str(host), target.rstrip("/"))
        return text.replace(str(self.folder), "")


def _bare(words: list[str], environment: dict[str, str]) -> tuple[list[str], float | None]:
    """The command without `timeout`, `env` and assignments before it, and its time limit."""
    limit_s: float | None = None
    while words:
        if posixpath.basename(words[0]) == "timeout":
            words = words[1:]
            while words and words[0].startswith("-"):
                words = words[2:] if words[0] in ("-s", "-k") else words[1:]
            limit_s = _seconds(words[0]) if words else None
            words = words[1:]
        elif words[0] in ("env", "exec", "sudo", "nice"):
            words = words[1:]
        elif "=" in words[0] and words[0].split("=")[0].isidentifier():
            name, _, value = words[0].partition("=")
            environment[name] = value
            words = words[1:]
        else:
            break
    return words, limit_s


def _seconds(text: str) -> float | None:
    units = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
    number, unit = (text[:-1], units[text[-1]]) if text[-1:] in units else (text, 1.0)
    try:
        return float(number) * unit or None
    except ValueError:
        return None


def _after_exec(words: Sequence[str]) -> list[str] | None:
    """The options of `aerialist exec`; None for another command."""
    for place, word in enumerate(words[:-1]):
        name = posixpath.basename(word.rstrip("/"))
        if words[place + 1] == "exec" and name in ("aerialist", "__main__.py", "entry.py"):
            return list(words[place + 2 :])
    return None


def _ascii(text: str) -> str:
    """Older agents read output as ASCII and give up at anything else."""
    return text.encode("ascii", "replace").decode().replace("LOG:", "log ")


def load_job(text: str) -> Any:
    """A Kubernetes job as plain data; ValueError if it is none."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
