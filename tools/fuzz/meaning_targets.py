"""Parsers under files that are right in form and wrong in meaning.

Each target takes a good file, lets the fuzzer's bytes choose values to replace (`hostile`), repairs what
makes the form right (checksums, compression, framing), and follows the result as far as a command would.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from hostile import VALUES, WHOLE, Choices, changed_document, changed_payloads
from target import ROOT, Target

SEEDS = [bytes(range(start, start + 24)) for start in range(0, 120, 24)]
# Nothing to choose: the good file itself, so that it is seen that something is accepted.
NOTHING = b""


def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))


def _json(document: Any) -> str:
    """Also what JSON has no word for: Python reads it back."""
    return json.dumps(document)


def _good_or(document: Any, data: bytes) -> Any:
    return changed_document(document, Choices(data)) if data else document


def _flight_document() -> dict[str, Any]:
    from uav_testgen.flight.json_io import flight_to_json
    from uav_testgen.testing.factories import make_box, make_flight, make_scenario

    points = [(0.5 * step, 3.0, 10.0) for step in range(60)]
    flight = make_flight(make_scenario(make_box()), points, period_s=0.5)
    return {"test": "001-a.yaml", "runs": [flight_to_json(flight)]}


def scores() -> Target:
    """A folder of tests and flights, down to the competition's points."""
    from uav_testgen.oracle.competition import ScoreConfig, score_suite
    from uav_testgen.oracle.suite_folder import load_suite
    from uav_testgen.scenario.formats.aerialist_write import save_test
    from uav_testgen.testing.factories import make_box, make_scenario

    folder = _folder()
    save_test(folder / "tests" / "001-a.yaml", make_scenario(make_box()))
    (folder / "flights").mkdir()
    document = _flight_document()

    def check(data: bytes) -> None:
        (folder / "flights" / "001-a.json").write_text(_json(_good_or(document, data)))
        suite = score_suite(load_suite(folder), "2025", ScoreConfig())
        json.dumps(suite.to_json(), allow_nan=False)

    return Target(check, [NOTHING, *SEEDS])


def records() -> Target:
    """Records of real flights: what is accepted must have a finite meaning."""
    from uav_testgen.fidelity.records import load_records

    folder = _folder()
    box = {"x": 0.0, "y": 25.0, "z": 0.0, "l": 6.0, "w": 6.0, "h": 20.0, "r": 15.0}
    path = [[0.1 * step, 0.0, 0.3 * step, min(10.0, 0.2 * step)] for step in range(80)]
    document = {"id": "A-1", "mission": "mission1", "obstacles": [box], "min_distance_m": 2.0}
    document["path_txyz"] = path

    def check(data: bytes) -> None:
        (folder / "flights.jsonl").write_text(_json(_good_or(document, data)) + "\n")
        for record in load_records(folder)[0]:
            assert math.isfinite(record.distance_m) and isinstance(record.impossible, bool)

    return Target(check, [NOTHING, *SEEDS])


def golden() -> Target:
    """Vectors of the real planner, replayed by ours as far as they go."""
    from uav_testgen.testing.golden.replay import replay_file

    folder = _folder()
    vectors = ROOT / "test" / "golden" / "vectors"
    files = [("stage", "stage/stage_001.json.gz"), ("unit", "unit/helpers.json.gz")]
    documents = [(kind, json.loads(gzip.decompress((vectors / name).read_bytes()))) for kind, name in files]

    def check(data: bytes) -> None:
        kind, document = documents[data[0] % len(documents)] if data else documents[0]
        path = folder / "case.json.gz"
        path.write_bytes(gzip.compress(_json(_good_or(document, data[1:])).encode(), 1))
        for _ in replay_file(kind, path, "reference"):
            pass

    return Target(check, [NOTHING, b"\x01", *SEEDS])


def evaluations() -> Target:
    """Stored evaluations with right checksums, read as a resumed campaign and a report read them."""
    from uav_testgen.campaign.observe import Progress
    from uav_testgen.campaign.ranking import choose_suite
    from uav_testgen.campaign.record import evaluation_to_body
    from uav_testgen.campaign.search import KIND, read_back
    from uav_testgen.testing.evaluations import evaluation_at
    from uav_testgen.view.tables import evaluations_csv
    from uav_testgen.work.store import FILE_NAME, Record, Store, encode

    folder = _folder()
    document = json.loads(json.dumps(evaluation_to_body(evaluation_at(0, 0.8), 0.5)))

    def check(data: bytes) -> None:
        changed = _good_or(document, data)
        try:
            line = encode(Record(0, KIND, changed))
        except ValueError:
            return  # NaN: no store of ours holds it
        (folder / FILE_NAME).write_bytes(line)
        for record in Store(folder).read():
            found = read_back(record.body, str(folder / FILE_NAME))
            Progress(10, 1.5).add([found], replayed=True)
            evaluations_csv([found])
            choose_suite([found], 1.5, *_ranking())

    return Target(check, [NOTHING, *SEEDS])


