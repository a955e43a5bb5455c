"""Every error this package raises on purpose, on one screen.

The class answers "whose fault": the user's file, the candidate scenario, the simulator behind a
backend, the installation, or the disk. Messages name the place, the rule and the way out, because
the command line prints exactly the message and nothing else.
"""

from __future__ import annotations


class UavTestgenError(Exception):
    """Root of the tree; the command line turns it into one line and an exit code."""

    exit_code = 2


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


class BackendTimeout(BackendError):
    """The backend did not answer in the time it was given."""


class MissingDependency(UavTestgenError):
    """An optional library or system package is absent; the message says how to get it."""


class StoreError(UavTestgenError):
    """Results cannot be written or read back: disk full, read-only, locked or corrupted."""
