"""Many drones: a lightweight tick simulator on a grid of cells.

Comes in: a JSON scenario (cells, drones, tasks). Goes out: a log of ticks, a trust score per drone and
task, pictures. Start reading with `engine` (the order of a tick), then `drone` and `controller`.
Nothing here needs ROS, Numba or matplotlib; a run of the shipped scenarios stays small.
"""
