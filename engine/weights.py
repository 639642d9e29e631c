"""Fitted weights of an evaluation, and the file that holds them.

A game with fitted weights declares an `Evaluation` in its ``evaluate.py``, for both the kernels and the fit:
the features, and the rows of weights (rule sets, or phases of the game) from which the weights of a position
are blended. The file holds the numbers and their origin.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError, TengenError, file_error, quoted
from tengen.engine.nets.correction import Net, Shape
from tengen.engine.storage.files import replace_file
from tengen.engine.storage.npz import ONE_NUMBER, ONE_TEXT, TEXT, Archive, ArchiveError, Limit, pack
from tengen.engine.storage.parsing import parse_json

if TYPE_CHECKING:
    from tengen.engine.game import Game

FILE = "weights.npz"  # in a game's folder
FORMAT = 1
MAX_NAMES = 1_000  # of features, and of rows
MAX_WEIGHT = 1 << 17  # about four times the greatest that a fit has found
MIN_SCALE, MAX_SCALE = 1.0, 100_000.0  # centi-points
ARRAYS = {
    "format": ONE_NUMBER,
    "game": ONE_TEXT,
    "features": Limit(TEXT, (MAX_NAMES,)),
    "rows": Limit(TEXT, (MAX_NAMES,)),
    "table": Limit("i8", (MAX_NAMES, MAX_NAMES)),
    "scales": Limit("f8", (MAX_NAMES,)),
    "origins": Limit(TEXT, (MAX_NAMES,)),
}
NET_PREFIX = "net_"  # of the names of a net's arrays
NET_ORIGIN = NET_PREFIX + "origin"  # of which one is JSON text


class WeightsError(TengenError):
    """A file that does not hold weights, or holds those of another game or of other features."""


@dataclass(frozen=True)
class Weights:
    """The weights of the features of an evaluation."""

    game: str
    features: tuple[str, ...]  # as the game's ``evaluate.py`` declares them
    rows: tuple[str, ...]
    # int64, shape (rows, features), for the side to move, in units of `Evaluation.unit`
    table: NDArray[np.int64]
    scales: tuple[float, ...]  # by row: the logistic scale, centi-points, that turns a score into a win rate
    # by row: the origin of the weights (data, seed, loss, version...)
    origins: tuple[Mapping[str, Any], ...] = field(hash=False)
    # the net that corrects the evaluation by this table, if there is one
    net: Net | None = field(default=None, compare=False)

    @property
    def fingerprint(self) -> str:
        """Hash of the numbers, eight hexadecimal digits: the name of the version."""
        numbers = json.dumps([self.game, self.features, self.rows, self.table.tolist(), self.scales])
        digest = hashlib.sha256(numbers.encode())
        for name, array in sorted(self.net.numbers.items()) if self.net else ():
            digest.update(name.encode() + array.tobytes())
        return digest.hexdigest()[:8]

    def save(self, path: Path) -> None:
        """Write the file at `path` atomically; the same weights give the same bytes.

        Raises OSError if the file cannot be written.
        """
        arrays = {
            "format": np.array(FORMAT),
            "game": np.array(self.game),
            "features": np.array(self.features, np.str_),
            "rows": np.array(self.rows),
            "table": self.table,
            "scales": np.array(self.scales),
            "origins": np.array([json.dumps(dict(origin), ensure_ascii=False) for origin in self.origins]),
        }
        if self.net:
            arrays |= {NET_PREFIX + name: array for name, array in self.net.numbers.items()}
            arrays[NET_ORIGIN] = np.array(json.dumps(dict(self.net.origin), ensure_ascii=False))
        replace_file(path, pack(arrays))


@dataclass(frozen=True, eq=False)
class Parameters:
    """An evaluation's numbers as kernels take them."""

    table: NDArray[np.int64]  # int64, shape (phases, features); see `Evaluation.expand`
    net: Any  # see `engine.nets.correction.Shape.record`; None for a game that declares no net


