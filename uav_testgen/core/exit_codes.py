"""What every command tells the shell that started it. The only place where a number is given a meaning."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit code of a command."""

    DONE = 0
    VIOLATED = 1
    INVALID_INPUT = 2
    UNFINISHED = 3
    OUR_ERROR = 70
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.DONE: "done; fly: safe and complete (predicted: the distance and at least half of the runs, "
    "and none collides; flown: every flight); check: every file is valid",
    ExitCode.VIOLATED: "done, and a check failed: a requirement is violated, a mission or task is "
    "incomplete, a scenario breaks a rule, a recorded vector is not reproduced",
    ExitCode.INVALID_INPUT: "invalid input: one line names the file, the field, the rule and the way out",
    ExitCode.UNFINISHED: "could not be flown or not finished: the simulator, the installation, the disk, "
    "memory or another limit of this machine; the line says which",
    ExitCode.OUR_ERROR: "an error in this program; please report it with the output of --debug",
    ExitCode.INTERRUPTED: "interrupted (Ctrl-C, SIGTERM, closed terminal); the line says how to go on",
}
