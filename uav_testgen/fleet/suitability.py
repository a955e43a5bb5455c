"""Which drones can do a task, and which of them is the best choice."""

from __future__ import annotations

from collections.abc import Iterable

from uav_testgen.fleet.cells import Cell, distance
from uav_testgen.fleet.job import DroneState
from uav_testgen.fleet.specs import Assignment, DroneSpec, TrustSpec
from uav_testgen.fleet.tasks import ACTUATOR_MODE, InstructionType, Priority, TaskRecord
from uav_testgen.fleet.views import DroneView


def is_able(view: DroneView, record: TaskRecord) -> bool:
    """Alive, allowed and equipped; whether its charge lasts is the planner's question."""
    if view.state is DroneState.DEAD or record.task.drone_id not in (None, view.spec.id):
        return False
    return view.spec.id not in record.unable_drones and not missing_devices(view.spec, record)


def missing_devices(spec: DroneSpec, record: TaskRecord) -> list[str]:
    """Sensors and actuators that the task needs and the drone lacks."""
    handled = {(actuator.attr, actuator.mode) for actuator in spec.actuators}
    sensed = {sensor.attr for sensor in spec.sensors}
    missing = [f"a sensor for '{attr}'" for attr in record.task.sensors if attr not in sensed]
    for item in record.remaining:
        mode = ACTUATOR_MODE.get(item.type)
        if mode is not None and (item.attribute, mode) not in handled:
            missing.append(f"an actuator with mode {mode} for '{item.attribute}'")
        if item.type is InstructionType.SENSE and item.attribute not in sensed:
            missing.append(f"a sensor for '{item.attribute}'")
    return missing


def why_nobody(views: Iterable[DroneView], record: TaskRecord) -> str:
    """The sentence for a task that no drone is able to do."""
    if record.unable_drones and record.message:
        return record.message
    lacks = [missing_devices(view.spec, record) for view in views]
    needs = next((missing[0] for missing in sorted(lacks, key=len) if missing), None)
    return f"no drone is able to do it: it needs {needs}" if needs else "no drone is able to do it"


def minimum_trust(record: TaskRecord, trust: TrustSpec) -> float:
    """Below this a drone gets the task only if no other is able."""
    return trust.high_priority_minimum if record.task.priority is Priority.HIGH else trust.minimum


def rank(view: DroneView, record: TaskRecord, assignment: Assignment) -> tuple[float, ...]:
    """Smaller is better: for urgent tasks trust comes first, otherwise who asked first or is there first.

    Half the trust counts like twice the way, since that is how late such a drone has been.
    """
    near = distance(view.position, first_target(view, record)) / view.spec.speed
    if record.task.priority is Priority.HIGH:
        return (-view.trust, near, view.spec.id)
    if assignment is Assignment.IN_ORDER:
        return (view.request_number, view.spec.id)
    return (near / max(view.trust, 1e-6), -view.trust, view.spec.id)


def first_target(view: DroneView, record: TaskRecord) -> Cell:
    """Where the task begins; where the drone is if it leads nowhere."""
    places = (item.position for item in record.remaining if item.position is not None)
    return next(places, view.position)
