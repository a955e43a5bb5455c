"""Files that a page brings: flight logs, plans, recorded flights and fleets. Each is read before it is kept."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request

from uav_testgen.core.errors import InputFileError, StoreError, UavTestgenError
from uav_testgen.fidelity.records import load_records
from uav_testgen.fleet.scenario import load_fleet_scenario
from uav_testgen.scenario.formats.scenario_file import MAX_SCENARIO_BYTES
from uav_testgen.view.studio.answering import Routes
from uav_testgen.view.studio.folder import FLEET, RECORDS, StudioFolder
from uav_testgen.view.studio.guard import MOST_UPLOAD_BYTES, UPLOAD

_MOST_COPIES = 1000
_MOST_RECORD_BYTES = 64 * 1024 * 1024


def _records(file: Path) -> None:
    """A file without a single usable flight is refused, with the first reason."""
    found, skipped = load_records(file.parent)
    if not found:
        reason = f"{skipped[0].where}: {skipped[0].reason}" if skipped else "the file is empty"
        raise InputFileError(f"no recorded flight can be used ({reason})")


def _fleet(file: Path) -> None:
    load_fleet_scenario(file)


def _anything(file: Path) -> None:
    """Logs and plans are read when they are shown; they stay, so that their error can be looked into."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What may be uploaded under one ending."""

    most_bytes: int
    ending: str
    """Of the name in the folder."""
    check: Callable[[Path], None] = _anything
    """Reads the file, which lies alone in a folder; raises where it cannot be used."""


_KINDS = {
    ".ulg": _Kind(MOST_UPLOAD_BYTES, ".ulg"),
    ".plan": _Kind(MAX_SCENARIO_BYTES, ".plan"),
    ".jsonl": _Kind(_MOST_RECORD_BYTES, "", _records),
    ".json": _Kind(MAX_SCENARIO_BYTES, FLEET, _fleet),
}


class Uploads:
    """The route that takes files, and writes them to the disk as they come."""

    def __init__(self, folder: StudioFolder) -> None:
        self._folder = folder

    def routes(self) -> Routes:
        """What it answers to."""
        return [("POST", UPLOAD, self._upload)]

    async def _upload(self, request: Request) -> Any:
        """A file that is too large or cannot be used leaves nothing behind."""
        given = request.query_params.get("name", "")
        suffix = Path(given).suffix.lower()
        kind = _KINDS.get(suffix)
        if kind is None:
            raise InputFileError(
                f"{given[:100]}: a flight log (.ulg), a mission (.plan), recorded flights (.jsonl) or a fleet (.json) "
                "is expected"
            )
        shown = Path(given).name[:100]
        try:
            with tempfile.TemporaryDirectory(prefix="upload-", dir=self._folder.state) as place:
                # Recorded flights are read under the name they get, everything else under a name of ours.
                partial = Path(place) / (_records_name(given) if suffix == ".jsonl" else f"upload{suffix}")
                await _receive(request, partial, shown, kind.most_bytes)
                try:
                    await asyncio.to_thread(kind.check, partial)
                except UavTestgenError as error:
                    raise InputFileError(f"{shown}: {str(error).replace(f'{partial}: ', '')}") from None
                path = self._free_name(given, kind.ending)
                if suffix == ".jsonl":
                    path.mkdir()
                    os.link(partial, path / partial.name)
                else:
                    os.link(partial, path)  # fails where somebody else was quicker
        except FileExistsError:
            raise StoreError(f"{shown}: exists already; give the file another name") from None
        except OSError as error:
            raise StoreError(f"{shown}: cannot be written ({error.strerror})") from None
        return {"path": self._folder.relative(path)}

    def _free_name(self, given: str, ending: str) -> Path:
        stem = re.sub(r"[^A-Za-z0-9._-]+", "_", Path(given).stem).lstrip("._-")[:60] or "upload"
        stem = stem.removesuffix(ending.removesuffix(".json")) if ending == FLEET else stem
        for number in range(1, _MOST_COPIES):
            path = self._folder.inside(f"{stem}{'' if number == 1 else f'-{number}'}{ending}")
            if not path.exists():
                return path
        raise StoreError(f"{stem}{ending}: there are too many files of this name")


def _records_name(given: str) -> str:
    """Recorded flights are found by the name of their file."""
    return RECORDS[1] if Path(given).stem.lower().startswith("layout") else RECORDS[0]


async def _receive(request: Request, file: Path, shown: str, most_bytes: int) -> None:
    seen = 0
    with file.open("xb") as written:
        async for piece in request.stream():
            seen += len(piece)
            if seen > most_bytes:
                raise InputFileError(f"{shown}: at most {most_bytes} bytes are accepted")
            written.write(piece)
    if not seen:
        raise InputFileError(f"{shown}: is empty")
