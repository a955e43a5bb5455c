"""Random numbers without a stream: hashes of a seed and counters.

The number for (seed, a, b, c) is the same in whatever order, thread or process it is asked for.
"""

from __future__ import annotations

import math

from numba import uint64

from uav_testgen.core.kernel import kernel_with


@kernel_with(error_model="python", forceinline=True)
def _mix(state: int) -> int:
    """The finaliser of SplitMix64: every input bit flips about half of the output bits."""
    z = uint64(state) + uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))  # type: ignore[no-any-return]


@kernel_with(error_model="python")
def hash_uniform(seed: int, a: int, b: int, c: int) -> float:
    """A number in (0, 1) that depends on the seed and three counters only."""
    state = _mix(_mix(_mix(_mix(uint64(seed)) ^ uint64(a)) ^ uint64(b)) ^ uint64(c))
    return (float(state >> uint64(11)) + 0.5) * (1.0 / 9007199254740992.0)


@kernel_with(error_model="python")
def hash_normal(seed: int, a: int, b: int, c: int) -> float:
    """A standard normal number of the same kind (Box-Muller on two hashed uniforms)."""
    u = hash_uniform(seed, a, b, 2 * c)
    v = hash_uniform(seed, a, b, 2 * c + 1)
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)