def _ranking() -> tuple[Any, Any, Callable[[], None]]:
    from uav_testgen.campaign.config import RankingConfig
    from uav_testgen.loop.scatter import ModelError

    return RankingConfig(), ModelError(0.3), lambda: None


def jobs() -> Target:
    """Jobs of a shared folder: answered or set aside, never the end of the worker."""
    from uav_testgen.backend.folder_queue import FolderQueue
    from uav_testgen.backend.folder_worker import FolderWorker, job_body
    from uav_testgen.testing.factories import make_box, make_scenario
    from uav_testgen.testing.still_backend import StillBackend

    folder = _folder()
    queue = FolderQueue(folder)
    document = {"format": 1, "id": "a", "attempts": 0, **job_body(make_scenario(make_box()), 1)}

    def check(data: bytes) -> None:
        for name in ("jobs", "taken", "results", "refused"):
            for path in (folder / name).iterdir():
                path.unlink()
        (folder / "jobs" / "a.json").write_text(_json(_good_or(document, data)))
        worker = FolderWorker(queue, StillBackend(), "w", lambda line: None)
        worker.serve(until_empty=True)
        ended = [*(folder / "results").iterdir(), *(folder / "refused").iterdir()]
        assert len(ended) == 1, "a job has one end"

    return Target(check, [NOTHING, *SEEDS])


def log_values() -> Target:
    """A flight log of right form with impossible times, places, counters and parameters."""
    from uav_testgen.flight.ulog.reader import read_log
    from uav_testgen.testing.factories import make_trajectory
    from uav_testgen.testing.flight_logs import log_bytes

    path = _folder() / "case.ulg"
    points = [(0.2 * k, 0.1 * k, 5.0 * math.sin(math.pi * k / 39.0)) for k in range(40)]
    good = log_bytes(make_trajectory(points))

    def check(data: bytes) -> None:
        path.write_bytes(changed_payloads(good, Choices(data)) if data else good)
        log = read_log(path, accept_cut=True)
        for values in (log.trajectory.t_s, log.trajectory.position_enu_m, log.trajectory.velocity_enu_mps):
            assert bool((abs(values) < 1e9).all()), "a flight has finite places and times"

    return Target(check, [NOTHING, *SEEDS])


def recording_values() -> Target:
    """A recording of right form with impossible times, topics, types and contents."""
    from mcap.writer import Writer

    from uav_testgen.ros.recording_file import open_recording

    path = _folder() / "case.mcap"
    topics = ("/place", "place", "", "/", "//", "/a b", "/a\x1b", "../x", "/" + "x" * 3000, "/{}")
    types = ("geometry_msgs/msg/Point", "Point", "os/system", "a/b/c", "", "../x", "std_msgs/msg/Nothing")

    def check(data: bytes) -> None:
        choices = Choices(data)
        stream = io.BytesIO()
        writer: Any = Writer(stream)
        writer.start(profile=choices.of(("ros2", "", "\x1b")))
        form = choices.of(("ros2msg", "", "proto"))
        schema = writer.register_schema(choices.of(types), form, b"float64 x\n")
        qos = {"offered_qos_profiles": choices.of(("transient_local", "", "- [", "\x00"))}
        channel = writer.register_channel(choices.of(topics), choices.of(("cdr", "", "json")), schema, qos)
        for _ in range(choices.below(5)):
            content = choices.text().encode()
            writer.add_message(channel, choices.of(WHOLE), content, choices.of(WHOLE))
        writer.finish()
        path.write_bytes(stream.getvalue())
        with open_recording(path) as recording:
            for message in recording.messages():
                assert message.channel in recording.channels

    return Target(check, [NOTHING, *SEEDS])


def cells() -> Target:
    """Texts in tables: no spreadsheet may take one for a formula, and no XML reader stumbles."""
    from xml.etree import ElementTree

    from uav_testgen.predict.evaluation import EvaluationStatus
    from uav_testgen.testing.evaluations import evaluation_at
    from uav_testgen.view.tables import evaluations_csv, junit_xml

    good = replace(evaluation_at(0, 1.0), status=EvaluationStatus.BACKEND_ERROR, verdicts=())

    def check(data: bytes) -> None:
        text = data.decode("utf-16-le" if data[:1] == b"s" else "utf-8", "replace") or "plain"
        row = next(csv.DictReader(io.StringIO(evaluations_csv([replace(good, message=text)]), newline="")))
        message = row["message"] or ""
        assert not message.lstrip().startswith(("=", "+", "-", "@")) or _is_number(message)
        ElementTree.fromstring(junit_xml(text, []).encode("utf-8"))

    words = [str(value).encode("utf-8", "replace") for value in VALUES]
    return Target(check, [NOTHING, *words, b"=HYPERLINK(1)", b" +1+1", b"\t@x", b"-2+3"])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


MEANING_TARGETS: dict[str, Callable[[], Target]] = {
    function.__name__: function
    for function in (scores, records, golden, evaluations, jobs, log_values, recording_values, cells)
}
