"""The studio while a wall is dragged: time from a request at the server to its path, mission 2 by default.

python benchmarks/studio.py [--requests N] [--scene NAME] [--json]
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from typing import Any

import numpy as np
from websockets.sync.client import ClientConnection, connect

from uav_testgen.scenario.formats.scenes import load_scene


def start(folder: str) -> tuple[subprocess.Popen[str], int, str]:
    words = [sys.executable, "-m", "uav_testgen.cli.main", "studio", folder, "--port", "0", "--no-browser"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r":(\d+)/\?token=(\S+)", process.stdout.readline())
    assert found, "the studio printed no address"
    return process, int(found[1]), found[2]


def fly(socket: ClientConnection, scene: dict[str, Any], number: int) -> dict[str, Any]:
    socket.send(json.dumps({"type": "scene", "id": number, "scene": scene, "settled": False}))
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=300))
        if message["type"] == "error":
            raise SystemExit(message["message"])
        if message["type"] == "path" and message["id"] == number:
            return message


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=200, metavar="N")
    parser.add_argument("--scene", default="two_walls")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    scene = load_scene(arguments.scene).model_dump(mode="json")
    last = scene["obstacles"][-1]
    centre = list(last["center_enu_m"])
    saved, cpu_ms, there_and_back_ms, unfinished = [], [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        process, port, token = start(folder)
        try:
            with connect(f"ws://127.0.0.1:{port}/live?token={token}") as socket:
                fly(socket, scene, 0)  # waits until the workers are warm
                for number in range(1, arguments.requests + 1):
                    # A circle with a radius of 2 m, as a hand would draw it.
                    angle = 0.15 * number
                    last["center_enu_m"] = [
                        centre[0] + 2.0 * math.sin(angle), centre[1] + 2.0 * (1.0 - math.cos(angle)), centre[2],
                    ]  # fmt: skip
                    begin_s = time.perf_counter()
                    answer = fly(socket, scene, number)
                    saved.append(answer["saved_steps"])
                    cpu_ms.append(answer["cpu_ms"])
                    unfinished += answer["path"]["outcome"] == "unfinished"
                    there_and_back_ms.append(1000.0 * (time.perf_counter() - begin_s))
            request = urllib.request.Request(
                f"http://127.0.0.1:{port}/api/latency", headers={"X-Studio-Token": token}
            )
            with urllib.request.urlopen(request) as told:
                server_ms = json.load(told)["ms"]
        finally:
            process.terminate()
            process.wait(10)
    rows = {
        "request to path, at the server": server_ms,
        "of it CPU time of the flight": cpu_ms,  # says the same on a busy machine
        "there and back, at the client": there_and_back_ms,
    }
    found = {
        name: {f"p{q}_ms": round(float(np.percentile(values, q)), 1) for q in (5, 50, 95, 99)}
        for name, values in rows.items()
    }
    if arguments.json:
        print(
            json.dumps(
                {
                    **found,
                    "requests": len(server_ms),
                    "median_saved_steps": float(np.median(saved)),
                    "unfinished": unfinished,
                }
            )
        )
        return
    print(f"{arguments.scene}: {len(server_ms)} edits of its last obstacle; steps taken over from the flight before: "
          f"median {np.median(saved):.0f}; shown before their end: {unfinished}")  # fmt: skip
    for name, values in found.items():
        print(f"  {name:32} " + "  ".join(f"{key[:-3]} {value:6.1f} ms" for key, value in values.items()))


if __name__ == "__main__":
    main()
