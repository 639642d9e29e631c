"""Which source files the kernels of a game are made of, and a hash of them."""

import ast
import hashlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numba
import numpy as np

PACKAGE = "tengen"
IMPORT = re.compile(r"^(?:from|import)\b[^\n(]*(?:\([^)]*\)[^\n]*)?$", re.M)  # statements that begin a line
OTHER = ("NUMBA_CACHE_DIR", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")  # settings that do not matter here
ROOT = Path(__file__).resolve().parents[2]  # the folder of engine/ and search/, in a checkout or installed


@cache
def home(module: str) -> str:
    """Return the package of the game that `module` belongs to; empty if it belongs to none.

    It is the innermost package around the module that holds a file ``rules.py``. Kernels of no game are not
    cached: nothing tells which sources they depend on.
    """
    parts = module.split(".")
    if parts[0] != PACKAGE and len(parts) == 1:
        return ""
    for length in range(len(parts), 0, -1):
        path = module_path([*parts[:length], "rules"])
        if path is not None and path.name == "rules.py":
            return ".".join(parts[:length])
    return ""


def _folder(package: str) -> Path:
    """Return the folder of the package `package`."""
    parts = package.split(".")
    if parts[0] == PACKAGE:
        return ROOT.joinpath(*parts[1:])
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"expected a package, got {package!r}")
    return Path(spec.submodule_search_locations[0])


def module_path(parts: Sequence[str]) -> Path | None:
    """Return the file of the module named by `parts`; None if it does not exist."""
    base = _folder(parts[0]).joinpath(*parts[1:])
    for path in (base.with_name(base.name + ".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


def _imports(path: Path, package: str) -> Iterator[str]:
    """Yield the names that the module in `path` imports at its top level, the only ones that kernels see.

    Relative imports refer to its `package`.
    """
    for node in _import_statements(path.read_text("utf-8")):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = importlib.util.resolve_name("." * node.level + base, package)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _import_statements(source: str) -> list[ast.stmt]:
    """Return the top-level import statements of `source`, perhaps among others.

    Every start of a program needs them, so only the lines that look like imports are parsed. If these make no
    sense by themselves, the whole source is parsed.
    """
    try:
        return ast.parse("\n".join(IMPORT.findall(source))).body
    except SyntaxError:
        return ast.parse(source).body


def _holds_kernels(path: Path) -> bool:
    """Return whether the module in `path` defines a kernel."""
    return re.search(r"^\s*@kernel", path.read_text("utf-8"), re.M) is not None


def _modules(package: str) -> Iterator[str]:
    """Yield the names of all modules in `package` and its subpackages."""
    folder = _folder(package)
    for path in folder.rglob("*.py"):
        *parents, last = path.relative_to(folder).with_suffix("").parts
        yield ".".join([package, *parents, *([] if last == "__init__" else [last])])


@cache
def sources(package: str) -> tuple[tuple[str, Path], ...]:
    """Return, sorted, the names and files of all modules that the kernels of a game can depend on.

    These are the game's rules, the modules with kernels in its package, in ``engine/play/`` and in
    ``search/``, this package, and everything that those import, directly or indirectly. The game is that of a
    `package` such as ``tengen.engine.dvonn``.
    """
    within = {PACKAGE, package.split(".")[0]}
    pending = [__package__, f"{package}.rules"]
    for room in (package, f"{PACKAGE}.engine.play", f"{PACKAGE}.search"):
        pending += [
            name for name in _modules(room) if (path := module_path(name.split("."))) and _holds_kernels(path)
        ]
    found: dict[str, Path] = {}
    while pending:
        name = pending.pop()
        parts = name.split(".")
        if name in found or parts[0] not in within or (path := module_path(parts)) is None:
            continue
        found[name] = path
        pending.extend(_imports(path, name if path.name == "__init__.py" else name.rpartition(".")[0]))
    return tuple(sorted(found.items()))


def source_hash(package: str) -> str:
    """Return a hash (16 hexadecimal digits) of all sources of a game, of numba's version and its settings.

    The processor is none of it: numba tells kernels for several apart. Nor is numpy's version, but for its
    first number and what it makes of the seeds of keys, which become part of kernels.
    """
    digest = hashlib.sha256()
    for name, path in sources(package):
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    settings = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and k not in OTHER)
    keys = np.random.Generator(np.random.PCG64(1)).integers(1, 2**64, size=4, dtype=np.uint64).tolist()
    numpy = np.__version__.partition(".")[0], keys
    digest.update(repr((numba.__version__, numpy, sys.version_info[:2], settings)).encode())
    return digest.hexdigest()[:16]
