"""The cache of compiled kernels on disk."""

import contextlib
import logging
import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Self

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.runtime import rtsys

from tengen.engine.jit.dispatcher import is_inner, uses_inner_parts
from tengen.engine.jit.levels import level_here, target_of
from tengen.engine.jit.sources import ROOT, source_hash
from tengen.engine.storage.files import user_folder
from tengen.engine.system import lock_file

log = logging.getLogger("tengen")

SHIPPED = ROOT / "kernels"  # compiled for a level of processors, in a wheel
KEEP_DAYS = 30  # cache folders that were not used for this long are removed


def cache_root() -> Path:
    """Return the root folder of the cache: ``$TENGEN_CACHE_DIR``, or a folder in the user's cache."""
    chosen = os.environ.get("TENGEN_CACHE_DIR")
    return Path(chosen) if chosen else user_folder("cache")


def folder_name(package: str) -> str:
    """Return what the folder of the kernels of a game is called, for its present sources."""
    return f"{package.rpartition('.')[2]}-{source_hash(package)}"


@cache
def portable_folder(package: str) -> Path | None:
    """Return the folder of a game's kernels that were compiled for this level of processors, or None.

    They came with the wheel or by ``tengen kernels import``.
    """
    level = level_here()
    if level is None or numba.config.CPU_NAME:  # compiled for a processor that was chosen
        return None
    folders = (root / folder_name(package) / level.name for root in (cache_root(), SHIPPED))
    return next((folder for folder in folders if folder.is_dir()), None)


@cache
def cache_folder(package: str) -> Path | None:
    """Return the cache folder for the present sources of a game; create it if needed.

    Returns None, and logs it once, if the folder cannot be created: every process then compiles its kernels.
    """
    folder = cache_root() / folder_name(package)
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            _prune(folder)
        with contextlib.suppress(OSError):  # a read-only folder can still be used
            os.utime(folder)
    except OSError as error:
        log.warning(
            "compiled kernels are not kept: no cache folder at %s (%s)", folder, error.strerror or error
        )
        return None
    return folder


def keeps_kernels(package: str) -> bool:
    """Return whether kernels of a game that are compiled now can be stored in its folder."""
    folder = cache_folder(package)
    return folder is not None and os.access(folder, os.W_OK)


def _prune(current: Path) -> None:
    """Remove the folders beside `current` that were not used for `KEEP_DAYS` before it was made."""
    oldest = current.stat().st_mtime - KEEP_DAYS * 86400
    for folder in current.parent.iterdir():
        with contextlib.suppress(OSError):
            if (
                folder != current
                and re.fullmatch(r"\w+-[0-9a-f]{16}|kernels-.*", folder.name)  # or an import that was killed
                and folder.stat().st_mtime < oldest
            ):
                shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def folder_lock(folder: Path, name: str, wait: bool = True) -> Iterator[None]:
    """Hold the lock file `name` in `folder` against other processes; without a lock if it cannot be made.

    Raise BlockingIOError if another process holds it, and `wait` is false.
    """
    try:
        handle = (folder / name).open("a")
    except OSError:
        yield
        return
    with handle:
        lock_file(handle.fileno(), wait)
        yield


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Places the files of a kernel in the folder of its game, whose name identifies the sources."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._folder = cache_folder(py_func.__game__) or portable_folder(py_func.__game__)
        self._py_file = py_file  # named where a kernel cannot be stored, as with NUMBA_OPT=0

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Self:
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
    """The file cache of one kernel; a damaged file is a miss, and failing to write is not an error."""

    _impl_class = _CacheImpl
    _warned = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel compiled for `sig`; None if the cache does not have it or it is damaged.

        Numba would first register all that it can compile, which takes longer than to load the kernels of a
        game. They need its runtime only; whatever is compiled registers the rest.
        """
        try:
            if not uses_inner_parts():
                return super().load_overload(sig, target_context)
            rtsys.initialize(target_context)
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception as error:  # a truncated pickle or object file may raise anything
            log.warning("a compiled kernel cannot be read (%s); compiling it again", error)
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel compiled for `sig` here, or else that for this level of processors, or None."""
        if own := super()._load_overload(sig, target_context):
            return own
        folder, level = portable_folder(self._py_func.__game__), level_here()
        if folder is None or level is None:
            return None
        stamp = self._impl.locator.get_source_stamp()
        file = IndexDataCacheFile(str(folder), self._impl.filename_base, stamp)
        signature, (target, *_), function = self._index_key(sig, target_context.codegen())
        wanted = signature, (target_of(target), level.name, ""), function
        for (signature, (target, *processor), function), name in file._load_index().items():
            if (signature, (target_of(target), *processor), function) == wanted:
                return self._impl.rebuild(target_context, file._load_data(name))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the kernel compiled for `sig`, unless it is only a part of others; log a failure once."""
        if is_inner(data) or cache_folder(self._py_func.__game__) is None:
            return
        try:
            with folder_lock(Path(self.cache_path), "index.lock"):
                super().save_overload(sig, data)
        except OSError as error:
            if not KernelCache._warned:
                KernelCache._warned = True
                log.warning(
                    "compiled kernels are not kept: %s (%s)", self.cache_path, error.strerror or error
                )
