"""Files of kernels that were compiled for a level of processors, to be used on other machines.

A file is a zip archive: what it is for (`MANIFEST`), and files of numba's cache below ``GAME-HASH/LEVEL/``.
Kernels are machine code in pickles. Whoever can write such a file can run any program on the machine that
loads it; the hashes tell damage, and nothing about where the file is from.
"""

import hashlib
import io
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba

from tengen.engine.errors import TengenError, quoted
from tengen.engine.jit.cache import cache_root, folder_lock, folder_name, portable_folder
from tengen.engine.jit.levels import LEVELS, Level, level_here, target_here
from tengen.engine.storage.files import open_regular, replace_file
from tengen.engine.storage.parsing import parse_json

MANIFEST = "manifest.json"
FORMAT = 1
MAX_BYTES = 1 << 29  # of a file, and of what is in it
MEMBER = re.compile(r"\w+-[0-9a-f]{16}/[\w-]+/[\w.<>\[\]-]+\.nb[ci]")  # GAME-HASH/LEVEL/FILE
SUFFIXES = (".nbc", ".nbi")


class KernelsError(TengenError):
    """A file that holds no kernels for this installation or machine."""


@dataclass(frozen=True)
class Kernels:
    """The kernels in a file."""

    level: Level
    files: Mapping[str, bytes]  # by their path below the root of the cache

    @property
    def folders(self) -> list[str]:
        """The folders of games, ``GAME-HASH/LEVEL``, in order."""
        return sorted({name.rpartition("/")[0] for name in self.files})


def _made_for() -> dict[str, Any]:
    """Return what has to be the same where kernels are compiled and where they run."""
    python = ".".join(map(str, sys.version_info[:2]))
    return {"format": FORMAT, "target": target_here(), "python": python, "numba": numba.__version__}


def write_kernels(path: Path, level: Level, root: Path, packages: Sequence[str]) -> Kernels:
    """Write the kernels of games that have been compiled for a level, and return them.

    They have been compiled into a cache with this `root`; `packages` are those of the games. The file is
    written atomically. Raise OSError if something cannot be read or written.
    """
    files = {
        f"{folder_name(package)}/{level.name}/{file.name}": file.read_bytes()
        for package in packages
        for file in sorted((root / folder_name(package)).iterdir())
        if file.suffix in SUFFIXES
    }
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    manifest = {**_made_for(), "level": level.name, "files": hashes}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        for name, data in files.items():
            archive.writestr(name, data)
    replace_file(path, made.getvalue())
    return Kernels(level, files)


def read_kernels(path: Path, packages: Sequence[str]) -> Kernels:
    """Read kernels of games in `packages`, and check that they are whole and of use here.

    Raise KernelsError if the file holds something else, is damaged, or was made for another version, system
    or processor, OSError if it cannot be read.
    """
    try:
        with open_regular(path, MAX_BYTES) as file, zipfile.ZipFile(file) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_BYTES:
                raise KernelsError(f"{path}: expected at most {MAX_BYTES >> 20} MB of kernels, got more")
            manifest = parse_json(archive.read(MANIFEST))
            level = _level_of(path, manifest)
            files = {name: archive.read(name) for name in manifest["files"] if MEMBER.fullmatch(name)}
            hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    except (OSError, KernelsError):
        raise
    except Exception:  # a damaged archive may raise anything
        raise KernelsError(f"{path}: expected a file of tengen kernels, got something else") from None
    if hashes != manifest["files"]:
        raise KernelsError(f"{path}: the file is damaged")
    kernels = Kernels(level, files)
    known = {f"{folder_name(package)}/{level.name}" for package in packages}
    if not kernels.folders or not known.issuperset(kernels.folders):
        raise KernelsError(f"{path}: expected kernels of this version's sources, got those of another")
    return kernels


def _level_of(path: Path, manifest: Mapping[str, Any]) -> Level:
    """Return the level of kernels; raise KernelsError if they cannot run here."""
    for key, here in _made_for().items():
        if manifest[key] != here:
            raise KernelsError(f"{path}: {key}: expected {here}, got {quoted(str(manifest[key]))}")
    level, here = LEVELS[manifest["level"]], level_here()
    if here is None:
        raise KernelsError(f"{path}: this processor has less than {level.name}, for which they were compiled")
    if level != here:
        raise KernelsError(f"{path}: level: expected {here.name}, got {level.name}")
    return level


def install_kernels(kernels: Kernels) -> Path:
    """Put kernels into the cache, where all later processes find them; return its root.

    Raise OSError if they cannot be written; the games that came before are kept.
    """
    root = cache_root()
    root.mkdir(parents=True, exist_ok=True)
    with folder_lock(root, "import.lock"):
        for folder in kernels.folders:
            files = {name: data for name, data in kernels.files.items() if name.startswith(f"{folder}/")}
            _replace_folder(root / folder, files)
    portable_folder.cache_clear()
    return root


def _replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make a folder of `files`, or replace it; when that fails, what was there is kept."""
    folder.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="kernels-", dir=folder.parent.parent) as unfinished:
        made, former = Path(unfinished, "made"), Path(unfinished, "former")
        made.mkdir()
        for name, data in files.items():
            (made / name.rpartition("/")[2]).write_bytes(data)
        if folder.exists():
            folder.rename(former)
        try:
            made.rename(folder)
        except BaseException:
            if former.exists():
                former.rename(folder)
            raise
