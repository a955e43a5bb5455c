"""Hands questions of the started program to the server of `uav-testgen as-aerialist`.

As a script it is `docker`, `kubectl` and `yq`. Standard library only, Python 3.8.
"""

import json
import os
import socket
import sys
import time

SOCKET_NAME = "UAV_TESTGEN_SOCKET"
# What the stand-ins look at; nothing else of the environment leaves the program.
FORWARDED = ("SIMULATION_TIMEOUT", "LOGS_COPY_DIR", "KUBE_VOLUME_PATH", "DOCKER_VOLUME_PATH")


class NoAnswer(Exception):
    """The server is gone or could not answer."""


def ask(what, **details):
    """The server's answer as a dictionary; NoAnswer says why there is none."""
    address = os.environ.get(SOCKET_NAME)
    if not address:
        raise NoAnswer("not started by 'uav-testgen as-aerialist'")
    question = {"what": what, "folder": os.getcwd(), "environment": forwarded()}
    question.update(details)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
            link.connect(address)
            link.sendall(json.dumps(question).encode("utf-8") + b"\n")
            with link.makefile("rb") as stream:
                line = stream.readline()
        answer = json.loads(line.decode("utf-8"))
    except (OSError, ValueError) as error:
        raise NoAnswer("'uav-testgen as-aerialist' does not answer: {}".format(error))
    if "error" in answer:
        raise NoAnswer(answer["error"])
    return answer


def forwarded():
    """The part of the environment that decides an answer."""
    return {name: os.environ[name] for name in FORWARDED if name in os.environ}


def main(name, words):
    """Be a program of this name: its output and exit code come from the server."""
    stdin = sys.stdin.read() if name == "kubectl" and "-f" in words and "-" in words else ""
    while True:
        try:
            answer = ask(name, words=words, stdin=stdin)
        except NoAnswer as error:
            sys.stderr.write("{}: {}\n".format(name, error))
            return 1
        sys.stdout.write(answer["stdout"])
        sys.stderr.write(answer["stderr"])
        if answer["again_s"] is None:
            return answer["code"]
        time.sleep(answer["again_s"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
