"""What every planner promises, as tests to inherit: set `name` in a subclass.

class TestMine(PlannerContract):
    name = "mine.py:Mine"
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from uav_testgen.core.body import SET_POSITION, VELOCITY, body_at
from uav_testgen.loop.cameras import cameras_seen, image_pose_at
from uav_testgen.loop.decide import Decider
from uav_testgen.loop.planner_of import make_system_planner, planner_setup
from uav_testgen.loop.stepwise import pose_of
from uav_testgen.loop.system import System, assemble
from uav_testgen.planner.base import Observation, Plan, Planner
from uav_testgen.testing.factories import make_mission, make_scenario

_GOAL = np.array([40.0, 0.0, 10.0])
_HOME = np.array([0.0, 0.0, 10.0])
_WALL = np.array(
    [[12.0, y, z] for y in np.arange(-4.0, 4.0, 0.5) for z in np.arange(6.0, 14.0, 0.5)], dtype=np.float32
)
_NOTHING = np.zeros((0, 3), np.float32)


class PlannerContract:
    """Inherit and set `name`: a registered name, `module:Class` or `file.py:Class`."""

    name: ClassVar[str]
    system_name: ClassVar[str] = "paper"
    steps: ClassVar[int] = 12

    def system(self) -> System:
        """The system it is tested in."""
        return assemble(self.system_name, planner=self.name)

    def build(self, seed: int = 1) -> Planner:
        """A planner at the beginning of a flight."""
        planner = make_system_planner(self.system(), speed_mps=2.0)
        self.reset(planner, seed)
        return planner

    def reset(self, planner: Planner, seed: int = 1) -> None:
        """The flight begins."""
        planner.reset(planner_setup(self.system(), make_scenario(mission=make_mission()), seed))

    def observation(self, step: int, cloud: Any = _WALL) -> Observation:
        """What it sees while it flies straight towards a wall, with the first camera of its system."""
        rig, position = self.system().rig, _HOME + np.array([0.2 * step, 0.0, 0.0])
        here = image_pose_at(0.1 * step, position, np.zeros(3))
        return Observation(
            t_s=0.1 * step,
            position_enu_m=position,
            velocity_enu_mps=np.array([2.0, 0.0, 0.0]),
            attitude_rad=np.zeros(3),
            goal_enu_m=_GOAL.copy(),
            previous_enu_m=_HOME.copy(),
            clouds_enu_m=(np.array(cloud), *[_NOTHING] * (len(rig.cameras) - 1)),
            take_cameras=lambda: cameras_seen(rig, [here] * len(rig.cameras)),
        )

    def setpoints(self, planner: Planner, cloud: Any = _WALL) -> Any:
        """The set-points of some steps, as the vehicle would get them."""
        decider, found = Decider(planner), []
        for step in range(self.steps):
            seen = self.observation(step, cloud)
            plan = decider.plan(seen)
            body = body_at(tuple(seen.position_enu_m), 0.0)
            body[VELOCITY] = 2.0
            found.append(decider.guide(plan, pose_of(body), _GOAL, seen.t_s, is_late=False))
        return np.array(found)

    def test_answers_with_plans(self) -> None:
        """`plan` returns a Plan, whatever the camera sees."""
        planner = self.build()
        for step, cloud in enumerate((_WALL, _NOTHING, _WALL[:1])):
            assert isinstance(planner.plan(self.observation(step, cloud)), Plan)

    def test_is_shown_cameras_that_fit_the_cloud(self) -> None:
        """What a planner does with `cameras` and `depth_m` here, it can do in every flight."""
        seen = self.observation(2)
        camera, image = seen.cameras[0], seen.depth_m[0]
        assert image.shape == (camera.height, camera.width) and np.isfinite(image).any()
        row, column = np.unravel_index(np.nanargmin(image), image.shape)
        point = camera.points_enu_m(column, row, image[row, column])
        pixel_m = image[row, column] / min(camera.fx, camera.fy)
        assert np.linalg.norm(seen.clouds_enu_m[0] - point, axis=1).min() < pixel_m

    def test_setpoints_can_be_flown(self) -> None:
        """Each has a place, and nothing in it is infinite; NaN demands nothing."""
        found = self.setpoints(self.build())
        assert np.isfinite(found[:, SET_POSITION : SET_POSITION + 3]).all()
        assert not np.isinf(found).any()

    def test_repeats_itself(self) -> None:
        """The same seed and the same view give the same set-points: campaigns are resumed by repeating."""
        one, other = self.setpoints(self.build(seed=3)), self.setpoints(self.build(seed=3))
        assert one.tobytes() == other.tobytes()

    def test_forgets_between_flights(self) -> None:
        """`reset` leaves nothing of the flight before."""
        planner = self.build(seed=3)
        fresh = self.setpoints(planner)
        self.reset(planner, seed=3)
        assert self.setpoints(planner).tobytes() == fresh.tobytes()

    def test_leaves_what_it_is_shown_alone(self) -> None:
        """The loop and the recording still need it."""
        planner, seen = self.build(), self.observation(1)
        shown: list[Any] = [seen.position_enu_m, seen.goal_enu_m, *seen.clouds_enu_m, *seen.depth_m]
        before = [array.tobytes() for array in shown]
        planner.plan(seen)
        assert [array.tobytes() for array in shown] == before
