"""Warm worker processes behind asyncio: jobs in, answers out; a worker that dies is replaced, its job fails."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from uav_testgen.view.studio.worker import Job, worker_main
from uav_testgen.work.process import start_worker

log = logging.getLogger(__name__)

JOB_LIMIT_S = 300.0
"""A job that computes longer is given up and its worker replaced."""
MOST_FAILED_STARTS = 3


class JobStopped(Exception):
    """The job was cancelled."""


class JobFailed(Exception):
    """The job could not be done; the message is for the user."""


@dataclass(eq=False)
class Ticket:
    """One submitted job."""

    number: int
    job: Job
    answer: asyncio.Future[Any]
    cancelled: bool = False


@dataclass(eq=False)
class _Process:
    process: Any
    pipe: Any
    ready: bool = False
    ticket: Ticket | None = None
    since_s: float = field(default_factory=time.monotonic)


class FlightPool:
    """A few processes that fly. All methods belong to one event loop."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._processes: list[_Process] = []
        self._waiting: deque[Ticket] = deque()
        self._numbers = 0
        self._failed_starts = 0
        self.trouble = ""
        """Why no worker can be started; empty if they can."""

    @property
    def is_warm(self) -> bool:
        """Is at least one worker ready to fly?"""
        return any(process.ready for process in self._processes)

    def start(self) -> None:
        """Start the workers; they warm up by themselves."""
        for _ in range(self._size):
            self._start_one()

    def close(self) -> None:
        """End every worker."""
        loop = asyncio.get_running_loop()
        for one in self._processes:
            loop.remove_reader(one.pipe.fileno())
            one.pipe.close()
            one.process.terminate()
        for one in self._processes:
            one.process.join(2.0)
            one.process.kill()
        self._processes.clear()

    def submit(self, job: Job, *, first: bool = False) -> Ticket:
        """Queue a job, before all others if it is `first`. Await `ticket.answer`."""
        self._numbers += 1
        ticket = Ticket(self._numbers, job, asyncio.get_running_loop().create_future())
        if self.trouble:
            ticket.answer.set_exception(JobFailed(self.trouble))
            return ticket
        if first:
            self._waiting.appendleft(ticket)
        else:
            self._waiting.append(ticket)
        self._give_out()
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        """Nobody waits for this job any more: it is dropped, or stopped in mid-flight."""
        ticket.cancelled = True
        if ticket in self._waiting:
            self._waiting.remove(ticket)
        for one in self._processes:
            if one.ticket is ticket:
                self._send(one, ("cancel", ticket.number, None))
        if not ticket.answer.done():
            ticket.answer.set_exception(JobStopped())
            ticket.answer.exception()  # seen: nobody has to await it

    def give_up(self) -> None:
        """The studio is being stopped: whoever waits for a flight is told so at once."""
        for ticket in [*self._waiting, *(one.ticket for one in self._processes if one.ticket is not None)]:
            self._settle(ticket, "stopped", None)
            if ticket.answer.done() and not ticket.answer.cancelled():
                ticket.answer.exception()  # seen: nobody has to await it
        self._waiting.clear()

    def remove_late(self) -> None:
        """Replace workers whose job takes too long; called every now and then."""
        for one in list(self._processes):
            if one.ticket is not None and time.monotonic() - one.since_s > JOB_LIMIT_S:
                self._lose(one, f"the job computed longer than {JOB_LIMIT_S:g} s and was given up")

    def _start_one(self) -> None:
        started = start_worker(worker_main)
        one = _Process(started.process, started.pipe)
        self._processes.append(one)
        asyncio.get_running_loop().add_reader(started.pipe.fileno(), self._collect, one)

    def _give_out(self) -> None:
        for one in self._processes:
            if not self._waiting:
                return
            if one.ready and one.ticket is None:
                one.ticket = self._waiting.popleft()
                one.since_s = time.monotonic()
                self._send(one, ("job", one.ticket.number, one.ticket.job))

    def _send(self, one: _Process, message: tuple[Any, ...]) -> None:
        try:
            one.pipe.send(message)
        except OSError:
            log.debug("a worker is gone; its end is noticed when its pipe is read")

    def _collect(self, one: _Process) -> None:
        try:
            number, what, value = one.pipe.recv()
        except (EOFError, OSError):
            self._lose(one, "the process that flew it ended unexpectedly; change the scene or try again")
            return
        if what == "ready":
            one.ready, self._failed_starts = True, 0
        elif what == "cannot start":
            self.trouble = str(value)
        elif one.ticket is not None and one.ticket.number == number:
            self._settle(one.ticket, what, value)
            one.ticket = None
        self._give_out()

    def _settle(self, ticket: Ticket, what: str, value: Any) -> None:
        if ticket.answer.done():
            return
        if what == "done":
            ticket.answer.set_result(value)
        else:
            ticket.answer.set_exception(JobStopped() if what == "stopped" else JobFailed(str(value)))

    def _lose(self, one: _Process, reason: str) -> None:
        asyncio.get_running_loop().remove_reader(one.pipe.fileno())
        one.pipe.close()
        one.process.kill()
        self._processes.remove(one)
        if not one.ready:
            self._failed_starts += 1
        if one.ticket is not None:
            self._settle(one.ticket, "failed", reason)
        if self._failed_starts < MOST_FAILED_STARTS:
            self._start_one()
            return
        self.trouble = "flight workers end at once; run `uav-testgen fly two_walls` to see the reason"
        while self._waiting:
            self._settle(self._waiting.popleft(), "failed", self.trouble)
