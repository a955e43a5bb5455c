"""Fleets on a grid, tick by tick: each page has a simulation of its own, stepped as it asks."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from starlette.requests import Request

from uav_testgen.core.errors import ConfigError, InputFileError, UavTestgenError
from uav_testgen.fleet.commands import HELP, execute
from uav_testgen.fleet.engine import FleetSimulation, TickReport
from uav_testgen.fleet.library import find_scenario, shipped_descriptions, shipped_names
from uav_testgen.fleet.scenario import load_fleet_scenario
from uav_testgen.fleet.transcript import Transcript
from uav_testgen.fleet.world import CHARGER
from uav_testgen.view.studio.answering import Routes, body_of
from uav_testgen.view.studio.folder import FLEET, StudioFolder

MOST_FLEETS = 8
MOST_STEPS = 200
MOST_SHOWN_CELLS = 40_000
MOST_LINES = 200
_LONGEST_COMMAND = 500


class RunningFleet:
    """One simulation and what it says; stepped by one thread at a time."""

    def __init__(self, simulation: FleetSimulation) -> None:
        self.simulation = simulation
        self._transcript = Transcript()
        self._lines: list[str] = []
        self._lock = threading.Lock()

    def step(self, count: int) -> dict[str, Any]:
        """A few ticks, or as many as are left."""
        with self._lock:
            events: list[str] = []
            for _ in range(count):
                if self.simulation.finished:
                    break
                report = self.simulation.step()
                events += self._told(report)
            return self._state(events)

    def command(self, line: str) -> dict[str, Any]:
        """A command of the command mode; the answer is for the person."""
        with self._lock:
            _, text = execute(self.simulation, line)
            return {**self._state([]), "answer": text}

    def _told(self, report: TickReport) -> list[str]:
        self._lines += list(self._transcript.lines(report))
        del self._lines[:-MOST_LINES]
        return [f"tick {report.tick}: {event}" for event in report.events] + [
            f"tick {report.tick}: task {score.task_id} done by drone {score.drone_id}, score {score.score:.2f}"
            for score in report.scores
        ]

    def _state(self, events: list[str]) -> dict[str, Any]:
        simulation = self.simulation
        world = simulation.world
        cells: list[list[Any]] = []
        for cell in world.special_cells():
            if len(cells) >= MOST_SHOWN_CELLS:
                break
            kind = "blocked" if cell in world.blocked else "charger" if cell in world.chargers else "marked"
            extra = sorted(
                str(name)[:60] for name in world.attributes(cell) if name not in ("blocked", CHARGER)
            )
            cells.append([*cell, kind, extra])
        return {
            "tick": simulation.tick,
            "finished": simulation.finished,
            "size": list(world.size),
            "cells": cells,
            "drones": [
                {
                    "id": drone.id,
                    "cell": list(drone.position),
                    "home": list(drone.spec.init_pos),
                    "battery": round(drone.battery, 1),
                    "battery_max": drone.spec.battery_max,
                    "state": drone.state.value,
                    "task": drone.job.task_id if drone.job else None,
                    "load": sorted(map(str, drone.load)),
                    "trust": round(simulation.trust_of(drone), 3),
                }
                for drone in simulation.drones.values()
            ],
            "summary": simulation.summary(),
            "events": events,
            "lines": self._lines[-40:],
        }


class FleetRoom:
    """Routes of the fleet simulation; the oldest of many fleets is forgotten."""

    def __init__(self, folder: StudioFolder) -> None:
        self._folder = folder
        self._fleets: OrderedDict[str, RunningFleet] = OrderedDict()

    def routes(self) -> Routes:
        """What it answers to."""
        return [
            ("GET", "/api/fleet", self._list), ("POST", "/api/fleet", self._start),
            ("POST", "/api/fleet/step", self._step), ("POST", "/api/fleet/command", self._command),
        ]  # fmt: skip

    async def _list(self, request: Request) -> Any:
        described = await asyncio.to_thread(shipped_descriptions)
        own = await asyncio.to_thread(self._folder.fleets)
        listed = [{"name": name, "text": text} for name, text in described.items()]
        return {"scenarios": listed, "own": own, "help": HELP}

    async def _start(self, request: Request) -> Any:
        data = await body_of(request)
        name, seed = data.get("scenario"), data.get("seed", 0)
        file = await asyncio.to_thread(self._file_of, str(name or ""))
        if type(seed) is not int or not 0 <= seed < 2**63:
            raise ConfigError("seed: a whole number from 0 is expected")

        def make() -> RunningFleet:
            return RunningFleet(FleetSimulation(load_fleet_scenario(file), seed=seed))

        try:
            fleet, key = await asyncio.to_thread(make), secrets.token_hex(8)
        except UavTestgenError as error:
            raise type(error)(str(error).replace(f"{self._folder.root}{os.sep}", "")) from None
        self._fleets[key] = fleet
        while len(self._fleets) > MOST_FLEETS:
            self._fleets.popitem(last=False)
        return {"key": key, **await asyncio.to_thread(fleet.step, 0)}

    def _file_of(self, given: str) -> Path:
        """A shipped fleet, or a file of the folder."""
        if given in shipped_names():
            return find_scenario(given)
        if not given.endswith(FLEET):
            raise ConfigError(
                f"scenario: choose one of {', '.join(shipped_names())}, or a *{FLEET} of the folder"
            )
        file = self._folder.inside(given)
        if not file.is_file():
            raise InputFileError(f"{given[:200]}: there is no such file in the studio's folder")
        return file

    async def _step(self, request: Request) -> Any:
        data = await body_of(request)
        count = data.get("count", 1)
        if type(count) is not int or not 0 <= count <= MOST_STEPS:
            raise ConfigError(f"count: a whole number up to {MOST_STEPS} is expected")
        return await asyncio.to_thread(self._fleet(data).step, count)

    async def _command(self, request: Request) -> Any:
        data = await body_of(request)
        return await asyncio.to_thread(
            self._fleet(data).command, str(data.get("line", ""))[:_LONGEST_COMMAND]
        )

    def _fleet(self, data: dict[str, Any]) -> RunningFleet:
        fleet = self._fleets.get(str(data.get("key", "")))
        if fleet is None:
            raise InputFileError("this fleet is no longer kept; start it again")
        return fleet
