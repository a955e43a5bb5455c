"""One seed, many independent streams.

Every random decision of a campaign comes from a generator made here. A stream is named, so adding a
new consumer of randomness never shifts the numbers that another consumer sees.
"""

from __future__ import annotations

import hashlib

import numpy as np


def derive_seed(seed: int, *names: str | int) -> int:
    """A 63-bit child seed that depends on the parent seed and on every name, in order."""
    text = "\x1f".join([str(int(seed)), *(str(name) for name in names)])
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


def stream(seed: int, *names: str | int) -> np.random.Generator:
    """An independent NumPy generator for the named purpose."""
    return np.random.default_rng(derive_seed(seed, *names))
