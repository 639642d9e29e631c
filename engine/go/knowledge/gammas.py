"""The gammas of features, learned from games: the strength of a move is their product; and their file.

In a position each move is played with a probability in proportion to its strength (Bradley-Terry). See
docs/tuning.md for how gammas are learned.

Source: Coulom, Computing Elo ratings of move patterns in the game of Go (2007).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.go.knowledge.features import NAMES
from tengen.engine.storage.files import replace_file
from tengen.engine.storage.npz import ONE_NUMBER, ONE_TEXT, TEXT, ArchiveError, Limit, pack, unpack
from tengen.engine.storage.parsing import parse_json
from tengen.engine.weights import WeightsError

FILE = Path(__file__).with_name("gammas.npz")  # shipped
GAME = "go"
FORMAT = 1
MAX_PATTERNS = 60_000  # so that the number of a feature needs 16 bits
ARRAYS = {
    "format": ONE_NUMBER,
    "game": ONE_TEXT,
    "features": Limit(TEXT, (len(NAMES),)),
    "logs": Limit("f4", (len(NAMES) + 1,)),
    "pattern_keys": Limit("u8", (MAX_PATTERNS,)),
    "pattern_logs": Limit("f4", (MAX_PATTERNS,)),
    "origin": ONE_TEXT,
}
MAX_LOG = 30.0  # greatest logarithm of a gamma


@dataclass(frozen=True, eq=False)
class Gammas:
    """The gammas of all features."""

    logs: NDArray[np.float32]  # natural, of the gammas of `features.NAMES`, then of having no known pattern
    # Keys of the known patterns (see `shapes.next_key`): with a pattern all smaller ones of the same move
    pattern_keys: NDArray[np.uint64]
    pattern_logs: NDArray[np.float32]  # of their gammas
    origin: Mapping[str, Any]  # data, settings and figures of the fit

    @property
    def fingerprint(self) -> str:
        """Hash of the numbers, eight hexadecimal digits."""
        digest = hashlib.sha256()
        for array in (self.logs, self.pattern_keys, self.pattern_logs):
            digest.update(array.tobytes())
        return digest.hexdigest()[:8]

    @property
    def all_logs(self) -> NDArray[np.float32]:
        """Logarithms by the numbers that `features.describe` writes."""
        return np.concatenate([self.logs, self.pattern_logs])

    def save(self, path: Path) -> None:
        """Write the file at `path` atomically; the same gammas give the same bytes. May raise OSError."""
        arrays = {
            "format": np.array(FORMAT),
            "game": np.array(GAME),
            "features": np.array(NAMES),
            "logs": self.logs,
            "pattern_keys": self.pattern_keys,
            "pattern_logs": self.pattern_logs,
            "origin": np.array(json.dumps(dict(self.origin), ensure_ascii=False)),
        }
        replace_file(path, pack(arrays))


def load(path: Path) -> Gammas:
    """Return the gammas of the file at `path`.

    Raise WeightsError when it cannot be read or is damaged, or holds something else; it names both.
    """
    try:
        arrays = unpack(path, ARRAYS)
    except ArchiveError as error:
        raise WeightsError(str(error)) from None
    if missing := [name for name in ARRAYS if name not in arrays]:
        raise WeightsError(f"{path}: expected gammas of {GAME}, got a file without {', '.join(missing)}")
    for name, value in (("game", GAME), ("format", FORMAT), ("features", list(NAMES))):
        if arrays[name].tolist() != value:
            what = "others" if isinstance(value, list) else arrays[name].tolist()
            expected = "those of this version" if isinstance(value, list) else value
            raise WeightsError(f"{path}: {name}: expected {expected}, got {what}")
    count = arrays["pattern_keys"].size
    for name, length in (("logs", len(NAMES) + 1), ("pattern_logs", count)):
        found = arrays[name]
        if len(found) != length:
            raise WeightsError(f"{path}: {name}: expected {length} numbers, got {len(found)}")
        if not (np.abs(found) <= MAX_LOG).all():
            raise WeightsError(f"{path}: {name}: expected numbers up to {MAX_LOG:g} in size, got others")
    try:
        origin = parse_json(str(arrays["origin"]))
    except ValueError as error:
        raise WeightsError(f"{path}: origin: expected JSON, got {error}") from None
    return Gammas(arrays["logs"], arrays["pattern_keys"], arrays["pattern_logs"], origin)
