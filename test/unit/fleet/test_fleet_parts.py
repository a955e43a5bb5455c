"""Cells, paths, trust and the radio, one by one."""

import numpy as np
import pytest

from uav_testgen.fleet import trust
from uav_testgen.fleet.cells import NORTH, Direction, cells_in_reach
from uav_testgen.fleet.network import Message, MessageType, Network, NetworkSettings
from uav_testgen.fleet.paths import PathMethod, _a_star, shortest_path
from uav_testgen.fleet.world import CellWorld

EAST = (1, 0, 0)


@pytest.mark.parametrize(
    ("direction", "heading", "last"),
    [
        (Direction.FORWARD, NORTH, (5, 7, 1)),
        (Direction.BACKWARD, NORTH, (5, 3, 1)),
        (Direction.RIGHT, NORTH, (7, 5, 1)),
        (Direction.LEFT, NORTH, (3, 5, 1)),
        (Direction.RIGHT, EAST, (5, 3, 1)),
        (Direction.LEFT, EAST, (5, 7, 1)),
        (Direction.UP, NORTH, (5, 5, 3)),
        (Direction.DOWN, NORTH, (5, 5, -1)),
    ],
)
def test_lines_of_sight(
    direction: Direction, heading: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    cells = cells_in_reach((5, 5, 1), heading, direction, 2)
    assert (cells[0], cells[-1], len(cells)) == ((5, 5, 1), last, 3)


def test_all_around_is_a_cube_nearest_first() -> None:
    cells = cells_in_reach((0, 0, 0), NORTH, Direction.NONE, 1)
    assert len(cells) == 27
    assert cells[0] == (0, 0, 0)


@pytest.mark.parametrize("method", list(PathMethod))
def test_path_around_a_wall_in_two_and_three_dimensions(method: PathMethod) -> None:
    flat = CellWorld((7, 7, 1))
    tall = CellWorld((7, 7, 2))
    for y in range(6):
        flat.set((3, y, 0), "blocked", True)
        tall.set((3, y, 0), "blocked", True)
    around = shortest_path(flat, (0, 0, 0), (6, 0, 0), method)
    over = shortest_path(tall, (0, 0, 0), (6, 0, 0), method)
    assert around is not None and len(around) == 18  # 6 north, 6 east, 6 south
    assert over is not None and len(over) == 8  # 6 east, one up, one down
    assert over[-1] == (6, 0, 0)


def test_no_way_is_none() -> None:
    world = CellWorld((3, 1, 1))
    world.set((1, 0, 0), "blocked", True)
    assert shortest_path(world, (0, 0, 0), (2, 0, 0)) is None
    assert shortest_path(world, (0, 0, 0), (1, 0, 0)) is None
    assert shortest_path(world, (0, 0, 0), (0, 0, 0)) == []


def test_a_walled_in_target_of_a_large_world_is_left_to_the_wave_front() -> None:
    """A* in plain Python would look at every one of its millions of cells."""
    world = CellWorld((1000, 1000, 1))
    for east, north in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        world.set((500 + east, 500 + north, 0), "blocked", True)
    has_decided, _ = _a_star(world, (0, 0, 0), (500, 500, 0))
    assert not has_decided
    assert shortest_path(world, (0, 0, 0), (500, 500, 0), PathMethod.A_STAR) is None


def test_trust_equations() -> None:
    assert trust.time_trust(0.8, 20, 25) == pytest.approx(0.64)
    assert trust.time_trust(1.0, 30, 20) == 1.0
    assert trust.battery_trust(0.8, 1250.0, 2500.0) == pytest.approx(0.8)
    assert trust.battery_trust(0.8, 625.0, 2500.0) == pytest.approx(0.4)
    combined = trust.updated_trust(
        0.8,
        estimated_ticks=20,
        actual_ticks=25,
        battery_level=625.0,
        battery_max=2500.0,
        weights=trust.TrustWeights(0.75, 0.25),
    )
    assert combined == pytest.approx(0.75 * 0.64 + 0.25 * 0.4)


def message(receiver: int = 0) -> Message:
    return Message(MessageType.REQ_TASK, 1, receiver)


def test_radio_delay_and_order() -> None:
    network = Network(NetworkSettings(delay_ticks=2), np.random.default_rng(0))
    network.send(1, message())
    network.send(2, Message(MessageType.INFO_UPDATE, 1, 0))
    assert network.receive(2, 0) == []
    assert [item.type for item in network.receive(3, 0)] == [MessageType.REQ_TASK]
    assert [item.type for item in network.receive(9, 0)] == [MessageType.INFO_UPDATE]
    assert network.receive(9, 0) == []


def test_radio_loss_is_counted() -> None:
    network = Network(NetworkSettings(loss_probability=0.5), np.random.default_rng(0))
    delivered = sum(network.send(0, message()) for _ in range(1000))
    assert network.sent == 1000
    assert network.lost == 1000 - delivered
    assert 400 < delivered < 600


def test_radio_range() -> None:
    network = Network(NetworkSettings(range_cells=5), np.random.default_rng(0))
    network.set_position(0, (0, 0, 0))
    network.set_position(1, (5, 0, 0))
    assert network.send(0, message())
    network.set_position(1, (5, 1, 0))
    assert not network.send(0, message())


def test_world_refuses_outside_and_forgets_empty_cells() -> None:
    world = CellWorld((2, 2, 1))
    with pytest.raises(ValueError, match="outside"):
        world.set((2, 0, 0), "temperature", 3)
    world.set((1, 1, 0), "temperature", 0)
    assert world.get((1, 1, 0), "temperature") == 0
    world.set((1, 1, 0), "temperature", None)
    assert world.special_cells() == []