def _difference(expected: tuple[str, ...], got: tuple[str, ...]) -> str:
    """Return in words how two tuples of names differ."""
    missing = [name for name in expected if name not in got]
    unknown = [name for name in got if name not in expected]
    if not missing and not unknown:
        return "expected the same order"
    parts = [f"expected {len(expected)}, got {len(got)}"]
    parts += [f"without {', '.join(missing[:5])}"] if missing else []
    parts += [f"with unknown {', '.join(map(str, unknown[:5]))}"] if unknown else []
    return "; ".join(parts)


def _origins(path: Path, texts: NDArray[Any], count: int) -> tuple[Mapping[str, Any], ...]:
    """Return the origins of the rows of a file, from their JSON `texts`."""
    try:
        origins = tuple(parse_json(str(text)) for text in np.atleast_1d(texts))
    except ValueError as error:
        raise WeightsError(f"{path}: origins: expected JSON, got {error}") from None
    if len(origins) != count or not all(isinstance(origin, dict) for origin in origins):
        raise WeightsError(f"{path}: origins: expected {count} JSON objects, got others")
    return origins


@dataclass(frozen=True)
class Evaluation:
    """The declaration of an evaluation with fitted weights, in a game's ``evaluate.py``.

    Attributes
    ----------
    game : str
        Name of the game.
    features : tuple of str
        Names of the features, in the order of the weights; empty where only the net is learned.
    rows : tuple of str
        Names of the rows of weights: rule sets, or phases of the game.
    unit : int
        Weights are in units of 1/`unit` centi-point.
    blend : ndarray
        float64, shape (phases, rows): the shares of the rows in the weights of each phase. The kernel
        ``phase(s)`` returns the phase of a position.
    folder : Path
        Folder of the weights that the game ships with.
    later : mapping of str to int
        Features that older files lack, and the weights that those get then.
    net : Shape or None
        Shape of the net that may correct the evaluation, if the game has one.
    others : tuple of str
        Names of further files in the folder, with nets for positions that the first net does not know.
    """

    game: str
    features: tuple[str, ...]
    rows: tuple[str, ...]
    unit: int
    blend: NDArray[np.float64]
    folder: Path
    later: Mapping[str, int] = field(default_factory=dict, hash=False)
    net: Shape | None = None
    others: tuple[str, ...] = ()

    def shipped(self) -> Weights:
        """Return the weights that the game ships with; where only a net is learned, there may be none."""
        path = self.folder / FILE
        if not self.features and not path.exists():
            n = len(self.rows)
            return Weights(self.game, (), self.rows, np.zeros((n, 0), np.int64), (1.0,) * n, ({},) * n)
        return self.load(path)

    def all_shipped(self) -> tuple[Weights, ...]:
        """Return what `shipped` does, and the weights of the other files."""
        return (self.shipped(), *(self.load(self.folder / name) for name in self.others))

    def expand(self, weights: Weights) -> NDArray[np.int64]:
        """Return the table that kernels use: int64, shape (phases, features)."""
        return np.rint(self.blend @ weights.table).astype(np.int64)

    def parameters(self, weights: Weights) -> Parameters:
        """Return all numbers as kernels use them."""
        return Parameters(self.expand(weights), self.net and self.net.record(weights.net))

    def scale(self, weights: Weights, phase: int) -> float:
        """Return the logistic scale, centi-points, of positions in a `phase`."""
        return float(self.blend[phase] @ np.array(weights.scales))

    def load(self, path: Path) -> Weights:
        """Return the weights of the file at `path`.

        Raises FileError if it cannot be read; WeightsError if it is damaged, or if game, features or rows
        differ, and names both.
        """
        try:
            with Archive(path) as archive:
                return self._read(path, archive)
        except ArchiveError as error:
            if isinstance(error.__cause__, OSError):
                raise file_error(str(error), error.__cause__) from None
            raise WeightsError(str(error)) from None

    def _read(self, path: Path, archive: Archive) -> Weights:
        """Return the weights of an open file; see `load`."""
        game, features, rows = self.game, self.features, self.rows
        if missing := [name for name in ARRAYS if name not in archive.names]:
            raise WeightsError(f"{path}: expected weights of {game}, got a file without {', '.join(missing)}")
        found = str(archive.read("game", ARRAYS["game"]))
        if found != game:
            raise WeightsError(f"{path}: expected weights of {game}, got weights of {found}")
        version = int(archive.read("format", ARRAYS["format"]))
        if version != FORMAT:
            raise WeightsError(f"{path}: expected format {FORMAT}, got format {version}")
        net = self._net(path, archive)
        arrays = self._with_later({name: archive.read(name, limit) for name, limit in ARRAYS.items()})
        for what, expected in (("features", features), ("rows", rows)):
            names = tuple(arrays[what].tolist())
            if names != expected:
                raise WeightsError(f"{path}: {what} of {game}: {_difference(expected, names)}")
        table, scales = arrays["table"], arrays["scales"]
        if table.shape != (len(rows), len(features)):
            raise WeightsError(
                f"{path}: table: expected shape {len(rows)} x {len(features)}, "
                f"got {' x '.join(map(str, table.shape))}"
            )
        if np.any((table < -MAX_WEIGHT) | (table > MAX_WEIGHT)):
            raise WeightsError(f"{path}: table: expected weights up to {MAX_WEIGHT} in size, got others")
        if scales.shape != (len(rows),) or np.any((scales < MIN_SCALE) | (scales > MAX_SCALE)):
            expected_scales = f"{len(rows)} scales from {MIN_SCALE:g} to {MAX_SCALE:g}"
            raise WeightsError(f"{path}: expected {expected_scales}, got {scales.tolist()}")
        origins = _origins(path, arrays["origins"], len(rows))
        return Weights(game, features, rows, table, tuple(scales.tolist()), origins, net)

    def _net(self, path: Path, archive: Archive) -> Net | None:
        """Return the net in a file; None if there is none. There is nothing else beside it."""
        given = [name for name in archive.names if name.startswith(NET_PREFIX) and name != NET_ORIGIN]
        if given and self.net is None:
            raise WeightsError(f"{path}: net: expected none, since {self.game} declares none, got one")
        known = self.net.numbers if self.net and given else {}
        names = tuple(name.removeprefix(NET_PREFIX) for name in given)
        if {*names} != {*known}:
            raise WeightsError(f"{path}: net: {_difference(tuple(known), names)}")
        named = dict.fromkeys([*given, NET_ORIGIN] if given else [])
        archive.require_no_others(ARRAYS | named)
        if self.net is None or not given:
            return None
        shape = self.net.fitted(lambda name: archive.shape(NET_PREFIX + name))
        numbers = {
            name: archive.read(NET_PREFIX + name, Limit(kind, size))
            for name, (kind, size) in shape.numbers.items()
        }
        if fault := shape.fault(numbers):
            raise WeightsError(f"{path}: net: {fault}")
        origin = archive.read(NET_ORIGIN, ONE_TEXT) if NET_ORIGIN in archive.names else np.array("{}")
        return Net(numbers, _origins(path, origin, 1)[0])

    def _with_later(self, arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Return the arrays of a file, with the weights of all later features if it has none of them."""
        names, table = arrays["features"].tolist(), arrays["table"]
        older = [name for name in self.features if name not in self.later]
        if not self.later or names != older or table.ndim != 2 or table.shape[1] != len(older):
            return arrays
        columns = [
            np.full(len(table), self.later[name], table.dtype)
            if name in self.later
            else table[:, older.index(name)]
            for name in self.features
        ]
        return arrays | {"features": np.array(self.features, np.str_), "table": np.stack(columns, axis=1)}


def read_weights(game: Game, file: str | None) -> Weights | None:
    """Return the weights of `file` for `game`; None without a file.

    Raises OptionError if the evaluation of `game` cannot be learned, or `file` is empty; FileError if the
    file cannot be read; WeightsError if it does not hold weights of `game`.
    """
    if file is None:
        return None
    if not file:
        raise OptionError("weights: expected the name of a file, got ''")
    if game.evaluation is None:
        raise OptionError(f"weights: expected none, since {game.name} learns nothing, got {quoted(file)}")
    return game.evaluation.load(Path(file))
