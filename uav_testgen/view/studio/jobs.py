"""Long jobs of the folder: started as the command line starts them, watched by reading what they write.

A job is a process of its own that outlives page and server. Whether it runs is told by the lock on its folder, which
the kernel drops when the process ends, however it ends, or by the process that was noted when it was started.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from uav_testgen.campaign.checks import check_harmless
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.header import FINISHED
from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import ConfigError, InputFileError, StoreError, UavTestgenError
from uav_testgen.core.files import write_text, yaml_text
from uav_testgen.core.own_python import module_words
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.studio.folder import StudioFolder
from uav_testgen.view.studio.job_kinds import (
    BY_HEADER,
    FILE,
    KINDS,
    KNOW_FORMS,
    OUT,
    QUESTIONS,
    JobKind,
    Prepared,
    confirm_words,
    planned_runs,
    settings_of,
)
from uav_testgen.view.studio.job_note import JobNote, JobNotes, holder_of
from uav_testgen.view.studio.own_parts import OwnParts
from uav_testgen.view.studio.store_reader import StoreReader

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}")
_LOG_END_BYTES = 20_000
_FAREWELL = "interrupted;"
_COMPLAINT = "uav-testgen:"
"""How the command line begins the sentence that says why it ended."""
_RATE_OVER_S = 20.0
PREDICTIONS = "predictions.jsonl"


class Jobs:
    """All jobs below the studio's folder. Methods may be called from several threads."""

    def __init__(self, folder: StudioFolder, own: OwnParts | None = None) -> None:
        self._folder = folder
        self._own = own or OwnParts()
        self._notes = JobNotes(folder.state)
        self._readers: dict[Path, StoreReader] = {}
        self._children: list[subprocess.Popen[bytes]] = []
        self._pace: dict[Path, deque[tuple[float, int, int]]] = {}
        self._lock = threading.RLock()

    # -- orders -------------------------------------------------------------------------------------

    def start(self, kind_name: str, name: str, settings: dict[str, Any]) -> str:
        """Write the settings beside the job's folder and start it; returns its path."""
        kind = KINDS.get(kind_name)
        if kind is None:
            raise ConfigError(f"kind: '{kind_name[:40]}' is not one of {', '.join(KINDS)}")
        if not _NAME.fullmatch(name):
            raise ConfigError("name: letters, digits, spaces, dots, dashes and underscores, at most 80")
        folder = self._folder.inside(name)
        with self._lock:
            noted = self._notes.of(self._folder.relative(folder))
            if folder.exists() or (noted is not None and noted.is_alive(folder)):
                raise ConfigError(f"{name}: exists already; resume it or choose another name")
            prepared = self._prepared(kind, folder, settings)
            self._log_of(folder).unlink(missing_ok=True)
            self._spawn(folder, JobNote(self._folder.relative(folder), kind.name, settings), prepared)
        return self._folder.relative(folder)

    def resume(self, given: str) -> None:
        """Go on with what is in the folder, by the settings it was started with."""
        with self._lock:
            folder, note, kind = self.existing(given)
            if self.is_running(folder):
                raise ConfigError(f"{given}: is running already")
            # Note and store may be somebody else's: their settings are checked as a page's are.
            settings = self._settings(kind, folder, note)
            if settings is None:
                raise StoreError(f"{given}: its settings cannot be read; resume it from the command line")
            kept = note.settings if note is not None else {}
            noted = JobNote(self._folder.relative(folder), kind.name, kept)
            prepared = self._prepared_again(kind, folder, settings, given)
            self._spawn(folder, noted, prepared)

    def confirm(self, given: str, settings: dict[str, Any]) -> None:
        """Let another backend fly the best tests of a search again, as `uav-testgen confirm` does."""
        with self._lock:
            folder, note, kind = self.existing(given)
            if kind.name != "campaign":
                raise ConfigError(f"{given}: only the tests of a search can be flown again")
            if self.is_running(folder):
                raise ConfigError(f"{given}: is running; wait until it has ended, or stop it")
            searched = self._settings(kind, folder, note)
            if searched is None or not self.reader(folder).evaluations:
                raise ConfigError(f"{given}: has no test yet that could be flown again")
            self._prepared_again(kind, folder, searched, given)
            words = ("confirm", OUT, *confirm_words(settings), *self._code_words())
            asked = note or JobNote(self._folder.relative(folder), kind.name)
            self._spawn(folder, asked, Prepared(None, words), confirming=str(settings["backend"]))

    def stop(self, given: str, *, is_pause: bool = False) -> None:
        """Ask it to end at the next safe point, as Ctrl-C does: what was flown is safe and can be resumed.

        A campaign that is stopped, not paused, then writes the report of what it found.
        """
        with self._lock:
            folder, note, kind = self.existing(given)
            pid = self._process_of(folder, note)
            if pid is None:
                raise ConfigError(f"{given}: is not running")
            asked = note or JobNote(self._folder.relative(folder), kind.name)
            self._notes.keep(replace(asked, asked="pause" if is_pause else "stop"))
            os.kill(pid, signal.SIGINT)

    def look_after(self) -> None:
        """Take leave of ended processes, and let stopped campaigns write their reports; called now and then."""
        with self._lock:
            self._children = [child for child in self._children if child.poll() is None]
            for path, note in self._notes.all().items():
                wants_report = note.kind == "campaign" and note.asked == "stop" and not note.is_reporting
                if not wants_report:
                    continue
                folder = self._folder.inside(path)
                if folder.is_dir() and not self.is_running(folder) and self.reader(folder).evaluations:
                    words = ("report", OUT, *self._code_words())
                    self._spawn(folder, note, Prepared(None, words), is_reporting=True)

    # -- looking ------------------------------------------------------------------------------------

    def overview(self) -> list[dict[str, Any]]:
        """Every job in a few numbers."""
        paths = {self._folder.relative(folder) for folder in self._folder.jobs()}
        noted = {path for path in self._notes.all() if self._log_of(self._folder.root / path).is_file()}
        return [self.summary(self._folder.inside(path)) for path in sorted(paths | noted)]

    def summary(self, folder: Path) -> dict[str, Any]:
        """State and counts of one job."""
        path = self._folder.relative(folder)
        reader, note = self.reader(folder), self._notes.of(path)
        kind = self._kind_of(folder, reader, note)
        running = self.is_running(folder)
        state = self._state(folder, kind, reader, note, running)
        config = reader.header.get("config") or {}
        budget = config.get("budget") or {}
        return {
            "path": path,
            "kind": kind.name if kind else "",
            "state": state,
            "trouble": self._trouble(folder, kind, reader, note, state) or reader.trouble,
            "budget": budget.get("predictions") or budget.get("simulations")
            if isinstance(budget, dict)
            else None,
            "generator": config.get("generator"),
            "case": Path(str(config.get("case") or "")).stem or None,
            "has_report": (folder / "report.html").is_file(),
            "phase": self._phase(folder) if running else "",
            **self._counts(folder, kind, reader, running),
        }

    def pace(self, folder: Path, evaluated: int, flights: int, is_running: bool) -> dict[str, Any]:
        """Flights and scenes per second over the last seconds, as seen from here."""
        seen = self._pace.setdefault(folder, deque(maxlen=200))
        if not is_running:
            seen.clear()
            return {"flights_per_s": None, "evaluations_per_s": None}
        now_s = time.monotonic()
        seen.append((now_s, evaluated, flights))
        while len(seen) > 2 and now_s - seen[0][0] > _RATE_OVER_S:
            seen.popleft()
        span_s = now_s - seen[0][0]
        if span_s < 1.0:
            return {"flights_per_s": None, "evaluations_per_s": None}
        return {
            "flights_per_s": round((flights - seen[0][2]) / span_s, 2),
            "evaluations_per_s": round((evaluated - seen[0][1]) / span_s, 3),
        }

    def existing(self, given: str) -> tuple[Path, JobNote | None, JobKind]:
        """Folder, note and kind of a job; InputFileError if there is none."""
        folder = self._folder.inside(given)
        note = self._notes.of(self._folder.relative(folder))
        kind = self._kind_of(folder, self.reader(folder), note)
        if kind is None or (note is None and not folder.is_dir()):
            raise InputFileError(f"{given[:200]}: no such job in this folder")
        return folder, note, kind

    def reader(self, folder: Path) -> StoreReader:
        """What its store holds by now."""
        with self._lock:
            reader = self._readers.setdefault(folder, StoreReader(folder))
            reader.read_on()
            return reader

    def is_running(self, folder: Path) -> bool:
        """Does a process work on it?"""
        return self._process_of(folder, self._notes.of(self._folder.relative(folder))) is not None

    def scene(self, given: str, number: int, cell: str = "") -> Scenario:
        """The scenario of one evaluation; `cell` is the folder of a run inside a study or comparison."""
        folder, _, _ = self.existing(given)
        if cell:
            inner = self._folder.inside(f"{given}/{cell}")
            if not inner.is_relative_to(folder):
                raise InputFileError(f"{cell[:200]}: not a run of {given[:200]}")
            reader = StoreReader(inner, is_brief=True)
            reader.read_on()
        else:
            reader = self.reader(folder)
        body = reader.body_of(number)
        if body is None:
            raise InputFileError(f"{given}: has no evaluation {number}")
        scenario = parse_config(Scenario, body["scenario"], source=f"evaluation {number}")
        base = reader.header.get("base_scenario") or {}
        update: dict[str, Any] = {"name": f"{Path(given).name} {number}"}
        if "arena" in base:
            update["arena"] = parse_config(Scenario, base, source="case study").arena
        return scenario.model_copy(update=update)

    def command_text(self, given: str) -> str:
        """The command that resumes it in a shell; empty where its settings are not for a page."""
        folder, note, kind = self.existing(given)
        try:
            settings = self._settings(kind, folder, note)
            words = self._prepared(kind, folder, settings).words if settings is not None else ()
        except UavTestgenError:
            return ""
        return shlex.join(["uav-testgen", *self._words(folder, kind.name, words)]) if words else ""

    def log_end(self, folder: Path) -> list[str]:
        """The last lines it said."""
        path = self._log_of(folder)
        try:
            with path.open("rb") as source:
                source.seek(max(0, path.stat().st_size - _LOG_END_BYTES))
                lines = source.read().decode("utf-8", "replace").splitlines()
        except OSError:
            return []
        return [line[:500] for line in lines if line.strip()]

    # -- inside -------------------------------------------------------------------------------------

    def _settings(self, kind: JobKind, folder: Path, note: JobNote | None) -> dict[str, Any] | None:
        """Those it was started with: of the page, or of the first record of its store."""
        if note is not None and note.settings:
            return note.settings
        return settings_of(kind, self.reader(folder).header)

    def _prepared_again(self, kind: JobKind, folder: Path, settings: dict[str, Any], given: str) -> Prepared:
        """What a page may start, or a campaign that loads no code and starts no program."""
        way = "If you trust it, resume it with the command that began it and --resume"
        try:
            return self._prepared(kind, folder, settings)
        except UavTestgenError as error:
            if kind.name != "campaign":
                raise ConfigError(f"{error}. {way}") from None
        check_harmless(parse_config(CampaignConfig, settings, source=given), given, way)
        return Prepared(settings, ("campaign", FILE, "--out", OUT, "--resume"))

    def _prepared(self, kind: JobKind, folder: Path, settings: dict[str, Any]) -> Prepared:
        """Check the settings; what to write and the words of the command."""
        try:
            return kind.prepare(self._folder, folder.name, settings)
        except (TypeError, AttributeError, KeyError, ValueError, RecursionError) as error:
            raise ConfigError(f"settings: cannot be understood ({error})"[:300]) from None

    def _kind_of(self, folder: Path, reader: StoreReader, note: JobNote | None) -> JobKind | None:
        stored = BY_HEADER.get(reader.first_kind)
        if stored is not None or note is not None:
            return stored or KINDS.get(note.kind if note else "")
        if (folder / PREDICTIONS).is_file():
            return KINDS["fidelity"]
        for name in QUESTIONS:
            if (folder / KINDS[name].result).is_file():
                return KINDS[name]
        return KINDS["campaign"] if reader.kinds else None

    def _state(
        self, folder: Path, kind: JobKind | None, reader: StoreReader, note: JobNote | None, running: bool
    ) -> str:
        if running:
            is_ours = note is not None and note.is_alive(folder)
            if note is not None and is_ours and note.is_reporting:
                return "reporting"
            if note is not None and is_ours and note.confirming and not note.asked:
                return "confirming"
            return "stopping" if note is not None and is_ours and note.asked else "running"
        done = (
            FINISHED in reader.kinds if kind is None or not kind.result else (folder / kind.result).is_file()
        )
        if done:
            return "finished"
        return "paused" if note is not None and note.asked == "pause" else "stopped"

    def _trouble(
        self, folder: Path, kind: JobKind | None, reader: StoreReader, note: JobNote | None, state: str
    ) -> str:
        if state in ("running", "stopping", "reporting", "confirming"):
            return ""
        if note is not None and note.confirming:
            said = self.log_end(folder)[-1:]
            return said[0] if said and said[0].startswith(_COMPLAINT) else ""
        if state == "finished":
            return ""
        if kind is not None and kind.header and reader.kinds and reader.first_kind != kind.header:
            return f"not a {kind.name}: its first record is missing"
        if note is None or not note.pid or note.asked:
            return "" if reader.kinds or note is not None else "nothing was flown yet"
        lines = self.log_end(folder)
        if not lines:
            return "it ended without a word"
        return "" if any(line.startswith(_FAREWELL) for line in lines[-3:]) else lines[-1]

    def _counts(
        self, folder: Path, kind: JobKind | None, reader: StoreReader, running: bool
    ) -> dict[str, Any]:
        """Of a search its scenes; of a study or comparison its runs."""
        counted = reader.counts()
        if kind is not None and kind.name in ("study", "comparison"):
            planned = planned_runs(reader.header.get("config") or {})
            return {**counted, "evaluated": len(reader.cells), "budget": planned or None}
        return {**counted, **self.pace(folder, counted["evaluated"], counted["flights"], running)}

    def _phase(self, folder: Path) -> str:
        """What it is doing; the counts of its progress lines are on the page already, and newer."""
        lines = [line for line in self.log_end(folder) if " evaluations, ETA " not in line]
        return lines[-1][:200] if lines else ""

    def _process_of(self, folder: Path, note: JobNote | None) -> int | None:
        if note is not None and note.is_alive(folder):
            return note.pid
        return holder_of(folder)

    def _spawn(
        self,
        folder: Path,
        note: JobNote,
        prepared: Prepared,
        *,
        is_reporting: bool = False,
        confirming: str = "",
    ) -> None:
        log, file = self._log_of(folder), self._file_of(folder, note.kind)
        for path in (log, file):
            if path.is_symlink() or (path.exists() and not path.is_file()):
                raise StoreError(f"{path.name}: is a link or no file; remove it, then start again")
        if prepared.document is not None:
            write_text(file, yaml_text(prepared.document))
        command = module_words("uav_testgen.cli.main", *self._words(folder, note.kind, prepared.words))
        with log.open("ab") as output:
            if confirming:
                output.write(f"flying the best tests with the backend '{confirming}'\n".encode())
                output.flush()
            # A session of its own: Ctrl-C in the studio's terminal does not reach it.
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )
        self._children.append(child)
        self._notes.keep(note.of_process(child.pid, is_reporting=is_reporting, confirming=confirming))

    def _code_words(self) -> list[str]:
        """Code that the person at the keyboard named; a folder's own is not loaded."""
        code = [*self._own.planners, *self._own.generators, *self._own.requirements]
        return [word for name in code for word in ("--code", name.partition("(")[0])]

    def _words(self, folder: Path, kind: str, words: Sequence[str]) -> list[str]:
        marks = {FILE: str(self._file_of(folder, kind)), OUT: str(folder)}
        forms = self._own.forms if words and words[0] in KNOW_FORMS else ()
        return [
            *(marks.get(word, word) for word in words),
            *(word for form in forms for word in ("--form", form)),
        ]

    def _file_of(self, folder: Path, kind: str) -> Path:
        return folder.with_name(f"{folder.name}.{kind}.yaml")

    def _log_of(self, folder: Path) -> Path:
        return folder.with_name(f"{folder.name}.log")
