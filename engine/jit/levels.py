"""Levels of processors: kernels that are compiled for one of them run on every processor that has it."""

import platform
import re
from dataclasses import dataclass
from functools import cache

from llvmlite import binding as llvm


@dataclass(frozen=True)
class Level:
    """A level of processors."""

    name: str  # as LLVM calls a processor of the level
    machine: str  # the architecture, as LLVM begins the name of a target
    features: frozenset[str]  # what a processor must have, in LLVM's words
    system: str = ""  # the only one with such processors, as `platform.system` calls it; empty for any


X86_64_V3 = frozenset({"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2"})
NEOVERSE_N1 = frozenset({"crc", "dotprod", "fullfp16", "lse", "neon"})
LEVELS = {
    level.name: level
    for level in (
        Level("x86-64-v3", "x86_64", X86_64_V3),
        Level("neoverse-n1", "aarch64", NEOVERSE_N1),
        Level("apple-m1", "arm64", frozenset(), "Darwin"),
    )
}


def target_of(triple: str) -> str:
    """Return LLVM's name of a target, architecture, maker and system, without the release of macOS."""
    return re.sub(r"(-(?:darwin|macosx))[\d.]+", r"\1", triple)


def target_here() -> str:
    """Return the target of this process; see `target_of`."""
    return target_of(llvm.get_process_triple())


@cache
def level_here() -> Level | None:
    """Return the level whose kernels this processor runs; None if it has none of `LEVELS`."""
    machine, here = target_here().partition("-")[0], platform.system()
    for level in LEVELS.values():
        if level.machine == machine and level.system in ("", here):
            has = level.features and {name for name, value in llvm.get_host_cpu_features().items() if value}
            if level.features <= has:
                return level
    return None
