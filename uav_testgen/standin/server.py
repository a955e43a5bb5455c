"""Answers the stand-ins over a socket in a private folder: one line of JSON in, one line of JSON out."""

from __future__ import annotations

import json
import logging
import socketserver
import threading
from pathlib import Path
from typing import Any

from uav_testgen.core.config import in_one_line, read_yaml
from uav_testgen.core.errors import UavTestgenError
from uav_testgen.core.files import write_text, yaml_text
from uav_testgen.scenario.arena import Arena
from uav_testgen.standin.answers import Answers
from uav_testgen.standin.docker import Docker
from uav_testgen.standin.kubernetes import Kubernetes
from uav_testgen.standin.reply import MOST_CHARACTERS, MOST_WORDS, Call
from uav_testgen.standin.request import make_request

_log = logging.getLogger(__name__)
SOCKET = "socket"
_MOST_BYTES = 16 * 1024 * 1024


class Server:
    """While entered, programs that know the socket are answered."""

    def __init__(self, folder: Path, answers: Answers, arena: Arena | None = None) -> None:
        self._answers = answers
        self._arena = arena
        self._docker = Docker(folder / "containers", answers.fly)
        self._kubernetes = Kubernetes(self._docker, answers.fly)
        self.address = folder / SOCKET
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                line = self.rfile.readline(_MOST_BYTES + 1)
                if line:
                    self.wfile.write(json.dumps(outer.answer(line)).encode() + b"\n")

        self._server = _Threads(str(self.address), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, line: bytes) -> dict[str, Any]:
        """The answer to one line; whatever is wrong with it is told, never raised."""
        try:
            asked = json.loads(line)
            return self._answer(asked)
        except UavTestgenError as error:
            return {"error": str(error)}
        except Exception as error:  # one bad question must not end the others' session
            _log.warning(
                "a question of the program could not be answered: %s", in_one_line(error), exc_info=True
            )
            return {"error": f"unexpected {type(error).__name__}: {in_one_line(error)}"}

    def _answer(self, asked: Any) -> dict[str, Any]:
        what = asked["what"]
        if what in ("docker", "kubectl", "yq"):
            call = _call(asked)
            handler = {
                "docker": self._docker.call,
                "kubectl": self._kubernetes.kubectl,
                "yq": self._kubernetes.yq,
            }
            return handler[what](call).to_json()
        folder = Path(str(asked["folder"]))
        if what == "fly":
            return self._fly(folder, asked)
        if what == "read_yaml":
            return {"data": read_yaml(folder / str(asked["path"]))}
        if what == "write_yaml":
            write_text(folder / str(asked["path"]), yaml_text(asked["data"]))
            return {}
        if what == "plot":
            from uav_testgen.standin.plot import plot_positions

            plot_positions(folder / str(asked["path"]), asked["data"])
            return {}
        return {"error": f"'{what}' is not answered"}

    def _fly(self, folder: Path, asked: dict[str, Any]) -> dict[str, Any]:
        environment = {str(key): str(value) for key, value in dict(asked.get("environment") or {}).items()}
        test = folder / str(asked.get("name") or "test.yaml")
        found = self._answers.fly(make_request(test, asked["data"], environment, self._arena))
        if found.log is None:
            return {"error": found.message}
        return {"log": str(found.log), "unfinished": found.unfinished, "message": found.message}


class _Threads(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 128


def _call(asked: dict[str, Any]) -> Call:
    words = [str(word)[:MOST_CHARACTERS] for word in asked["words"]][:MOST_WORDS]
    environment = {str(key): str(value) for key, value in dict(asked.get("environment") or {}).items()}
    return Call(tuple(words), str(asked["folder"]), environment, str(asked.get("stdin") or ""))
