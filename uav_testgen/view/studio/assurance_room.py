"""Questions about one scene over the wire: why it fails, the simplest scene that still fails, how likely it fails.

Each is a job of the command line (`explain`, `minimise`, `certify`); this room reads the answer it wrote.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from starlette.requests import Request

from uav_testgen.assurance.mechanism import MEANINGS, Mechanism
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.scenario.formats.scenario_file import MAX_SCENARIO_BYTES, load_scenario
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.studio.answering import Routes
from uav_testgen.view.studio.choices import read_scene
from uav_testgen.view.studio.job_kinds import QUESTIONS
from uav_testgen.view.studio.jobs import Jobs

_MEANINGS = {mechanism.value: MEANINGS[mechanism] for mechanism in Mechanism}


class AssuranceRoom:
    """Routes of questions about a scene."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs

    def routes(self) -> Routes:
        """What it answers to."""
        return [("GET", "/api/assurance", self._show)]

    async def _show(self, request: Request) -> Any:
        return await asyncio.to_thread(self._view, request.query_params.get("path", ""))

    def _view(self, given: str) -> dict[str, Any]:
        folder, note, kind = self._jobs.existing(given)
        if kind.name not in QUESTIONS:
            raise ConfigError(f"{given[:200]}: not a question about a scene")
        asked = dict(note.settings) if note is not None else {}
        scene = asked.pop("scene", None)
        found = {
            **self._jobs.summary(folder),
            "command": self._jobs.command_text(given),
            "log_end": self._jobs.log_end(folder)[-12:],
            "asked": asked,
            "scene": read_scene(scene).model_dump(mode="json") if scene is not None else None,
            "answer": None,
            "simplest": None,
        }
        if found["state"] == "finished":
            answer = found["answer"] = _answer(folder / kind.result)
            if kind.name == "explain":
                answer["meaning"] = _MEANINGS.get(str(answer.get("mechanism")), "")
            if kind.name == "minimise":
                found["simplest"] = _simplest(folder, answer).model_dump(mode="json")
        return found


def _simplest(folder: Path, answer: dict[str, Any]) -> Scenario:
    """The scene that was written; the folder may be somebody else's, so only a file inside it is read."""
    file = folder / Path(str(answer.get("scene", ""))).name
    if file.is_symlink() or not file.is_file():
        raise InputFileError(f"{file.name}: the simplest scene is not in the folder")
    return load_scenario(file)


def _answer(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > MAX_SCENARIO_BYTES:
            raise InputFileError(f"{file.name}: too large for an answer")
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise InputFileError(f"{file.name}: cannot be read") from None
    if not isinstance(data, dict):
        raise InputFileError(f"{file.name}: an object is expected")
    return data
