"""The `docker` that programs find first in their PATH: the calls of Aerialist's agents, without a container."""

from __future__ import annotations

import os
import posixpath
import secrets
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.standin.container import HOME, Container, Fly
from uav_testgen.standin.reply import Call, Reply, refusal

_FLAGS = {
    "--rm", "-d", "--detach", "-t", "--tty", "-i", "--interactive", "--privileged", "--init", "-q", "--quiet",
    "-f", "--force", "-a", "--all", "--no-trunc", "--read-only", "-L", "--follow-link", "--sig-proxy",
}  # fmt: skip
_ALIASES = {"--env": "-e", "--volume": "-v", "--detach": "-d", "--workdir": "-w", "--format": "-f"}


class Docker:
    """All containers of one session; calls may come at the same time."""

    def __init__(self, folder: Path, fly: Fly) -> None:
        self._folder = folder
        self._fly = fly
        self._lock = threading.Lock()
        self._containers: dict[str, Container] = {}

    def call(self, call: Call) -> Reply:
        """One `docker …` command."""
        words = list(call.words)
        while words and words[0] in ("-H", "--host", "--context", "--config", "-l", "--log-level"):
            words = words[2:]
        if words[:1] in (["container"], ["image"]) and len(words) > 1:
            words = [words[0] + " " + words[1], *words[2:]] if words[0] == "image" else words[1:]
        name, rest = (words[0], words[1:]) if words else ("--help", [])
        handler = {
            "run": self._run, "exec": self._exec, "cp": self._cp, "kill": self._end, "stop": self._end, "rm": self._end,
            "create": self._run, "start": self._named, "wait": self._wait, "logs": self._logs, "ps": self._ps,
            "ls": self._ps, "inspect": self._inspect,
        }.get(name)  # fmt: skip
        if handler is not None:
            try:
                return handler(rest, call)
            except UavTestgenError as error:
                return refusal(f"docker: {error}", 125)
        if name in (
            "pull",
            "info",
            "login",
            "images",
            "image inspect",
            "image ls",
            "image pull",
            "--help",
            "network",
            "system",
        ):
            return Reply()
        if name in ("version", "--version", "-v"):
            return Reply(stdout="Docker version 0 (stand-in of uav_testgen)\n")
        return refusal(
            f"docker: '{name}' is not answered by the stand-in; it knows run, exec, cp, kill, stop, rm, ps"
        )

    def make(self, mounts: Sequence[tuple[str, Path]] = (), name: str = "", **environment: str) -> Container:
        """A new container."""
        identity = secrets.token_hex(32)
        folder = self._folder / identity[:12]
        (folder / HOME.lstrip("/")).mkdir(parents=True)
        made = Container(identity, folder, name, "", tuple(mounts), environment)
        with self._lock:
            self._containers[identity] = made
        return made

    def _run(self, words: list[str], call: Call) -> Reply:
        options, rest = _options(words)
        if not rest:
            return refusal('docker: "docker run" requires at least 1 argument', 1)
        name = options.get("--name", [""])[-1]
        with self._lock:
            if name and any(one.name == name and one.running for one in self._containers.values()):
                return refusal(
                    f'docker: Error response from daemon: Conflict. The container name "/{name}" is in use.',
                    125,
                )
        environment = dict(_assignment(text, call) for text in options.get("-e", []))
        for file in options.get("--env-file", []):
            environment.update(_environment_file(Path(call.folder) / file))
        mounts = [_mount(text, call.folder) for text in options.get("-v", [])]
        mounts += [_long_mount(text, call.folder) for text in options.get("--mount", [])]
        made = self.make([one for one in mounts if one is not None], name, **environment)
        made.image = rest[0]
        command = rest[1:]
        if "--entrypoint" in options:
            command = [*options["--entrypoint"][-1].split(), *command]
        if not command:
            return Reply(stdout=f"{made.identity}\n")
        reply = made.run(command, self._fly)
        made.running, made.output, made.code = False, reply.stdout, reply.code
        return Reply(stdout=f"{made.identity}\n") if "-d" in options else reply

    def _exec(self, words: list[str], call: Call) -> Reply:
        options, rest = _options(words)
        container = self._find(rest[0]) if rest else None
        if container is None or not container.running:
            return refusal(f"Error response from daemon: No such container: {rest[0] if rest else ''}")
        environment = dict(_assignment(text, call) for text in options.get("-e", []))
        return container.run(rest[1:], self._fly, environment)

    def _cp(self, words: list[str], call: Call) -> Reply:
        _, rest = _options(words)
        if len(rest) != 2:
            return refusal('"docker cp" requires exactly 2 arguments')
        places = [self._place(word, call.folder) for word in rest]
        if None in places:
            return refusal(
                f"Error response from daemon: No such container: {rest[places.index(None)].partition(':')[0]}"
            )
        source, target = places
        assert source is not None and target is not None
        if not source.exists():
            return refusal(f"Error response from daemon: Could not find the file {rest[0]}")
        if target.is_dir() or rest[1].endswith(("/", "/'")):
            target = target / source.name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            else:
                shutil.copyfile(source, target)
        except OSError as error:
            return refusal(f"docker cp: {error.strerror}: {target}")
        return Reply()

    def _place(self, word: str, folder: str) -> Path | None:
        before, colon, path = word.partition(":")
        if not colon or "/" in before:
            return Path(os.path.join(folder, word))
        container = self._find(before)
        return None if container is None else container.host_path(posixpath.join("/", path))

    def _end(self, words: list[str], call: Call) -> Reply:
        _, rest = _options(words)
        replies = []
        for word in rest:
            container = self._find(word)
            if container is None:
                replies.append(refusal(f"Error response from daemon: No such container: {word}"))
                continue
            container.running = False
            shutil.rmtree(container.folder, ignore_errors=True)
            replies.append(Reply(stdout=f"{word}\n"))
        return Reply(
            "".join(r.stdout for r in replies),
            "".join(r.stderr for r in replies),
            max((r.code for r in replies), default=0),
        )

    def _named(self, words: list[str], call: Call) -> Reply:
        _, rest = _options(words)
        missing = [word for word in rest if self._find(word) is None]
        if missing:
            return refusal(f"Error response from daemon: No such container: {missing[0]}")
        return Reply(stdout="".join(f"{word}\n" for word in rest))

    def _wait(self, words: list[str], call: Call) -> Reply:
        container = self._find(words[-1]) if words else None
        return (
            refusal("Error: No such container") if container is None else Reply(stdout=f"{container.code}\n")
        )

    def _logs(self, words: list[str], call: Call) -> Reply:
        container = self._find(words[-1]) if words else None
        return refusal("Error: No such container") if container is None else Reply(stdout=container.output)

    def _ps(self, words: list[str], call: Call) -> Reply:
        every = "-a" in words or "--all" in words
        with self._lock:
            shown = [one for one in self._containers.values() if every or one.running]
        if any("q" in word for word in words if word.startswith("-") and not word.startswith("--")):
            return Reply(stdout="".join(f"{one.identity[:12]}\n" for one in shown))
        lines = [
            "CONTAINER ID   IMAGE   NAMES",
            *(f"{one.identity[:12]}   {one.image}   {one.name}" for one in shown),
        ]
        return Reply(stdout="\n".join(lines) + "\n")

    def _inspect(self, words: list[str], call: Call) -> Reply:
        options, rest = _options(words, {"-f", "--format", "--type"})
        container = self._find(rest[-1]) if rest else None
        if container is None:
            return refusal(f"Error: No such object: {rest[-1] if rest else ''}")
        wanted = options.get("-f", [""])[-1]
        if "Running" in wanted:
            return Reply(stdout=f"{str(container.running).lower()}\n")
        state = "running" if container.running else "exited"
        if "Status" in wanted:
            return Reply(stdout=f"{state}\n")
        return Reply(stdout=f'[{{"Id": "{container.identity}", "State": {{"Status": "{state}"}}}}]\n')

    def _find(self, word: str) -> Container | None:
        with self._lock:
            for one in reversed(self._containers.values()):
                if word and (one.name == word or one.identity.startswith(word)):
                    return one
        return None


