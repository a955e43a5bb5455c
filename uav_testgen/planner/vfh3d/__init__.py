"""3DVFH*, the local planner of PX4-Avoidance, twice: `reference` to read first, `compiled` to fly.

Modules of the same name hold the same part of the algorithm. `reference` is plain NumPy and the documentation
of the method; `compiled` gives the same answers at a fraction of the cost and is organised for the compiler.
"""
