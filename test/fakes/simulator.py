"""A user's simulator for tests: it flies blindly along the route, or misbehaves in one of many ways.

    python simulator.py --do WHAT --scene FILE --out DIR [--seed N]

Every call is one line in the file STAND_IN_CALLS. Only the standard library and YAML: it must start quickly.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

import yaml

SPEED_MPS = 5.0
PERIOD_S = 0.1


def path_of(mission: dict, side_m: float) -> list[list[float]]:
    """t, x, y, z, yaw: up over home, along the waypoints, down at the last one; shifted to one side."""
    home = mission.get("home_enu_m", [0.0, 0.0, 0.0])
    up_m = mission.get("takeoff_altitude_m", 10.0)
    corners = [list(home), [home[0], home[1], home[2] + up_m]]
    corners += [list(one["position_enu_m"]) for one in mission["waypoints"]]
    for corner in corners[2:]:
        corner[0] += side_m
    corners.append([*corners[-1][:2], 0.0])
    rows, t_s = [], 0.0
    for begin, end in itertools.pairwise(corners):
        steps = max(1, math.ceil(math.dist(begin, end) / (SPEED_MPS * PERIOD_S)))
        yaw = math.atan2(end[1] - begin[1], end[0] - begin[0])
        for step in range(steps):
            share = step / steps
            rows.append([t_s, *(a + share * (b - a) for a, b in zip(begin, end, strict=True)), yaw])
            t_s += PERIOD_S
    rows.append([t_s, *corners[-1], 0.0])
    return rows


def write_csv(out: Path, rows: list[list[float]]) -> None:
    lines = ["t_s,x_m,y_m,z_m,yaw_rad", *(",".join(f"{value:.4f}" for value in row) for row in rows)]
    (out / "flight.csv").write_text("\n".join(lines) + "\n")


def write_ulog(out: Path, rows: list[list[float]], truth_off_m: float | None) -> None:
    import numpy as np

    from uav_testgen.flight.model import Trajectory
    from uav_testgen.testing.flight_logs import log_bytes

    table = np.array(rows)
    velocity = np.gradient(table[:, 1:4], table[:, 0], axis=0)
    flown = Trajectory(table[:, 0], table[:, 1:4], velocity, table[:, 4])
    truth = None
    if truth_off_m is not None:
        share = np.clip(table[:, 0] / table[-1, 0] * 4.0, 0.0, 1.0)[:, None]
        truth = Trajectory(
            table[:, 0], table[:, 1:4] + share * [truth_off_m, 0.0, 0.0], velocity, table[:, 4]
        )
    (out / "log").mkdir()
    (out / "log" / "flight.ulg").write_bytes(log_bytes(flown, truth=truth))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--do", default="fly")
    parser.add_argument("--scene", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if calls := os.environ.get("STAND_IN_CALLS"):
        with open(calls, "a", encoding="utf-8") as stream:
            stream.write(json.dumps({"do": given.do, "scene": str(given.scene), "seed": given.seed}) + "\n")
    what = given.do
    if plan := os.environ.get("STAND_IN_PLAN"):
        # One word for each call; the last one stays.
        words = Path(plan).read_text().split()
        what = words[0]
        if len(words) > 1:
            Path(plan).write_text(" ".join(words[1:]))
    scene = yaml.safe_load(given.scene.read_text())
    rows = path_of(scene["mission"], 0.2 * (given.seed % 7) / 7.0)
    return act(what, given.out, scene, rows)


def act(what: str, out: Path, scene: dict, rows: list[list[float]]) -> int:
    if what == "die":
        sys.stderr.write("segmentation fault, or so\n")
        return 139
    if what == "flood":
        while True:
            sys.stdout.write("cannot find the plug-in\n" * 10_000)
    if what == "pipe":
        os.mkfifo(out / "flight.csv")
        return 0
    if what == "endless":
        (out / "flight.csv").symlink_to("/dev/zero")
        return 0
    if what == "down":
        rows = [[t_s, y, x, -z, yaw] for t_s, x, y, z, yaw in rows]
    if what == "nothing":
        return 0
    if what == "hang":
        time.sleep(600)
    if what == "hang-late":
        write_csv(out, rows[: len(rows) // 2])
        time.sleep(600)
    if what == "garbage":
        (out / "flight.csv").write_bytes(bytes(range(256)) * 20)
        return 0
    if what == "garbage-log":
        (out / "flight.ulg").write_bytes(b"ULog" + bytes(range(256)) * 20)
        return 0
    if what == "cut":
        write_csv(out, rows)
        whole = (out / "flight.csv").read_text()
        (out / "flight.csv").write_text(whole[: len(whole) // 2].rsplit(",", 1)[0])
        return 0
    if what == "elsewhere":
        rows = [[row[0], row[1] + 500.0, *row[2:]] for row in rows]
    if what == "teleport":
        rows[len(rows) // 2][1] += 900.0
    if what == "grounded":
        rows = [[*row[:3], 0.0, row[4]] for row in rows]
    if what == "backwards":
        rows = rows[::-1]
    if what == "infinite":
        rows[3][2] = math.inf
    if what == "early":
        rows = rows[: len(rows) // 3]
        rows.append([rows[-1][0] + 5.0, *rows[-1][1:3], 0.0, 0.0])
    if what == "child":
        # A simulator that leaves something behind, out of its process group.
        child = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True
        )
        Path(os.environ["STAND_IN_CHILD"]).write_text(str(child.pid))
    if what in ("ulog", "ulog-truth"):
        write_ulog(out, rows, 0.8 if what == "ulog-truth" else None)
        return 0
    write_csv(out, rows)
    if what == "says-collision":
        (out / "result.json").write_text(json.dumps({"ending": "collision", "reason": "touched a tree"}))
    if what == "lies-arrived":
        write_csv(out, rows[: len(rows) // 3])
        (out / "result.json").write_text(json.dumps({"ending": "goal_reached"}))
    if what == "poses":
        # The first obstacle is 2 m to the side of where the vehicle is at half time, all the time.
        middle = rows[len(rows) // 2]
        lines = ["t_s,obstacle,x_m,y_m,z_m,yaw_rad"]
        lines += [f"{row[0]},1,{middle[1] + 2.0},{middle[2]},{middle[3]},0" for row in rows[::10]]
        (out / "obstacles.csv").write_text("\n".join(lines) + "\n")
    if what == "bad-poses":
        (out / "obstacles.csv").write_text("t_s,obstacle,x_m,y_m,z_m,yaw_rad\n0,9,0,0,0,0\n")
    return 7 if what == "dies-after" else 0


if __name__ == "__main__":
    sys.exit(main())
