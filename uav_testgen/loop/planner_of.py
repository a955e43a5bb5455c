"""The planner of a system, made and told what it needs to know; what its own code does wrong has a name.

A planner may be anybody's class or object, so everything that is not what a planner is refused here, once.
"""

from __future__ import annotations

import inspect
from typing import Any

from uav_testgen.core.errors import ConfigError, UavTestgenError
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.own_line import line_of, line_of_method, said_of
from uav_testgen.loop.cameras import optical_frames
from uav_testgen.loop.rig import believed_views
from uav_testgen.loop.system import System
from uav_testgen.planner.base import Planner, PlannerSetup
from uav_testgen.planner.registry import check_planner, load_planner
from uav_testgen.planner.vfh3d.planner import GuideSettings, Vfh3dPlanner
from uav_testgen.scenario.model import Scenario

_MOST_SAID = 500


class PlannerNotMade(UavTestgenError):
    """The planner's own code failed before it was ready."""

    exit_code = ExitCode.UNFINISHED

    def __init__(self, name: str, error: BaseException) -> None:
        self.said = said_of(error)[:_MOST_SAID]
        super().__init__(f"planner '{name}' cannot be started: {self.said}")


def make_system_planner(
    system: System, speed_mps: float | None, trace: bool = False, given: Any = None
) -> Planner:
    """The planner of a system; `given` is an object or class to use instead of the name."""
    if given is not None:
        name = getattr(given, "__name__", type(given).__name__)
        return _made(name, given, {}) if isinstance(given, type) else _checked(name, given)
    choice = system.planner
    if not choice.is_shipped:
        kind = load_planner(choice.name)
        return _made(choice.name, kind, choice.settings) if callable(kind) else _checked(choice.name, kind)
    guide = GuideSettings(system.guide, system.timing.goal_delay_s, system.timing.planning_s)
    return Vfh3dPlanner(
        choice.parameters, system.autopilot, believed_views(system), choice.implementation, guide, speed_mps,
        trace,
    )  # fmt: skip


def _made(name: str, kind: Any, settings: dict[str, Any]) -> Planner:
    """Settings that the planner does not take are ConfigError; what its own code does is PlannerNotMade."""
    try:
        inspect.signature(kind).bind(**settings)
    except TypeError as error:
        raise ConfigError(f"planner '{name}' cannot be made: {kind.__name__}(): {error}") from None
    except ValueError:
        pass  # written in C: it says itself what it takes
    try:
        made = kind(**settings)
    except ConfigError:
        raise  # said by a planner that knows how it is meant to be used
    except (Exception, SystemExit) as error:
        raise PlannerNotMade(name, error) from error
    return _checked(name, made)


def _checked(name: str, planner: Any) -> Planner:
    check_planner(planner, name)
    made: Planner = planner
    return made


def planner_setup(system: System, scenario: Scenario, seed: int) -> PlannerSetup:
    """What a planner is told before a flight."""
    speed_mps = scenario.mission.speed_mps
    return PlannerSetup(
        dt_s=system.timing.dt_s,
        seed=seed,
        cruise_mps=system.autopilot.mpc_xy_cruise_mps if speed_mps is None else speed_mps,
        views=believed_views(system),
        camera_frames=optical_frames(system.rig),
    )


def fault_of(planner: Planner, error: BaseException) -> str:
    """What a planner did wrong, in one line: with file and line of its code, or of its `plan` for a wrong answer."""
    where = "" if line_of(error) else line_of_method(planner, "plan")
    return f"{where}{said_of(error)}"[:_MOST_SAID]
