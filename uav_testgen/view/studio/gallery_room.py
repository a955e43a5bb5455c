"""The gallery: shipped scenes with what they show, each predicted once by the studio's own workers."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

from starlette.requests import Request

from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import InputFileError
from uav_testgen.core.resources import config_folder
from uav_testgen.loop.system import assemble
from uav_testgen.predict.runs import DEFAULT_RUNS
from uav_testgen.scenario.formats.scenes import load_scene, scene_names
from uav_testgen.view.studio.answering import Routes
from uav_testgen.view.studio.flown import path_json, prediction_json
from uav_testgen.view.studio.pool import FlightPool
from uav_testgen.view.studio.session import make_prediction
from uav_testgen.view.studio.worker import Flown, Job


@lru_cache(maxsize=1)
def captions() -> dict[str, dict[str, str]]:
    """Title and sentence of the scenes that have one, by name."""
    entries = read_yaml(config_folder() / "gallery.yaml")
    return {one["scene"]: {"title": one["title"], "text": one["text"]} for one in entries}


class GalleryRoom:
    """Routes of the gallery."""

    def __init__(self, pool: FlightPool) -> None:
        self._pool = pool
        self._predicted: dict[str, asyncio.Task[dict[str, Any]]] = {}

    def routes(self) -> Routes:
        """What it answers to."""
        return [
            ("GET", "/api/gallery", self._list), ("GET", "/api/gallery/{name}", self._scene),
            ("GET", "/api/gallery/{name}/prediction", self._prediction),
        ]  # fmt: skip

    async def _list(self, request: Request) -> Any:
        known = captions()
        ordered = [
            *(name for name in known if name in scene_names()),
            *(n for n in scene_names() if n not in known),
        ]
        return {
            "scenes": [
                {
                    "name": name,
                    "title": name.replace("_", " ").capitalize(),
                    "text": "",
                    **known.get(name, {}),
                    "command": f"uav-testgen fly {name}",
                    "scene": load_scene(name).model_dump(mode="json"),
                }
                for name in ordered
            ]
        }

    async def _scene(self, request: Request) -> Any:
        return {"scene": load_scene(_known(request)).model_dump(mode="json")}

    async def _prediction(self, request: Request) -> Any:
        """Flown once for all pages; a page that leaves does not stop it."""
        name = _known(request)
        task = self._predicted.get(name)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._predicted[name] = asyncio.create_task(self._predict(name))
        return await asyncio.shield(task)

    async def _predict(self, name: str) -> dict[str, Any]:
        scenario = load_scene(name)
        tickets = [
            self._pool.submit(Job("run", {}, scenario, scenario.seed, number))
            for number in range(DEFAULT_RUNS + 1)
        ]
        flown: list[Flown] = [await ticket.answer for ticket in tickets]
        system = await asyncio.to_thread(assemble)
        runs = [one.run for one in flown]
        prediction = make_prediction(scenario, system, runs[0], tuple(runs[1:]))
        paths = [await asyncio.to_thread(path_json, scenario, run) for run in runs]
        kept = ("x", "y", "d", "outcome", "sentence", "distance_m", "nearest")
        return {
            "prediction": prediction_json(prediction),
            "paths": [{key: path[key] for key in kept if key in path} for path in paths],
        }


def _known(request: Request) -> str:
    name = str(request.path_params["name"])
    if name not in scene_names():
        raise InputFileError(f"{name[:80]}: not a shipped scene; known: {', '.join(scene_names())}")
    return name