def _options(words: Sequence[str], valued: set[str] | None = None) -> tuple[dict[str, list[str]], list[str]]:
    """(options with their values, the words from the first that is none on)."""
    found: dict[str, list[str]] = {}
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word, *rest = rest
        if word == "--":
            break
        name, equals, value = word.partition("=")
        takes = (valued is not None and name in valued) or (name not in _FLAGS and not _is_bundle(name))
        if not equals and takes:
            value = rest.pop(0) if rest else ""
        for one in [f"-{letter}" for letter in name[1:]] if _is_bundle(name) else [_ALIASES.get(name, name)]:
            found.setdefault(one, []).append(value)
    return found, rest


def _is_bundle(name: str) -> bool:
    """-td, -it, -itd: several flags in one word."""
    return not name.startswith("--") and len(name) > 1 and set(name[1:]) <= set("ditq")


def _assignment(text: str, call: Call) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    return (name, value if equals else call.environment.get(name, ""))


def _environment_file(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return {}
    pairs = (line.partition("=") for line in lines if "=" in line and not line.lstrip().startswith("#"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _mount(text: str, folder: str) -> tuple[str, Path] | None:
    parts = text.split(":")
    if len(parts) < 2:
        return None
    return (posixpath.normpath(parts[1]), Path(os.path.join(folder, os.path.expanduser(parts[0]))).resolve())


def _long_mount(text: str, folder: str) -> tuple[str, Path] | None:
    pairs = dict(part.partition("=")[::2] for part in text.split(","))
    source = pairs.get("source", pairs.get("src"))
    target = pairs.get("target", pairs.get("dst", pairs.get("destination")))
    return _mount(f"{source}:{target}", folder) if source and target else None
