"""The 3DVFH* planner in readable NumPy: float32 where the original computes in float32, exact ties included.

It is the documentation of the algorithm and the reference for the compiled implementation.
"""
