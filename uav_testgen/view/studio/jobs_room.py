"""Campaigns, studies and comparisons over the wire: start, pause, stop, resume, look, open a scene."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request

from uav_testgen.core.errors import ConfigError
from uav_testgen.view.studio.answering import Routes, body_of, number_in
from uav_testgen.view.studio.guard import ticket_for
from uav_testgen.view.studio.job_views import JobViews
from uav_testgen.view.studio.jobs import Jobs

_ORDERS = ("pause", "stop", "resume", "confirm")


class JobsRoom:
    """Routes of all long jobs."""

    def __init__(self, jobs: Jobs, token: str) -> None:
        self._jobs, self._views, self._token = jobs, JobViews(jobs), token

    def routes(self) -> Routes:
        """What it answers to."""
        return [
            ("GET", "/api/jobs", self._overview), ("POST", "/api/jobs", self._start), ("GET", "/api/job", self._show),
            ("GET", "/api/job/scene", self._scene), ("POST", "/api/job/{order}", self._order),
        ]  # fmt: skip

    async def _overview(self, request: Request) -> Any:
        return {"jobs": await asyncio.to_thread(self._jobs.overview)}

    async def _start(self, request: Request) -> Any:
        data = await body_of(request)
        settings = data.get("settings")
        if not isinstance(settings, dict):
            raise ConfigError("settings: a mapping is expected, as in the file of the command line")
        path = await asyncio.to_thread(
            self._jobs.start, str(data.get("kind", "")), str(data.get("name", "")), settings
        )
        return {"path": path}

    async def _show(self, request: Request) -> Any:
        found = await asyncio.to_thread(self._views.show, request.query_params.get("path", ""))
        if found["has_report"]:
            found["report"] = f"/file/{ticket_for(self._token, found['path'])}/{found['path']}/report.html"
        return found

    async def _scene(self, request: Request) -> Any:
        path, cell = request.query_params.get("path", ""), request.query_params.get("cell", "")
        scenario = await asyncio.to_thread(self._jobs.scene, path, number_in(request, "number"), cell)
        return {"scene": scenario.model_dump(mode="json")}

    async def _order(self, request: Request) -> Any:
        order, data = request.path_params["order"], await body_of(request)
        path = str(data.get("path", ""))
        if order not in _ORDERS:
            raise ConfigError(f"'{order[:40]}': choose one of {', '.join(_ORDERS)}")
        if order == "confirm":
            await asyncio.to_thread(self._jobs.confirm, path, data)
        elif order == "resume":
            await asyncio.to_thread(self._jobs.resume, path)
        else:
            await asyncio.to_thread(lambda: self._jobs.stop(path, is_pause=order == "pause"))
        return {"done": order}
