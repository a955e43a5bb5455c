"""The 3DVFH* planner in readable NumPy: float32 where the original computes in float32, exact ties included.

It is the documentation of the algorithm and the reference for the compiled implementation: read it first. Reading
order: `polar` (angles), `memory`, `histogram`, `cost` (with `interpolation` and `smoothing`), `candidates`, `tree`,
`planner`; `guide` (with `guide_smoothing` and `path_setpoint`) is the second half of the planner. `view` and
`obstacle_distance` stand beside.
"""
