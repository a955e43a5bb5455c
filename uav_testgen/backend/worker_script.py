"""A worker in one file, for the container or machine where Aerialist is installed.

    python3 worker.py DIR

It takes jobs from DIR/jobs, has Aerialist simulate them in this very Python, and writes results to DIR/results, from
where a campaign with the backend 'folder' reads them. Standard library only, Python 3.8 or later. What is no job is
moved to DIR/refused; nothing in the folder ends the worker.
"""

import argparse
import contextlib
import copy
import fcntl
import json
import logging
import math
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

FORMAT = 1
FOLDERS = ("jobs", "taken", "results", "failed", "refused", "workers")
MOST_BYTES = 8 * 1024 * 1024
MOST_ATTEMPTS = 3
MOST_POINTS = 1000
LOOK_EVERY_S = 0.5
NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
HOME_DEG = (47.397742, 8.545594, 488.0)
EARTH_RADIUS_M = 6371000.0
ARRIVAL_M, IN_AIR_M, OFF_GROUND_M = 5.0, 1.0, 0.3
PARAMETERS = {
    "NAV_ACC_RAD": 0.5, "NAV_MC_ALT_RAD": 0.5, "NAV_RCL_ACT": 3, "NAV_DLL_ACT": 0, "MIS_YAW_ERR": 12.0,
    "MIS_TAKEOFF_ALT": 1.0, "MPC_YAW_MODE": 0, "SDLOG_PROFILE": 7,
}  # fmt: skip
START_MISSION = {"timestamp": 1, "mode": 3, "x": 0, "y": 0, "z": 0.5, "r": 0}
WIND = {
    "velocity_mean_mps": "velocity_mean", "velocity_max_mps": "velocity_max", "velocity_variance": "velocity_variance",
    "direction_enu": "direction", "direction_variance": "direction_variance", "gust_start_s": "gust_start",
    "gust_duration_s": "gust_duration", "gust_velocity_mean_mps": "gust_velocity_mean",
    "gust_velocity_max_mps": "gust_velocity_max", "gust_velocity_variance": "gust_velocity_variance",
    "gust_direction_enu": "gust_direction", "gust_direction_variance": "gust_direction_variance",
}  # fmt: skip
log = logging.getLogger("worker")


class NotAJob(Exception):
    """A file or a scenario that Aerialist cannot simulate."""


# The folder: every step is one rename or one link


class Queue(object):
    """DIR, shared with campaigns and with other workers."""

    def __init__(self, folder, worker, lease_s):
        self.folder, self.worker, self.lease_s = folder, worker, lease_s
        for name in FOLDERS:
            os.makedirs(self.path(name), exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW
        self.lock = os.open(self.path("workers", worker + ".lock"), flags, 0o644)
        fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def path(self, *names):
        """A path in the folder."""
        return os.path.join(self.folder, *names)

    def names(self, part):
        """Files of a part of the folder, oldest first."""
        found = [
            name
            for name in os.listdir(self.path(part))
            if name.endswith(".json") and not name.startswith(".")
        ]
        return sorted(found, key=lambda name: _age(self.path(part, name)))

    def claim(self):
        """(job id, body, path) of the next job; None if there is none."""
        self.requeue_expired()
        for name in self.names("jobs"):
            job, source = name[: -len(".json")], self.path("jobs", name)
            target = self.path("taken", "{}@{}.json".format(job, self.worker))
            try:
                if not NAME.fullmatch(job):
                    raise NotAJob("its name is not the name of a job")
                os.utime(source, follow_symlinks=False)  # the lease is new before others see it
                os.rename(source, target)
                body = read_object(target)
                if body.get("format") != FORMAT or body.get("id") != job:
                    raise NotAJob("another format or id")
                attempts = body.get("attempts")
                if type(attempts) is not int or not 0 <= attempts < 1000000:
                    raise NotAJob("attempts is a whole number from 0")
                if os.path.exists(self.path("results", name)):
                    os.unlink(target)
                    continue
                body["attempts"] = attempts + 1
                self.write(target, json.dumps(body))
                return job, body, target
            except FileNotFoundError:
                continue  # another worker was quicker
            except Exception as error:
                self.refuse(target if os.path.lexists(target) else source, error)
        return None

    def requeue_expired(self):
        """Back to the queue with what a silent worker holds, and with what a namesake of ours left behind."""
        probe = self.path("workers", ".clock-{}".format(os.getpid()))
        with open(probe, "w"):
            now_s = os.stat(probe).st_mtime  # the clock of the folder, not ours
        os.unlink(probe)
        for name in self.names("taken"):
            path = self.path("taken", name)
            job, _, worker = name[: -len(".json")].rpartition("@")
            with contextlib.suppress(OSError):
                if worker == self.worker or now_s - os.lstat(path).st_mtime > self.lease_s:
                    os.rename(path, self.path("jobs", job + ".json"))

    def refuse(self, path, why):
        """Aside with what is no job."""
        log.warning("%s: not a job (%s); it is moved to refused/", path[-200:], str(why)[:200])
        for name in (os.path.basename(path), "{}.json".format(time.time_ns())):
            target = self.path("refused", name)
            with contextlib.suppress(OSError):
                if not os.path.lexists(target):
                    os.rename(path, target)
                    return

    def complete(self, job, path, result):
        """Hand in a result; the first one counts."""
        text = json.dumps(dict(result, format=FORMAT, id=job, worker=self.worker), allow_nan=False)
        temporary = self.path("results", ".{}.{}".format(job, os.getpid()))
        self.write(temporary, text)
        try:
            with contextlib.suppress(FileExistsError):
                os.link(temporary, self.path("results", job + ".json"))
        finally:
            os.unlink(temporary)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)

    def write(self, path, text):
        """A whole file or nothing."""
        temporary = "{}.{}.tmp".format(path, os.getpid())
        with open(temporary, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)


