"""Fitted weights of an evaluation, and the file that holds them.

A game with fitted weights declares an `Evaluation` in its ``evaluate.py``, for both the kernels and the fit:
the features, and the rows of weights (rule sets, or phases of the game) from which the weights of a position
are blended. The file holds the numbers and their origin.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError, TengenError, quoted
from tengen.engine.files import replace_file
from tengen.engine.net import Net, Shape

if TYPE_CHECKING:
    from tengen.engine.game import Game

FILE = "weights.npz"  # in a game's folder
FORMAT = 1
MAGIC = b"PK"  # of zip archives, which npz files are
PICKLED = "pickled objects, which are never loaded"
JSON_ERRORS = (ValueError, RecursionError)  # what json.loads raises
ARRAYS = ("format", "game", "features", "rows", "table", "scales", "origins")
NET_PREFIX = "net_"  # of the names of a net's arrays
NET_ORIGIN = NET_PREFIX + "origin"  # of which one is JSON text


class WeightsError(TengenError):
    """A file that does not hold weights, or holds those of another game or of other features."""


@dataclass(frozen=True)
class Weights:
    """The weights of the features of an evaluation.

    Attributes
    ----------
    game : str
    features, rows : tuple of str
        As the game's ``evaluate.py`` declares them.
    table : ndarray
        int64, shape (rows, features), for the side to move, in units of `Evaluation.unit`.
    scales : tuple of float
        By row: the logistic scale, centi-points, that turns a score into a win rate.
    origins : tuple of mapping
        By row: the origin of the weights (data, seed, loss, version...).
    net : Net or None
        The net that corrects the evaluation by this table, if there is one.
    """

    game: str
    features: tuple[str, ...]
    rows: tuple[str, ...]
    table: NDArray[np.int64]
    scales: tuple[float, ...]
    origins: tuple[Mapping[str, Any], ...] = field(hash=False)
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

        Raises
        ------
        OSError
            When the file cannot be written.
        """
        arrays = {
            "format": np.array(FORMAT),
            "game": np.array(self.game),
            "features": np.array(self.features),
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
    """An evaluation's numbers as kernels take them.

    Attributes
    ----------
    table : ndarray
        int64, shape (phases, features); see `Evaluation.expand`.
    net : record or None
        See `engine.net.Shape.record`; None for a game that declares no net.
    """

    table: NDArray[np.int64]
    net: Any


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the bytes of a compressed npz file of `arrays`; they do not depend on the time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w") as file:
                np.lib.format.write_array(file, np.asanyarray(array), allow_pickle=False)
    return buffer.getvalue()


def unpack(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of the npz file at `path`; pickled objects are never loaded.

    Raises
    ------
    WeightsError
        When the file cannot be read, is not an npz file, or is damaged.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(len(MAGIC))
            if magic == MAGIC:
                file.seek(0)
                with np.load(file, allow_pickle=False) as archive:
                    return {name: archive[name] for name in archive.files}
    except OSError as error:
        raise WeightsError(f"{path}: {error.strerror or 'not an npz file'}") from None
    except Exception as error:  # a damaged archive may raise anything
        if "allow_pickle" in str(error):
            raise WeightsError(f"{path}: expected arrays, got {PICKLED}") from None
        raise WeightsError(f"{path}: expected an npz file, got one that is damaged ({error})") from None
    found = PICKLED if magic[:1] == b"\x80" else "something else"
    raise WeightsError(f"{path}: expected an npz file, got {found}")


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
        origins = tuple(json.loads(str(text)) for text in np.atleast_1d(texts))
    except JSON_ERRORS as error:
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
    """

    game: str
    features: tuple[str, ...]
    rows: tuple[str, ...]
    unit: int
    blend: NDArray[np.float64]
    folder: Path
    later: Mapping[str, int] = field(default_factory=dict, hash=False)
    net: Shape | None = None

    def shipped(self) -> Weights:
        """Return the weights that the game ships with; where only a net is learned, there may be none."""
        path = self.folder / FILE
        if not self.features and not path.exists():
            rows = len(self.rows)
            return Weights(
                self.game, (), self.rows, np.zeros((rows, 0), np.int64), (1.0,) * rows, ({},) * rows
            )
        return self.load(path)

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

        Raises
        ------
        WeightsError
            When it cannot be read or is damaged, or when game, features or rows differ; names both.
        """
        game, features, rows = self.game, self.features, self.rows
        arrays = unpack(path)
        if missing := [name for name in ARRAYS if name not in arrays]:
            raise WeightsError(f"{path}: expected weights of {game}, got a file without {', '.join(missing)}")
        found = str(arrays["game"])
        if found != game:
            raise WeightsError(f"{path}: expected weights of {game}, got weights of {found}")
        if arrays["format"].tolist() != FORMAT:
            raise WeightsError(f"{path}: expected format {FORMAT}, got format {arrays['format'].tolist()}")
        arrays = self._with_later(arrays)
        for what, expected in (("features", features), ("rows", rows)):
            names = tuple(np.atleast_1d(arrays[what]).tolist())
            if names != expected:
                raise WeightsError(f"{path}: {what} of {game}: {_difference(expected, names)}")
        table, scales = arrays["table"], arrays["scales"]
        if table.shape != (len(rows), len(features)) or table.dtype != np.int64:
            raise WeightsError(
                f"{path}: table: expected int64 of shape {len(rows)} x {len(features)}, "
                f"got {table.dtype} of {' x '.join(map(str, table.shape))}"
            )
        sound = scales.shape == (len(rows),) and scales.dtype == np.float64
        if not sound or not np.all(np.isfinite(scales) & (scales > 0)):
            raise WeightsError(f"{path}: expected {len(rows)} positive scales, got {scales.tolist()}")
        origins = _origins(path, arrays["origins"], len(rows))
        net = self._net(path, arrays)
        return Weights(game, features, rows, table, tuple(scales.tolist()), origins, net)

    def _net(self, path: Path, arrays: Mapping[str, NDArray[Any]]) -> Net | None:
        """Return the net in a file; None if there is none."""
        numbers = {
            name.removeprefix(NET_PREFIX): array
            for name, array in arrays.items()
            if name.startswith(NET_PREFIX) and name != NET_ORIGIN
        }
        if not numbers:
            return None
        if self.net is None:
            raise WeightsError(f"{path}: net: expected none, since {self.game} declares none, got one")
        if numbers.keys() != self.net.numbers.keys():
            raise WeightsError(f"{path}: net: {_difference(tuple(self.net.numbers), tuple(numbers))}")
        if fault := self.net.fault(numbers):
            raise WeightsError(f"{path}: net: {fault}")
        (origin,) = _origins(path, arrays.get(NET_ORIGIN, np.array("{}")), 1)
        return Net({name: numbers[name] for name in self.net.numbers}, origin)

    def _with_later(self, arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Return the arrays of a file, with the weights of all later features if it has none of them."""
        names, table = np.atleast_1d(arrays["features"]).tolist(), arrays["table"]
        older = [name for name in self.features if name not in self.later]
        if not self.later or names != older or table.ndim != 2 or table.shape[1] != len(older):
            return arrays
        columns = [
            np.full(len(table), self.later[name], table.dtype)
            if name in self.later
            else table[:, older.index(name)]
            for name in self.features
        ]
        return arrays | {"features": np.array(self.features), "table": np.stack(columns, axis=1)}


def read_weights(game: Game, file: str | None) -> Weights | None:
    """Return the weights of `file` for `game`; None without a file.

    Raises
    ------
    OptionError
        If the evaluation of `game` cannot be learned, or `file` is empty.
    WeightsError
        If the file does not hold weights of `game`.
    """
    if file is None:
        return None
    if not file:
        raise OptionError("weights: expected the name of a file, got ''")
    if game.evaluation is None:
        raise OptionError(f"weights: expected none, since {game.name} learns nothing, got {quoted(file)}")
    return game.evaluation.load(Path(file))
