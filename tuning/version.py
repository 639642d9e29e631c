"""What results are labelled with: the version of the engine, and the settings with which alone they go on."""

import hashlib
import json
import sys
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

from tengen import __version__
from tengen.engine.errors import OptionError
from tengen.engine.jit import source_hash
from tengen.engine.spec import GameSpec

ROOT = Path(__file__).resolve().parents[1]  # the folder of the packages, in a checkout or installed
PACKAGES = ("engine", "search", "tuning")
UNSET = "none"  # shown in place of the value of a setting that is missing


def engine_version(spec: GameSpec) -> str:
    """Return the release, and hashes of the sources and the shipped weights of every game of `spec`."""
    hashes = []
    for game in (each.game for each in spec.games):
        shipped = game.evaluation.all_shipped() if game.evaluation else ()
        hashes.append("-".join((source_hash(game.package), *(weights.fingerprint for weights in shipped))))
    return f"tengen {__version__} ({' '.join(hashes)})"


@cache
def package_version() -> str:
    """Return the release, and a hash of all that the results of a job depend on.

    That is the code and the learned data of these packages, and the versions of Python, NumPy and numba.
    """
    digest = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for library in ("numpy", "numba"):
        digest.update(f"{library} {metadata.version(library)}\0".encode())
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            if path.suffix in (".py", ".npz"):
                digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return f"tengen {__version__} ({digest.hexdigest()[:16]})"


def settings_diff(known: Mapping[str, str], settings: Mapping[str, str]) -> str:
    """Return the differences between the `known` settings and these as text; empty without any."""
    return "; ".join(
        f"{name} is {known.get(name, UNSET)} there, {settings.get(name, UNSET)} here"
        for name in {**known, **settings}
        if known.get(name) != settings.get(name)
    )


def fingerprint(settings: Mapping[str, str]) -> str:
    """Return eight hexadecimal digits of a hash of `settings`."""
    return hashlib.sha256(json.dumps(dict(settings), sort_keys=True).encode()).hexdigest()[:8]


def require_setting(sound: bool, name: str, expected: str, got: object) -> None:
    """Raise OptionError unless the setting `name` is sound."""
    if not sound:
        raise OptionError(f"{name}: expected {expected}, got {got}")
