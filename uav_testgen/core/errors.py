"""Every error this package raises on purpose, on one screen.

The class answers "whose fault": the user's file, the candidate scenario, the simulator behind a
backend, the installation, the machine, or the disk. Messages name the place, the rule and the way out,
because the command line prints exactly the message and nothing else.
"""

from __future__ import annotations

from uav_testgen.core.exit_codes import ExitCode


class UavTestgenError(Exception):
    """Root of the tree; the command line turns it into one line and an exit code."""

    exit_code = ExitCode.INVALID_INPUT


class ConfigError(UavTestgenError):
    """A configuration file or option is wrong: says which file, which field and what is allowed."""


class InputFileError(UavTestgenError):
    """A file given by the user is missing, unreadable, too large or not of the expected form."""


class InvalidScenario(UavTestgenError):
    """A scenario breaks a rule that makes it impossible to fly or to judge."""


class PlannerInputError(UavTestgenError):
    """The planner was given something no flight can mean: a non-finite pose or goal, a misshapen cloud."""


class BackendError(UavTestgenError):
    """The thing that flies had trouble of its own; says nothing about the scenario."""

    exit_code = ExitCode.UNFINISHED


class BackendTimeout(BackendError):
    """The backend did not answer in the time it was given."""


class MissingDependency(UavTestgenError):
    """An optional library or system package is absent; the message says how to get it."""

    exit_code = ExitCode.UNFINISHED


class UnfitSurroundings(UavTestgenError):
    """This process may not use what the work needs: memory, open files, a working directory."""

    exit_code = ExitCode.UNFINISHED


class StoreError(UavTestgenError):
    """A folder or file of results cannot be used: in use, not empty, of other settings, damaged."""


class DiskError(StoreError):
    """Results could not be written after the work had begun: the disk is full, read-only or gone."""

    exit_code = ExitCode.UNFINISHED
