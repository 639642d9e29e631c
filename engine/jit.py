"""Everything that is numba's: kernels, specialised searches, their cache on disk, bits and memory.

No other module imports numba. A kernel is a plain function under ``@kernel``; it is compiled for the types of
its first call, and kept in a folder of its game's own (see `cache_folder`), which is named by a hash of every
source that the game's kernels can reach, so that a change anywhere in that set is a new folder and never a
stale callee. With ``NUMBA_DISABLE_JIT=1`` kernels are the plain functions they were written as.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import hashlib
import importlib.util
import logging
import os
import re
import shutil
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba.core import cgutils, event, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.errors import NumbaWarning
from numba.extending import intrinsic

log = logging.getLogger("tengen")

COMPILED: bool = not numba.config.DISABLE_JIT
ONE = np.uint64(1)
PACKAGE = "tengen"
ROOT = Path(__file__).resolve().parent.parent  # where engine/ and search/ lie, in a checkout or installed
KEEP_DAYS = 30  # cache folders that no process has used for so long are removed

# ----------------------------------------------------------------------------------------------------------
# Which sources a game's kernels are made of


def home(module: str) -> str:
    """Return the package of the game that `module` belongs to; empty for modules that all games share.

    A built-in game is a folder with a ``rules`` module under ``engine/``. Any other package than tengen's own
    is taken to be a game by itself.
    """
    parts = module.split(".")
    if parts[0] != PACKAGE:
        return parts[0]
    own = parts[:3]
    inside = len(parts) > 3 and parts[1] == "engine" and _path([*own, "rules"]) is not None
    return ".".join(own) if inside else ""


def _folder(package: str) -> Path:
    """Return the folder of the package `package`."""
    parts = package.split(".")
    if parts[0] == PACKAGE:
        return ROOT.joinpath(*parts[1:])
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"expected a package, got {package!r}")
    return Path(spec.submodule_search_locations[0])


def _path(parts: Sequence[str]) -> Path | None:
    """Return the file of the module named by `parts`, or None when there is no such file."""
    base = _folder(parts[0]).joinpath(*parts[1:])
    for path in (base.with_name(base.name + ".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


def _imports(path: Path, package: str) -> Iterator[str]:
    """Yield the names that the module in `path` imports at its top level: kernels see no others.

    Parameters
    ----------
    path : Path
    package : str
        The package that the module lies in, which relative imports start from.
    """
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = importlib.util.resolve_name("." * node.level + base, package)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _holds_kernels(path: Path) -> bool:
    """Return whether the module in `path` defines a kernel."""
    return re.search(r"^\s*@kernel", path.read_text("utf-8"), re.M) is not None


def _modules(package: str) -> Iterator[str]:
    """Yield the names of all modules in the folder of `package` and in the folders below it."""
    folder = _folder(package)
    for path in folder.rglob("*.py"):
        *parents, last = path.relative_to(folder).with_suffix("").parts
        yield ".".join([package, *parents, *([] if last == "__init__" else [last])])


@cache
def sources(package: str) -> tuple[tuple[str, Path], ...]:
    """Return, sorted, the names and files of all modules that kernels of a game can be made of.

    These are the game's rules, the modules of its package and of ``search/`` that hold kernels,
    this file, and whatever those import, directly or not.

    Parameters
    ----------
    package : str
        The game's package, such as ``tengen.engine.dvonn``.
    """
    within = {PACKAGE, package.split(".")[0]}
    pending = [__name__, f"{package}.rules"]
    for room in (package, f"{PACKAGE}.search"):
        pending += [
            name for name in _modules(room) if (path := _path(name.split("."))) and _holds_kernels(path)
        ]
    found: dict[str, Path] = {}
    while pending:
        name = pending.pop()
        parts = name.split(".")
        if name in found or parts[0] not in within or (path := _path(parts)) is None:
            continue
        found[name] = path
        pending.extend(_imports(path, name if path.name == "__init__.py" else name.rpartition(".")[0]))
    return tuple(sorted(found.items()))


def source_hash(package: str) -> str:
    """Return 16 hexadecimal digits that change with any source of a game, with numba and its settings."""
    digest = hashlib.sha256()
    for name, path in sources(package):
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    settings = sorted(
        f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR"
    )
    digest.update(repr((numba.__version__, np.__version__, sys.version_info[:2], settings)).encode())
    return digest.hexdigest()[:16]


# ----------------------------------------------------------------------------------------------------------
# The cache on disk


def cache_root() -> Path:
    """Return the folder of all compiled kernels: ``$TENGEN_CACHE_DIR``, or one in the user's cache."""
    chosen = os.environ.get("TENGEN_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("tengen", appauthor=False))


@cache
def cache_folder(package: str) -> Path | None:
    """Return the folder that holds the compiled kernels of a game as its sources are now; made if need be.

    None when there is no such folder and none can be made: kernels are then compiled anew by every process,
    which is said once in the log.
    """
    folder = cache_root() / f"{package.rpartition('.')[2]}-{source_hash(package)}"
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            _prune(folder)
        with contextlib.suppress(OSError):  # read-only: usable all the same
            os.utime(folder)
    except OSError as error:
        log.warning(
            "compiled kernels are not kept: no cache folder at %s (%s)", folder, error.strerror or error
        )
        return None
    return folder


def _prune(current: Path) -> None:
    """Remove the folders beside `current` that no process has used for `KEEP_DAYS`."""
    oldest = time.time() - KEEP_DAYS * 86400
    for folder in current.parent.iterdir():
        with contextlib.suppress(OSError):
            if (
                folder != current
                and re.fullmatch(r"\w+-[0-9a-f]{16}", folder.name)
                and folder.stat().st_mtime < oldest
            ):
                shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def folder_lock(folder: Path, name: str, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock file `name` of `folder` against other processes; no lock where none can be made.

    While another process holds it, `waiting` is called in a loop, so it should sleep; without it we block.
    """
    try:
        import fcntl

        handle = (folder / name).open("a")
    except (ImportError, OSError):
        yield
        return
    with handle:
        while waiting is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                waiting()
        else:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Places a kernel's files in its game's folder, whose name already stands for the sources."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._folder = cache_folder(py_func.__game__)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func, py_file)

    def ensure_cache_path(self) -> None:
        pass

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return "named by hash"

    def get_disambiguator(self) -> str:
        return "0"


class _CacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The file cache of one kernel: a damaged file is a miss, a full or read-only disk only costs time."""

    _impl_class = _CacheImpl
    _complained = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel compiled for `sig`, or None when the disk does not hold it whole."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # whatever a truncated pickle or object file raises: compile instead
            log.warning("a compiled kernel cannot be read (%s); compiling it again", error)
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the kernel compiled for `sig`; when the disk refuses, say so once and go on."""
        try:
            with folder_lock(Path(self.cache_path), "index.lock"):
                super().save_overload(sig, data)
        except OSError as error:
            if not KernelCache._complained:
                KernelCache._complained = True
                log.warning(
                    "compiled kernels are not kept: %s (%s)", self.cache_path, error.strerror or error
                )


# ----------------------------------------------------------------------------------------------------------
# Who wants to know that a game's kernels are being compiled

_listeners: list[tuple[str, Callable[[], None]]] = []  # the game's package, and what to call
_compiling: list[str] = []  # the games' packages, of kernels within kernels too
_listeners_guard = threading.Lock()


@contextlib.contextmanager
def on_compile(package: str, callback: Callable[[], None]) -> Iterator[None]:
    """Call `callback` for every kernel of a game that any thread compiles, not loads, in this context.

    It is called at once if such a kernel is being compiled already. Other calls come from the thread that
    compiles, which holds numba's lock: `callback` must neither block nor compile.
    """
    listener = (package, callback)
    with _listeners_guard:
        _listeners.append(listener)
        under_way = package in _compiling
    try:
        if under_way:
            callback()
        yield
    finally:
        with _listeners_guard:
            _listeners.remove(listener)


class _CompileListener(event.Listener):  # type: ignore[misc]
    """Hears from numba when a kernel is compiled; one that is found on disk makes no event."""

    def on_start(self, event: Any) -> None:
        package = self._package(event)
        with _listeners_guard:
            _compiling.append(package)
            callbacks = [callback for listening, callback in _listeners if listening == package]
        for callback in callbacks:
            callback()

    def on_end(self, event: Any) -> None:
        with _listeners_guard:
            _compiling.remove(self._package(event))

    @staticmethod
    def _package(event: Any) -> str:
        """Return the package of the game that a kernel is compiled for; empty for shared helpers."""
        return getattr(getattr(event.data["dispatcher"], "py_func", None), "__game__", "")


event.register("numba:compile", _CompileListener())

# ----------------------------------------------------------------------------------------------------------
# Kernels


def _game_of(function: Any) -> str:
    """Return the package of the game that `function` is compiled for, from where it was defined."""
    bound = function.__globals__.get("game")
    return home(bound.__name__ if isinstance(bound, ModuleType) else function.__module__)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` when it is first called, releasing the GIL, with C's division and no bounds checks.

    In a game's folder, and in a module made by `specialise`, compiled code is kept on disk. Elsewhere (shared
    helpers, which become part of their callers) it is not. Set ``NUMBA_BOUNDSCHECK=1`` to have indices
    checked.
    """
    if not COMPILED:
        return function
    game = _game_of(function)
    if game:
        function.__qualname__ = f"{game.rpartition('.')[2]}.{function.__qualname__}"
        function.__game__ = game  # type: ignore[attr-defined]
    dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
    if game and cache_folder(game):
        dispatcher._cache = KernelCache(function)
    return dispatcher


@cache
def specialise(module: str, game: ModuleType) -> ModuleType:
    """Return a copy of the search module called `module` whose global ``game`` is this rules module.

    The source is executed anew under the name ``module[game]``, so that ``game.do_move(...)`` compiles to a
    direct call; the kernels' qualified names carry the game, so that equal signatures of two games stay two
    kernels.
    """
    path = _path(module.split("."))
    if path is None:
        raise ModuleNotFoundError(f"no module is called {module!r}")
    name = f"{module}[{home(game.__name__)}]"
    spec = importlib.util.spec_from_loader(name, loader=None, origin=str(path))
    assert spec is not None
    made = importlib.util.module_from_spec(spec)
    made.__file__ = str(path)
    made.__dict__["game"] = game
    sys.modules[name] = made
    exec(compile(path.read_text("utf-8"), str(path), "exec"), made.__dict__)
    return made


def overloads(dispatcher: Any) -> int:
    """Return how many signatures a kernel has been compiled or loaded for; 0 for plain functions."""
    return len(getattr(dispatcher, "signatures", ()))


def record(fields: list[Any]) -> np.dtype[Any]:
    """Return the aligned record dtype of `fields`: a C struct, whose scalars numba passes as a pointer.

    Fields may be records themselves, or arrays of them.

    Raises
    ------
    ValueError
        When a field bears the name of an array's attribute, which would hide the field.
    """
    hidden = [field[0] for field in fields if hasattr(np.recarray, field[0])]
    if hidden:
        raise ValueError(f"field names: expected none of an ndarray's attributes, got {hidden}")
    plain = [(name, _struct(dtype), *shape) for name, dtype, *shape in fields]
    return np.dtype((np.record, np.dtype(plain, align=True)))


def _struct(dtype: Any) -> np.dtype[Any]:
    """Return a dtype as it was before it was made a record, which forgets its alignment."""
    made: np.dtype[Any] = np.dtype(dtype)
    if made.fields is None:
        return made
    formats, offsets = zip(*(field[:2] for field in made.fields.values()), strict=True)
    layout: Any = {"names": made.names, "formats": formats, "offsets": offsets, "itemsize": made.itemsize}
    return np.dtype(layout, align=True)  # type: ignore[no-any-return]


warnings.filterwarnings("ignore", category=NumbaWarning, message=".*cannot cache.*")

# ----------------------------------------------------------------------------------------------------------
# Primitives: bits, and words of memory that threads share


def _primitive(function: Callable[..., Any]) -> Any:
    """Make a code generator callable from kernels."""
    return intrinsic(function)


if COMPILED:

    @_primitive
    def popcount(typingctx: Any, x: Any) -> Any:
        """Return the number of set bits of a uint64, as int64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @_primitive
    def lsb(typingctx: Any, x: Any) -> Any:
        """Return the index of the lowest set bit of a non-zero uint64, as uint64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], cgutils.true_bit)

        return types.uint64(types.uint64), codegen

    @_primitive
    def msb(typingctx: Any, x: Any) -> Any:
        """Return the index of the highest set bit of a non-zero uint64, as uint64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(args[0], cgutils.true_bit))

        return types.uint64(types.uint64), codegen

    def _address(builder: Any, address: Any) -> Any:
        return builder.inttoptr(address, ir.IntType(64).as_pointer())

    @_primitive
    def load_word(typingctx: Any, address: Any) -> Any:
        """Return the uint64 at a memory address, read atomically: never torn, never hoisted out of a loop."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load_atomic(_address(builder, args[0]), ordering="monotonic", align=8)

        return types.uint64(types.uint64), codegen

    @_primitive
    def store_word(typingctx: Any, address: Any, value: Any) -> Any:
        """Write a uint64 to a memory address, atomically (relaxed)."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store_atomic(args[1], _address(builder, args[0]), ordering="monotonic", align=8)
            return context.get_dummy_value()

        return types.void(types.uint64, types.uint64), codegen

else:

    def popcount(x: Any) -> Any:
        """Return the number of set bits of a uint64."""
        return int(x).bit_count()

    def lsb(x: Any) -> Any:
        """Return the index of the lowest set bit of a non-zero uint64."""
        return np.uint64((int(x) & -int(x)).bit_length() - 1)

    def msb(x: Any) -> Any:
        """Return the index of the highest set bit of a non-zero uint64."""
        return np.uint64(int(x).bit_length() - 1)

    def load_word(address: Any) -> Any:
        """Return the uint64 at a memory address."""
        return np.uint64(ctypes.c_uint64.from_address(int(address)).value)

    def store_word(address: Any, value: Any) -> Any:
        """Write a uint64 to a memory address."""
        ctypes.c_uint64.from_address(int(address)).value = int(value)


class StopFlag:
    """One word of memory that a running kernel reads with ``load_word(address)`` and any thread may set.

    Attributes
    ----------
    address : numpy.uint64
        Where the word lies; 0 in it means go on.
    """

    def __init__(self) -> None:
        self._word = np.zeros(1, np.uint64)
        self.address = np.uint64(self._word.ctypes.data)

    def __bool__(self) -> bool:
        """Whether the flag is set."""
        return bool(self._word[0])

    def set(self) -> None:
        """Ask whoever watches this flag to stop."""
        self._word[0] = ONE

    def clear(self) -> None:
        """Take the request back."""
        self._word[0] = 0
