"""Random numbers for kernels: xorshift64 (Marsaglia 2003); the state is the field ``random`` of a record."""

import numpy as np

from tengen.engine.jit import kernel

_13, _7, _17, _32 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)


@kernel
def random_below(o, n):
    """Return a uniform number (uint64) in [0, n) and update ``o.random`` (uint64, never 0)."""
    x = o.random
    x ^= x << _13
    x ^= x >> _7
    x ^= x << _17
    o.random = x
    return ((x >> _32) * np.uint64(n)) >> _32


def seed_word(seed: int) -> np.uint64:
    """Return a non-zero generator state for `seed` by splitmix64, which decorrelates similar seeds."""
    mask = (1 << 64) - 1
    x = (seed + 0x9E3779B97F4A7C15) & mask
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & mask
    return np.uint64(x ^ x >> 31 or 1)
