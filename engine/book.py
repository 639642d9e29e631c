"""Opening books: which turns to play, by the results of games that reached a position.

A book is a small file for one game spec. It holds the keys of positions, symmetric positions sharing one key,
with the number of games that reached each and their results. `tuning.learn.book` builds books; a game ships
with the book in its folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.engine.game import GameSpec
from tengen.engine.play.turns import turn_sequences
from tengen.engine.storage.files import replace_file
from tengen.engine.storage.npz import ONE_TEXT, ArchiveError, Limit, pack, unpack
from tengen.engine.storage.parsing import parse_json

if TYPE_CHECKING:
    from tengen.engine.contract import Rules

FORMAT = 1
ARRAYS = {"keys": np.uint64, "games": np.int32, "points": np.int32}  # arrays, by position
MAX_POSITIONS = 1_000_000
LIMITS = {"header": ONE_TEXT} | {name: Limit(kind, (MAX_POSITIONS,)) for name, kind in ARRAYS.items()}
MIN_GAMES = 500  # in the position after a turn, for the book to play it


class BookError(TengenError):
    """A file that is not a book, is damaged, or belongs to another game."""


@dataclass(frozen=True)
class BookMove:
    """A turn that the book plays.

    Attributes
    ----------
    actions : tuple of int
        The turn.
    games : int
        Number of games that reached the position after it.
    share : float
        Mean result of these games for the side that plays the turn: in [0, 1], a draw counts as a half.
    """

    actions: tuple[int, ...]
    games: int
    share: float


@dataclass(frozen=True, eq=False)
class Book:
    """Positions, and the results of the games that reached them.

    Attributes
    ----------
    game : str
        The game spec.
    keys : ndarray
        uint64, shape (positions,), ascending: keys of `canonical` positions.
    games : ndarray
        int32, by position: number of games that reached it.
    points : ndarray
        int32, by position: points of the first side in them, 2 for a win and 1 for a draw.
    origin : mapping of str to str
        How the book was made: settings, seed, version.
    """

    game: str
    keys: NDArray[np.uint64]
    games: NDArray[np.int32]
    points: NDArray[np.int32]
    origin: Mapping[str, str]

    @property
    def fingerprint(self) -> str:
        """Hash of the contents, eight hexadecimal digits: the name of the version."""
        numbers = b"".join(getattr(self, name).tobytes() for name in ARRAYS)
        return hashlib.sha256(numbers).hexdigest()[:8]

    @property
    def entries(self) -> dict[int, tuple[int, int]]:
        """Games and points by key."""
        numbers = zip(self.games.tolist(), self.points.tolist(), strict=True)
        return dict(zip(self.keys.tolist(), numbers, strict=True))

    def choose(self, rules: Rules, state: Any, min_games: int = MIN_GAMES) -> BookMove | None:
        """Return the most frequent turn; None if fewer than `min_games` games continued with it.

        Parameters
        ----------
        rules : module
            The rules of the book's game.
        state : numpy.record
            The beginning of a turn.
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
            min_games = games + 1  # only a more frequent turn is better
            share = float(self.points[found]) / (2 * games)
            best = BookMove(actions, games, share if state.side_to_move == 0 else 1 - share)
        return best

    def _find(self, rules: Rules, state: Any) -> int | None:
        """Return the index of a position; None if the book does not have it."""
        key = _key(canonical(rules, state))
        place = int(np.searchsorted(self.keys, np.uint64(key)))
        return place if place < len(self.keys) and int(self.keys[place]) == key else None

    def save(self, path: Path) -> None:
        """Write the file at `path` atomically; the same book gives the same bytes.

        Raises
        ------
        OSError
            When the file cannot be written.
        """
        header = {"format": FORMAT, "game": self.game, "origin": dict(self.origin)}
        text = np.array(json.dumps(header, ensure_ascii=False))
        replace_file(path, pack({"header": text, **{name: getattr(self, name) for name in ARRAYS}}))


def load(path: Path, spec: GameSpec) -> Book:
    """Return the book of `spec` in the file at `path`.

    Raises
    ------
    BookError
        When it cannot be read, is damaged, or belongs to another game; names both games.
    """
    try:
        arrays = unpack(path, LIMITS)
        header = parse_json(str(arrays["header"]))
        found, game = int(header["format"]), str(header["game"])
        origin = {str(name): str(value) for name, value in header["origin"].items()}
        columns = {name: arrays[name] for name in ARRAYS}
    except ArchiveError as error:
        raise BookError(str(error)) from None
    except (KeyError, TypeError, AttributeError, ArithmeticError, ValueError) as error:
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
    """Return the book that the game ships for `spec`; None if there is none.

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


def canonical(rules: Rules, state: Any) -> Any:
    """Return the symmetric image of a position with the smallest key."""
    return min(rules.symmetries(state), key=_key)


def successors(rules: Rules, state: Any) -> list[Any]:
    """Return the `canonical` positions after every turn, without duplicates."""
    return list(
        {
            _key(end): end for end in (canonical(rules, end) for _, end in turn_sequences(rules, state))
        }.values()
    )


def _key(state: Any) -> int:
    return int(state.key)