def _age(path):
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _no_number(name):
    raise NotAJob("{} is no number in JSON".format(name))


def read_object(path):
    """A JSON object from a regular file of limited size; never waits and follows no link."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise NotAJob("a regular file is expected")
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise NotAJob("more than {} bytes".format(MOST_BYTES))
    body = json.loads(data.decode("utf-8"), parse_constant=_no_number)
    if not isinstance(body, dict):
        raise NotAJob("a JSON object is expected")
    return body


# From a scenario (east, north, up) to Aerialist's test frame (north, east, up)


def _number(value, what, limit=1e5):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= limit:
        raise NotAJob("{}: a number is expected".format(what))
    return float(value)


def _vector(value, what, length=3):
    if not isinstance(value, list) or len(value) != length:
        raise NotAJob("{}: {} numbers are expected".format(what, length))
    return [_number(one, what) for one in value]


def plan_of(mission):
    """A QGroundControl plan: take-off over home, the waypoints, landing at the last one."""
    items = []

    def add(command, east, north, altitude):
        latitude = HOME_DEG[0] + math.degrees(north / EARTH_RADIUS_M)
        longitude = HOME_DEG[1] + math.degrees(east / (EARTH_RADIUS_M * math.cos(math.radians(HOME_DEG[0]))))
        items.append({
            "type": "SimpleItem", "autoContinue": True, "doJumpId": len(items) + 1, "command": command, "frame": 3,
            "Altitude": altitude, "AltitudeMode": 1, "params": [0, 0, 0, None, latitude, longitude, altitude],
        })  # fmt: skip

    home = _vector(mission.get("home_enu_m", [0.0, 0.0, 0.0]), "home_enu_m")
    if mission.get("takeoff", True):
        add(22, home[0], home[1], _number(mission.get("takeoff_altitude_m", 10.0), "takeoff_altitude_m"))
    waypoints = mission.get("waypoints")
    if not isinstance(waypoints, list) or not 1 <= len(waypoints) <= MOST_POINTS:
        raise NotAJob("waypoints: 1 to {} are expected".format(MOST_POINTS))
    for number, waypoint in enumerate(waypoints):
        east, north, up = _vector(waypoint["position_enu_m"], "waypoint")
        landing = mission.get("land", True) and number == len(waypoints) - 1
        add(21 if landing else 16, east, north, 0.0 if landing else up)
    return {
        "fileType": "Plan", "version": 1, "groundStation": "QGroundControl",
        "geoFence": {"circles": [], "polygons": [], "version": 2}, "rallyPoints": {"points": [], "version": 2},
        "mission": {
            "version": 2, "firmwareType": 12, "vehicleType": 2, "cruiseSpeed": 15, "hoverSpeed": 5,
            "globalPlanAltitudeMode": 1, "plannedHomePosition": list(HOME_DEG), "items": items,
        },
    }  # fmt: skip


def obstacle_of(obstacle):
    """An obstacle as Aerialist writes it."""
    shape = obstacle.get("shape", "box")
    if shape not in ("box", "cylinder") or obstacle.get("motion") is not None:
        raise NotAJob("Aerialist knows boxes and cylinders that stand still only")
    east, north, up = _vector(obstacle["center_enu_m"], "center_enu_m")
    w, l, h = _vector(obstacle["size_m"], "size_m")  # noqa: E741
    # Counter-clockwise in ENU is clockwise where x is north and y east.
    turned = -math.degrees(_number(obstacle.get("yaw_rad", 0.0), "yaw_rad", 1000.0)) % 360.0
    place = {"x": north, "y": east, "z": up - 0.5 * h, "r": turned}
    place = {key: round(value, 9) + 0.0 for key, value in place.items()}
    size = {key: round(value, 9) for key, value in (("l", l), ("w", w), ("h", h))}
    if shape == "cylinder":
        size["r"] = 0.5 * l
    return {"shape": shape, "size": size, "position": place}


def test_of(scenario, plan_file):
    """An Aerialist test; NotAJob says what it cannot hold."""
    if not isinstance(scenario, dict) or not isinstance(scenario.get("mission"), dict):
        raise NotAJob("a scenario with a mission is expected")
    if (scenario.get("terrain") or {}).get("landform", "flat") != "flat":
        raise NotAJob("Aerialist knows flat ground only")
    obstacles = scenario.get("obstacles") or []
    simulation = {
        "simulator": "ros", "speed": 1, "headless": True, "obstacles": [obstacle_of(one) for one in obstacles],
    }  # fmt: skip
    wind = scenario.get("wind") or {}
    if wind.get("velocity_mean_mps") or wind.get("gust_velocity_mean_mps") or wind.get("velocity_variance"):
        simulation["wind"] = {theirs: wind[ours] for ours, theirs in WIND.items() if ours in wind}
    return {
        "robot": {"port": "ros", "params": dict(PARAMETERS), "mission_file": plan_file},
        "simulation": simulation,
        "mission": {"commands": [dict(START_MISSION)], "speed": 1},
    }


# A simulation, in a process of its own


def simulate(test_file, agent):
    """Runs in the child: have Aerialist simulate, then print where the log is and what it holds as JSON."""
    try:
        from aerialist.px4.aerialist_test import AerialistTest as Test
        from aerialist.px4.aerialist_test import AgentConfig
    except ImportError:
        from aerialist.px4.drone_test import AgentConfig
        from aerialist.px4.drone_test import DroneTest as Test

        _use_old_keys(test_file)
    import importlib

    from pyulog import ULog

    name = {"local": "LocalAgent", "docker": "DockerAgent", "k8s": "K8sAgent"}[agent]
    module = importlib.import_module("aerialist.px4.{}_agent".format(agent))
    test = Test.from_yaml(test_file)
    test.agent = AgentConfig(agent)
    if agent == "local":
        test.agent.path = None
    results = getattr(module, name)(test).run()
    data = ULog(results[0].log_file, "vehicle_local_position", True).data_list[0].data
    columns = {
        key: [float(v) for v in data[key]]
        for key in ("timestamp", "x", "y", "z", "vx", "vy", "vz", "heading")
    }
    with open(test_file + ".result.json", "w") as stream:
        json.dump({"log": os.path.abspath(results[0].log_file), "columns": columns}, stream)


def _use_old_keys(test_file):
    """Older versions say `drone` and `test`, and know no shapes."""
    with open(test_file) as stream:
        test = json.load(stream)
    renamed = {{"robot": "drone", "mission": "test"}.get(key, key): value for key, value in test.items()}
    renamed["simulation"] = copy.deepcopy(test["simulation"])
    if (
        any(one.pop("shape") != "box" for one in renamed["simulation"]["obstacles"])
        or "wind" in renamed["simulation"]
    ):
        raise NotAJob("this version of Aerialist knows neither cylinders nor wind")
    with open(test_file, "w") as stream:
        json.dump(renamed, stream)


def fly(scenario, seed, scenario_id, arguments, running):
    """The result of one job: a flight, or why there is none."""
    folder = tempfile.mkdtemp(prefix="job-", dir=arguments.work)
    try:
        plan, test = os.path.join(folder, "mission.plan"), os.path.join(folder, "test.yaml")
        written = test_of(scenario, plan)
        for path, data in ((plan, plan_of(scenario["mission"])), (test, written)):
            with open(path, "w") as stream:
                json.dump(data, stream)  # JSON is YAML
        environment = dict(os.environ, SIMULATION_TIMEOUT=str(int(arguments.timeout)))
        words = [sys.executable, os.path.abspath(__file__), "--simulate", test, "--agent", arguments.agent]
        with open(os.path.join(folder, "aerialist.log"), "wb") as output:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment, start_new_session=True,
                cwd=arguments.cwd,
            )  # fmt: skip
            running.append(process)
            try:
                code = process.wait(arguments.timeout + arguments.grace)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                end(process)
                running.remove(process)
        if os.path.isfile(test + ".result.json"):
            with open(test + ".result.json") as stream:
                found = json.load(stream)
            return {
                "status": "flown",
                "flight": flight_of(found, scenario, seed, scenario_id, arguments.keep),
            }
        with open(os.path.join(folder, "aerialist.log"), encoding="utf-8", errors="replace") as stream:
            last = " | ".join(stream.read().strip().splitlines()[-3:])[-600:]
        if code is None:
            return {
                "status": "timeout",
                "message": "no result after {:g} s: {}".format(arguments.timeout, last),
            }
        return {"status": "error", "message": "Aerialist ended with code {}: {}".format(code, last)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def end(process):
    """The process and whatever it started (Gazebo, PX4) must be gone."""
    for number, patience_s in ((signal.SIGINT, 5.0), (signal.SIGTERM, 5.0), (signal.SIGKILL, 1.0)):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, number)
        deadline_s = time.monotonic() + patience_s
        while time.monotonic() < deadline_s:
            process.poll()
            try:
                os.killpg(process.pid, 0)
            except OSError:
                return
            time.sleep(0.05)


def flight_of(found, scenario, seed, scenario_id, keep):
    """A flight as campaigns read it: from leaving the ground on, in east, north, up from the take-off point."""
    columns = found["columns"]
    rows = [
        row
        for row in zip(*(columns[key] for key in ("timestamp", "x", "y", "z")))
        if all(map(math.isfinite, row))
    ]
    if len(rows) < 2:
        raise NotAJob("the log holds no position")
    ups = [columns["z"][0] - z for z in columns["z"]]
    flying = [index for index, up in enumerate(ups) if up > OFF_GROUND_M]
    if not flying:
        raise NotAJob("the vehicle never left the ground")
    first, last = max(flying[0] - 1, 0), min(flying[-1] + 1, len(ups) - 1)
    home = scenario["mission"].get("home_enu_m", [0.0, 0.0, 0.0])
    origin = [columns[key][0] for key in ("x", "y", "z")]
    flight = {"t_s": [], "position_enu_m": [], "velocity_enu_mps": [], "yaw_rad": []}
    for index in range(first, last + 1):
        t_s = round((columns["timestamp"][index] - columns["timestamp"][first]) * 1e-6, 6)
        if flight["t_s"] and t_s <= flight["t_s"][-1]:
            continue
        north, east, down = (columns[key][index] - start for key, start in zip("xyz", origin))
        flight["t_s"].append(t_s)
        flight["position_enu_m"].append(
            [round(east + home[0], 6), round(north + home[1], 6), round(home[2] - down, 6)]
        )
        speed = [columns[key][index] for key in ("vy", "vx", "vz")]
        flight["velocity_enu_mps"].append([round(speed[0], 6), round(speed[1], 6), round(-speed[2], 6)])
        flight["yaw_rad"].append(round(0.5 * math.pi - columns["heading"][index], 6))
    goal = scenario["mission"]["waypoints"][-1]["position_enu_m"]
    end_point = flight["position_enu_m"][-1]
    away_m = math.hypot(end_point[0] - goal[0], end_point[1] - goal[1])
    in_air = last == len(ups) - 1 and ups[-1] > IN_AIR_M
    if in_air and away_m > ARRIVAL_M:
        ending = ("time_limit", "the log ends in the air, {:.1f} m from the last waypoint".format(away_m))
    elif away_m <= ARRIVAL_M:
        ending = ("goal_reached", "the log ends at the last waypoint")
    else:
        ending = (
            "landed_early",
            "the log ends on the ground, {:.1f} m from the last waypoint".format(away_m),
        )
    kept = None
    if keep:
        os.makedirs(keep, exist_ok=True)
        kept = shutil.copy(
            found["log"], os.path.join(keep, "{}-{}.ulg".format(scenario_id or "test", time.time_ns()))
        )
    return {
        "scenario_id": scenario_id, "backend": "aerialist", "system": "px4_gazebo", "seed": seed, "ending": ending[0],
        "reason": ending[1], "trajectory": flight, "details": {"log": kept},
    }  # fmt: skip


def handle(queue, job, body, path, arguments, running):
    """One job; whatever is wrong with it becomes its result."""
    if body["attempts"] > MOST_ATTEMPTS:
        return {
            "status": "error",
            "message": "{} workers died while flying this job".format(body["attempts"] - 1),
        }
    over = threading.Event()

    def renew():
        while not over.wait(queue.lease_s / 4.0):
            with contextlib.suppress(OSError):
                os.utime(path)

    renewal = threading.Thread(target=renew, daemon=True)
    renewal.start()
    began_s = time.monotonic()
    try:
        seed = body.get("seed")
        if type(seed) is not int or not 0 <= seed < 2**63:
            raise NotAJob("seed: a whole number from 0 to 2^63-1 is expected")
        result = fly(body.get("scenario"), seed, str(body.get("scenario_id", ""))[:100], arguments, running)
    except Exception as error:
        result = {"status": "error", "message": "{}: {}".format(type(error).__name__, str(error)[:600])}
    finally:
        over.set()
        renewal.join()
    return dict(result, wall_s=round(time.monotonic() - began_s, 3), attempt=body["attempts"])


def serve(arguments):
    """Work until told to stop, or until the queue is empty."""
    try:
        queue = Queue(arguments.folder, arguments.name, arguments.lease)
    except OSError as error:
        log.error("%s: %s (does a worker named '%s' run already?)", arguments.folder, error, arguments.name)
        return 2
    stop, running = threading.Event(), []

    def leave(number, frame):
        stop.set()
        for process in running:
            end(process)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    log.info(
        "worker '%s' flies with Aerialist's %s agent for %s",
        arguments.name,
        arguments.agent,
        arguments.folder,
    )
    while not stop.is_set():
        try:
            claim = queue.claim()
            if claim is None:
                if arguments.until_empty:
                    break
                stop.wait(LOOK_EVERY_S)
                continue
            job, body, path = claim
            result = handle(queue, job, body, path, arguments, running)
            if stop.is_set():
                body["attempts"] -= 1  # not its fault: somebody else shall fly it
                queue.write(path, json.dumps(body))
                os.rename(path, queue.path("jobs", job + ".json"))
                break
            queue.complete(job, path, result)
            log.info("%s: %s %s", job, result["status"], result.get("message", ""))
        except Exception as error:  # a full disk, a folder that went away: wait and try again
            log.error("unexpected %s: %s", type(error).__name__, error)
            stop.wait(5.0)
    return 0


def main(words=None):
    """The command line."""
    parser = argparse.ArgumentParser(description="Fly jobs from a shared folder with Aerialist.")
    parser.add_argument("folder", metavar="DIR", nargs="?", help="folder shared with the campaign")
    parser.add_argument(
        "--name", default=os.uname().nodename.split(".")[0], help="unique name of this worker"
    )
    parser.add_argument(
        "--agent", default=os.environ.get("AGENT", "local"), choices=("local", "docker", "k8s")
    )
    parser.add_argument("--timeout", type=float, default=1000.0, help="time limit of a simulation [s]")
    parser.add_argument("--grace", type=float, default=60.0, help="time beyond that to end the simulator [s]")
    parser.add_argument("--lease", type=float, default=120.0, help="silence after which others take over [s]")
    parser.add_argument("--work", default=tempfile.gettempdir(), help="folder for temporary files")
    parser.add_argument("--cwd", default=None, help="folder Aerialist runs in (default: this one)")
    parser.add_argument("--keep", default=None, metavar="DIR", help="keep flight logs there")
    parser.add_argument("--until-empty", action="store_true", help="end when no job is left")
    parser.add_argument("--simulate", metavar="TEST", help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    if arguments.simulate:
        simulate(arguments.simulate, arguments.agent)
        return 0
    if not arguments.folder or not NAME.fullmatch(arguments.name):
        parser.error("name a folder, and a --name of letters, digits, dots, dashes and underscores")
    return serve(arguments)


if __name__ == "__main__":
    sys.exit(main())
