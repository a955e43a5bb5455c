"""The studio's web application: routes and nothing else. What they do is in the modules they call."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from uav_testgen import __version__
from uav_testgen.core.errors import InputFileError
from uav_testgen.scenario.formats.missions import mission_names, named_mission
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.scenario.model import Mission
from uav_testgen.view.studio import assets
from uav_testgen.view.studio.answering import Answer, answering, body_of
from uav_testgen.view.studio.assurance_room import AssuranceRoom
from uav_testgen.view.studio.choices import choices_json, empty_scene, read_scene, read_settings
from uav_testgen.view.studio.fidelity_room import FidelityRoom
from uav_testgen.view.studio.fleet_room import FleetRoom
from uav_testgen.view.studio.folder import FORMATS, SUFFIXES, Opened, StudioFolder
from uav_testgen.view.studio.gallery_room import GalleryRoom
from uav_testgen.view.studio.guard import ticket_for
from uav_testgen.view.studio.jobs import Jobs
from uav_testgen.view.studio.jobs_room import JobsRoom
from uav_testgen.view.studio.own_parts import OwnParts
from uav_testgen.view.studio.pool import FlightPool
from uav_testgen.view.studio.recording import Recording, moment_json
from uav_testgen.view.studio.replicate_room import ReplicateRoom
from uav_testgen.view.studio.requirements import read_requirements, requirement_menu
from uav_testgen.view.studio.session import LATENCIES, Session
from uav_testgen.view.studio.uploads import Uploads
from uav_testgen.view.studio.worker import Job

log = logging.getLogger(__name__)

MOST_RECORDINGS = 3
LOOK_AFTER_S = 2.0
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:"
)
REPORT_FILES = (".html", ".yaml", ".json", ".csv", ".png", ".xml")


class Studio:
    """State of one server: folder, workers, recordings."""

    def __init__(self, folder: StudioFolder, token: str, workers: int, own: OwnParts | None = None) -> None:
        self.folder, self._token, self._own = folder, token, own or OwnParts()
        self.pool = FlightPool(workers)
        self.jobs = Jobs(folder, self._own)
        self.latencies_ms: deque[float] = deque(maxlen=LATENCIES)
        self._recordings: OrderedDict[str, Recording] = OrderedDict()

    def application(self) -> Starlette:
        """The ASGI application, without its guard."""
        routes: list[Any] = [
            Route("/", self._page),
            Route("/studio.js", _text(assets.script, "text/javascript")),
            Route("/studio.css", _text(assets.style, "text/css")),
            Route("/favicon.svg", _text(lambda: assets.DRONE_ICON, "image/svg+xml")),
            Route("/file/{ticket}/{path:path}", answering(self._file)),
            WebSocketRoute("/live", self._live),
        ]
        rooms: tuple[Any, ...] = (
            JobsRoom(self.jobs, self._token), ReplicateRoom(self.folder, self.jobs), FleetRoom(self.folder),
            FidelityRoom(self.folder, self.jobs, self.pool), GalleryRoom(self.pool), AssuranceRoom(self.jobs),
            Uploads(self.folder),
        )  # fmt: skip
        for method, path, handler in (
            ("GET", "/api/start", self._start), ("GET", "/api/files", self._files),
            ("GET", "/api/scene", self._open), ("POST", "/api/save", self._save),
            ("POST", "/api/parse", self._parse),
            ("GET", "/api/empty/{mission}/{arena}", self._empty),
            ("POST", "/api/record", self._record), ("GET", "/api/record/{key}/{index:int}", self._moment),
            ("GET", "/api/latency", self._latency), ("POST", "/api/requirement", self._requirement),
            *(route for room in rooms for route in room.routes()),
        ):  # fmt: skip
            routes.append(Route(path, answering(handler), methods=[method]))
        return Starlette(routes=routes, lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self.pool.start()
        watchdog = asyncio.create_task(self._remove_late())
        yield
        watchdog.cancel()
        self.pool.close()

    async def _remove_late(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AFTER_S)
            self.pool.remove_late()
            try:
                await asyncio.to_thread(self.jobs.look_after)
            except Exception:
                log.warning("jobs could not be looked after", exc_info=True)

    async def _page(self, request: Request) -> Response:
        return HTMLResponse(assets.page())

    async def _live(self, socket: WebSocket) -> None:
        await socket.accept()

        async def send(message: dict[str, Any]) -> None:
            with suppress(WebSocketDisconnect, RuntimeError):
                await socket.send_text(json.dumps(message, separators=(",", ":"), allow_nan=False))

        session = Session(self.pool, send, self.latencies_ms)
        await send({"type": "hello", "version": __version__, "warm": self.pool.is_warm})
        try:
            while True:
                await session.receive(await socket.receive_text())
        except (WebSocketDisconnect, KeyError, RuntimeError):
            pass
        finally:
            session.stop()

    async def _start(self, request: Request) -> Any:
        scene = load_scene("two_walls")
        return {
            **choices_json(self._own), "folder": self.folder.root.name, "version": __version__,
            "scene": scene.model_dump(mode="json"), "warm": self.pool.is_warm, "formats": FORMATS,
            "suffixes": SUFFIXES, "requirement_menu": requirement_menu(),
        }  # fmt: skip

    async def _files(self, request: Request) -> Any:
        return {"files": await asyncio.to_thread(self.folder.scenes)}

    async def _open(self, request: Request) -> Any:
        path = request.query_params.get("path", "")
        opened = await asyncio.to_thread(self.folder.open, path, _mission_of(request))
        return {"path": path, "stamp": opened.stamp, **_scene_json(opened)}

    async def _save(self, request: Request) -> Any:
        data = await body_of(request)
        saved = await asyncio.to_thread(
            self.folder.save, str(data.get("path", "")), read_scene(data.get("scene")), str(data.get("format", "own")),
            data.get("stamp"), bool(data.get("overwrite")),
        )  # fmt: skip
        return saved._asdict()

    async def _parse(self, request: Request) -> Any:
        name = request.query_params.get("name", "upload.yaml")
        return _scene_json(
            await asyncio.to_thread(self.folder.parse, name, await request.body(), _mission_of(request))
        )

    async def _empty(self, request: Request) -> Any:
        scenario = empty_scene(request.path_params["mission"], request.path_params["arena"])
        return {"scene": scenario.model_dump(mode="json")}

    async def _record(self, request: Request) -> Any:
        data = await body_of(request)
        scenario, settings = read_scene(data.get("scene")), read_settings(data.get("system"))
        recording: Recording = await self.pool.submit(Job("record", settings, scenario, scenario.seed)).answer
        key = secrets.token_hex(8)
        self._recordings[key] = recording
        while len(self._recordings) > MOST_RECORDINGS:
            self._recordings.popitem(last=False)
        return {"key": key, "count": len(recording.moments), "dt_s": recording.dt_s}

    async def _moment(self, request: Request) -> Any:
        recording = self._recordings.get(request.path_params["key"])
        if recording is None:
            raise InputFileError("this recording is no longer kept; record the flight again")
        index = request.path_params["index"]
        if index >= len(recording.moments):
            raise InputFileError(f"the recording has {len(recording.moments)} moments")
        return await asyncio.to_thread(moment_json, recording, index)

    async def _requirement(self, request: Request) -> Any:
        """Is this a requirement? The error says where it is not."""
        text = str((await body_of(request)).get("text", "")).strip()
        return {"text": read_requirements([text])[0]}

    async def _latency(self, request: Request) -> Any:
        return {"warm": self.pool.is_warm, "ms": [round(value, 2) for value in self.latencies_ms]}

    async def _file(self, request: Request) -> Any:
        """A report, and the files beside it that it links to; the ticket belongs to one of the folders above."""
        path = request.path_params["path"]
        given = request.path_params["ticket"].encode()
        above = ["/".join(path.split("/")[:depth]) for depth in range(1, path.count("/") + 1)]
        if not any(secrets.compare_digest(given, ticket_for(self._token, one).encode()) for one in above):
            return PlainTextResponse(
                "This link is not valid; open the report from the studio.\n", status_code=403
            )
        file = self.folder.inside(path)
        if file.suffix not in REPORT_FILES or not file.is_file():
            return PlainTextResponse("There is no such file.\n", status_code=404)
        if file.suffix == ".html":
            return FileResponse(file, headers={"content-security-policy": REPORT_POLICY})
        return FileResponse(file, filename=file.name, media_type="application/octet-stream")


def _mission_of(request: Request) -> Mission | None:
    """The shipped mission that a request names."""
    name = request.query_params.get("mission", "")
    return named_mission(name) if name in mission_names() else None


def _scene_json(opened: Opened) -> dict[str, Any]:
    return {"scene": opened.scenario.model_dump(mode="json"), "notes": list(opened.notes)}


def _text(make: Callable[[], str], media_type: str) -> Answer:
    async def route(request: Request) -> Response:
        return Response(make(), media_type=media_type)

    return route
