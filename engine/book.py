"""Books: how games went on that passed through a position early on, and the turns to play by that.

A book is a small file of one game spec: positions as keys, the same for a position and its mirror images,
with the games that passed through each and how they ended. `tuning.learn.book` makes one; a game ships with
the one in its folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.engine.files import replace_file
from tengen.engine.game import GameSpec
from tengen.engine.turns import turn_sequences
from tengen.engine.weights import JSON_ERRORS, WeightsError, pack, unpack

FORMAT = 1
ARRAYS = {"keys": np.uint64, "games": np.int32, "points": np.int32}  # arrays, by position
MIN_GAMES = 500  # through the position after a turn, for that to be played by the book


class BookError(TengenError):
    """A file that holds no book, a damaged one, or one of another game."""


@dataclass(frozen=True)
class BookMove:
    """A turn that the book plays.

    Attributes
    ----------
    actions : tuple of int
        The turn.
    games : int
        Those that went on from the position after it.
    share : float
        Of their points, for the side that plays the turn: in [0, 1], a draw counting a half.
    """

    actions: tuple[int, ...]
    games: int
    share: float


@dataclass(frozen=True, eq=False)
class Book:
    """Positions, and the games that passed through them.

    Attributes
    ----------
    game : str
        The game spec.
    keys : ndarray
        uint64, shape (positions,), ascending: of `canonical` positions.
    games : ndarray
        int32, by position: how many games passed through it.
    points : ndarray
        int32, by position: what the first side made in them, 2 for a win and 1 for a draw.
    origin : mapping of str to str
        Where it is from: settings, seed, version.
    """

    game: str
    keys: NDArray[np.uint64]
    games: NDArray[np.int32]
    points: NDArray[np.int32]
    origin: Mapping[str, str]

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that stand for what is played: what a version is named by."""
        numbers = b"".join(getattr(self, name).tobytes() for name in ARRAYS)
        return hashlib.sha256(numbers).hexdigest()[:8]

    @property
    def entries(self) -> dict[int, tuple[int, int]]:
        """Games and points by key."""
        numbers = zip(self.games.tolist(), self.points.tolist(), strict=True)
        return dict(zip(self.keys.tolist(), numbers, strict=True))

    def choose(self, rules: ModuleType, state: Any, min_games: int = MIN_GAMES) -> BookMove | None:
        """Return the turn that most games went on with; None when those were fewer than `min_games`.

        Parameters
        ----------
        rules : module
            Those of the book's game.
        state : numpy.record
            A position with no turn half played.
        min_games : int
        """
        if self._find(rules, state) is None:
            return None
        best: BookMove | None = None
        for actions, end in turn_sequences(rules, state):
            found = self._find(rules, end)
            if found is None or self.games[found] < min_games:
                continue
            games = int(self.games[found])
            min_games = games + 1  # only more games are better
            share = float(self.points[found]) / (2 * games)
            best = BookMove(actions, games, share if state.side_to_move == 0 else 1 - share)
        return best

    def _find(self, rules: ModuleType, state: Any) -> int | None:
        """Return where a position stands."""
        key = _key(canonical(rules, state))
        place = int(np.searchsorted(self.keys, np.uint64(key)))
        return place if place < len(self.keys) and int(self.keys[place]) == key else None

    def save(self, path: Path) -> None:
        """Write the file at `path`, whole or not at all; the same book makes the same bytes.

        Raises
        ------
        OSError
            When that cannot be done.
        """
        header = {"format": FORMAT, "game": self.game, "origin": dict(self.origin)}
        text = np.array(json.dumps(header, ensure_ascii=False))
        replace_file(path, pack({"header": text, **{name: getattr(self, name) for name in ARRAYS}}))


def load(path: Path, spec: GameSpec) -> Book:
    """Return the book of `spec` in the file at `path`.

    Raises
    ------
    BookError
        When it cannot be read or is damaged, or is of another game: both are named.
    """
    try:
        arrays = unpack(path)
        header = json.loads(str(arrays["header"]))
        found, game = int(header["format"]), str(header["game"])
        origin = {str(name): str(value) for name, value in header["origin"].items()}
        columns = {name: arrays[name] for name in ARRAYS}
    except WeightsError as error:
        raise BookError(str(error)) from None
    except (KeyError, TypeError, AttributeError, ArithmeticError, *JSON_ERRORS) as error:
        raise BookError(f"{path}: expected a book, got none ({type(error).__name__}: {error})") from None
    if found != FORMAT:
        raise BookError(f"{path}: expected format {FORMAT}, got format {found}")
    if game != str(spec):
        raise BookError(f"{path}: expected a book of {spec}, got a book of {game}")
    keys, games, points = (columns[name] for name in ARRAYS)
    sound = all(
        array.shape == keys.shape and array.ndim == 1 and array.dtype == kind
        for array, kind in zip((keys, games, points), ARRAYS.values(), strict=True)
    )
    if not (
        sound
        and np.all(keys[1:] > keys[:-1])
        and np.all(games > 0)
        and np.all((points >= 0) & (points <= 2 * games))
    ):
        raise BookError(f"{path}: expected keys in order with games and points, got others")
    return Book(game, keys, games, points, origin)


def shipped(spec: GameSpec) -> Book | None:
    """Return the book that comes with the game of `spec`; None when there is none.

    Raises
    ------
    BookError
        When it is damaged.
    """
    return _shipped(str(spec))


@cache
def _shipped(text: str) -> Book | None:
    spec = GameSpec.parse(text)
    path = spec.game.folder / file_name(spec)
    return load(path, spec) if path.exists() else None


def file_name(spec: GameSpec) -> str:
    """Return the name of the book of `spec` in the game's folder: ``book.npz``, ``book-VARIANT.npz``."""
    _, _, rest = str(spec).partition(spec.game.name)
    return f"book{rest.replace(':', '-').replace(',', '-')}.npz"


def canonical(rules: ModuleType, state: Any) -> Any:
    """Return the image of a position under the symmetries of the board that has the least key."""
    return min(rules.symmetries(state), key=_key)


def successors(rules: ModuleType, state: Any) -> list[Any]:
    """Return the positions after every turn, each as `canonical` has it and once."""
    return list(
        {
            _key(end): end for end in (canonical(rules, end) for _, end in turn_sequences(rules, state))
        }.values()
    )


def _key(state: Any) -> int:
    return int(state.key)
