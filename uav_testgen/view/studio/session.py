"""One open page: the newest scene wins, its nominal path comes first, then the drawn runs and the prediction.

Messages are JSON objects. The page sends `{"type": "scene", "id": n, "scene": {...}, "system": {...}, "runs": 5,
"requirements": ["max_altitude(limit_m=12)"], "settled": true}`; while a handle moves `settled` is false and only the
nominal run is flown. Answers carry the id of the scene they belong to: `problems`, `path`, `ghost`, `prediction`, or
`error`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from uav_testgen.core.errors import ConfigError, UavTestgenError
from uav_testgen.loop.system import System, assemble
from uav_testgen.predict.conformal import table_of
from uav_testgen.predict.prediction import PredictedRun, Prediction
from uav_testgen.predict.runs import scatter_of
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.studio.choices import read_scene, read_settings
from uav_testgen.view.studio.flown import path_json, prediction_json
from uav_testgen.view.studio.pool import FlightPool, JobFailed, JobStopped, Ticket
from uav_testgen.view.studio.requirements import read_requirements
from uav_testgen.view.studio.worker import Flown, Job

log = logging.getLogger(__name__)

MOST_RUNS = 50
MOST_MESSAGE_BYTES = 1024 * 1024
LATENCIES = 2000

Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True)
class Request:
    """One scene to predict."""

    number: int
    scenario: Scenario
    settings: dict[str, Any]
    runs: int
    settled: bool
    since_s: float
    requirements: tuple[str, ...] = ()


def read_request(message: dict[str, Any]) -> Request:
    """What the page asked for; ConfigError says what is wrong."""
    number, runs = message.get("id"), message.get("runs", 5)
    if not isinstance(number, int) or not isinstance(runs, int) or not 0 <= runs <= MOST_RUNS:
        raise ConfigError(f"id and runs are whole numbers, runs at most {MOST_RUNS}")
    return Request(
        number,
        read_scene(message.get("scene")),
        read_settings(message.get("system")),
        runs,
        bool(message.get("settled", True)),
        time.perf_counter(),
        read_requirements(message.get("requirements")),
    )


class Session:
    """Answers one page; `send` delivers a message to it."""

    def __init__(self, pool: FlightPool, send: Send, latencies_ms: deque[float]) -> None:
        self._pool, self._send, self._latencies_ms = pool, send, latencies_ms
        self._task: asyncio.Task[None] | None = None
        self._tickets: set[Ticket] = set()

    async def receive(self, text: str) -> None:
        """One message of the page; nothing in it can end the session."""
        number = None
        try:
            message = json.loads(text) if len(text) <= MOST_MESSAGE_BYTES else None
            if not isinstance(message, dict):
                raise ConfigError("a message is a JSON object of at most 1 MiB")
            number = message.get("id") if isinstance(message.get("id"), int) else None
            kind = message.get("type")
            if kind == "scene":
                self._begin(read_request(message))
            elif kind == "ping":
                await self._send({"type": "pong", "warm": self._pool.is_warm, "trouble": self._pool.trouble})
            else:
                raise ConfigError(f"a message of type '{str(kind)[:40]}' is unknown; known: scene, ping")
        except (ValueError, RecursionError):
            await self._send({"type": "error", "id": number, "message": "the message is not valid JSON"})
        except UavTestgenError as error:
            self.stop()
            await self._send({"type": "error", "id": number, "message": str(error)})

    def stop(self) -> None:
        """Give up what is being flown: the page is gone or has a newer scene."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        for ticket in self._tickets:
            self._pool.cancel(ticket)
        self._tickets.clear()

    def _begin(self, request: Request) -> None:
        self.stop()
        self._task = asyncio.create_task(self._predict(request))

    async def _predict(self, request: Request) -> None:
        try:
            was_warm = self._pool.is_warm
            nominal_ticket = self._fly(request, 0, first=True)
            # While the flight is under way, the rules are checked here.
            found = [one.to_json() for one in problems(request.scenario)]
            await self._send({"type": "problems", "id": request.number, "problems": found})
            flown: Flown = await nominal_ticket.answer
            path = await asyncio.to_thread(
                path_json, request.scenario, flown.run, request.requirements, flown.is_unfinished
            )
            took_ms = 1000.0 * (time.perf_counter() - request.since_s)
            if was_warm:
                self._latencies_ms.append(took_ms)
            await self._send(
                {
                    "type": "path",
                    "id": request.number,
                    "path": path,
                    "ms": round(took_ms, 1) if was_warm else None,
                    "saved_steps": flown.saved_steps,
                    "cpu_ms": round(1000.0 * flown.cpu_s, 1),
                }
            )
            if request.settled:
                await self._predict_runs(request, flown.run)
        except JobStopped:
            return
        except (JobFailed, UavTestgenError) as error:
            await self._send({"type": "error", "id": request.number, "message": str(error)})
        except Exception as error:
            log.warning("a prediction met a bug", exc_info=True)
            reason = f"unexpected {type(error).__name__}: {error}"
            await self._send({"type": "error", "id": request.number, "message": reason})

    async def _predict_runs(self, request: Request, nominal: PredictedRun) -> None:
        tickets = [self._fly(request, number) for number in range(1, request.runs + 1)]
        drawn: list[PredictedRun] = []
        for ticket in tickets:
            flown: Flown = await ticket.answer
            drawn.append(flown.run)
            ghost = await asyncio.to_thread(path_json, request.scenario, flown.run, request.requirements)
            await self._send({"type": "ghost", "id": request.number, "path": ghost, "of": request.runs})
        system = await asyncio.to_thread(assemble, **request.settings)
        prediction = make_prediction(request.scenario, system, nominal, tuple(drawn))
        await self._send(
            {"type": "prediction", "id": request.number, "prediction": prediction_json(prediction)}
        )

    def _fly(self, request: Request, number: int, *, first: bool = False) -> Ticket:
        scenario = request.scenario
        job = Job("run", request.settings, scenario, scenario.seed, number, is_preview=not request.settled)
        ticket = self._pool.submit(job, first=first)
        self._tickets.add(ticket)
        ticket.answer.add_done_callback(lambda _: self._tickets.discard(ticket))
        return ticket


def make_prediction(
    scenario: Scenario, system: System, nominal: PredictedRun, drawn: tuple[PredictedRun, ...]
) -> Prediction:
    """What `predict` returns for the same runs."""
    from uav_testgen.backend.lfs import LfsBackend, LfsConfig

    backend = LfsBackend(LfsConfig(system=system))
    return Prediction(
        scenario=scenario,
        backend=backend.name,
        evidence=backend.capabilities.evidence,
        system=system.name,
        preset_version=system.version,
        calibrated=system.is_calibrated,
        seed=scenario.seed,
        nominal=nominal,
        runs=drawn,
        error=scatter_of(backend).error,
        table=table_of(system),
    )
