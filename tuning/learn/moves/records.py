"""Records of games (SGF) that a fit of move knowledge learns from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine import sgf
from tengen.engine.errors import TengenError
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.tuning.learn.samples import SamplesError, files_of, require_some

SHORTEST = 20  # turns of a game that is learned from
COMPARED = 30  # games that begin with the same turns are the same game
HALVES = 1 << 32


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """The turns of a game.

    Attributes
    ----------
    start : record
        State of the start position.
    turns : ndarray
        int32, actions.
    held_out : bool
    """

    start: Any
    turns: NDArray[np.int32]
    held_out: bool


@dataclass(eq=False)
class Records:
    """Games, and how many records were left out.

    Attributes
    ----------
    games : list of PlayedGame
    left_out : Counter of str
        Number of records, by the reason.
    fingerprint : str
        Hash of all turns, eight hexadecimal digits.
    """

    games: list[PlayedGame] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    fingerprint: str = ""


def load(
    game: Game,
    paths: Sequence[Path],
    held_out: float,
    seed: int,
    on_file: Callable[[int, int], None] | None = None,
) -> Records:
    """Return the games in the records that `paths` name.

    A record is left out if it cannot be read, is one of another game, does not begin at the start of a game,
    or is short. Of records that begin alike the longest is kept.

    Parameters
    ----------
    game : Game
    paths : sequence of Path
        SGF files, and folders of them.
    held_out : float
        Share of games that is held out.
    seed : int
        Decides which, together with the turns of a game.
    on_file : callable, optional
        Called with the number of files read, and of all files.

    Raises
    ------
    SamplesError
        When a path leads nowhere, or there are no games to learn from or none held out.
    """
    files = list(files_of(paths, "**/*.sgf", "SGF files"))
    if missing := [path for path in files if not path.is_file()]:
        raise SamplesError(f"{missing[0]}: expected an SGF file or a folder of them, got nothing there")
    found = Records()
    longest: dict[tuple[str, tuple[int, ...]], tuple[Any, tuple[int, ...]]] = {}
    for number, path in enumerate(files, 1):
        for name, start, turns, reason in _read(game, path):
            key = name, turns[:COMPARED]
            if not reason and len(turns) > len(longest.get(key, (None, ()))[1]):
                longest[key], reason = (start, turns), "the same as another" if key in longest else ""
            elif not reason:
                reason = "the same as another"
            if reason:
                found.left_out[reason] += 1
        if on_file:
            on_file(number, len(files))
    digest = hashlib.sha256()
    for start, turns in longest.values():
        array = np.array(turns, np.int32)
        digest.update(array.tobytes())
        found.games.append(PlayedGame(start, array, _is_held_out(array, held_out, seed)))
    found.fingerprint = digest.hexdigest()[:8]
    held = [played.held_out for played in found.games]
    reasons = ", ".join(f"{count} {reason}" for reason, count in found.left_out.items())
    left = f" (left out: {reasons})" if reasons else ""
    for part in (False, True):
        require_some(held.count(part), "games {}", part, f" in {len(files)} records{left}")
    return found


def _is_held_out(turns: NDArray[np.int32], share: float, seed: int) -> bool:
    """Return whether the game is held out."""
    digest = hashlib.sha256(seed.to_bytes(8, "little") + turns.tobytes()).digest()
    return int.from_bytes(digest[:4], "little") < share * HALVES


def _read(game: Game, path: Path) -> Iterator[tuple[str, Any, tuple[int, ...], str]]:
    """Yield the games of a file: the text of its start, the start, its actions; and why to leave it out.

    The reason is '' if there is none. The actions end before a turn that is illegal, or out of turn, or a
    position that is set up.
    """
    try:
        listed = sgf.read_all(path)
    except TengenError:
        yield "", None, (), "not readable"
        return
    for number in range(len(listed)):
        try:
            record = listed[number]
            if record.spec.game is not game:
                yield "", None, (), "of another game"
                continue
            if record.start is not None:
                yield "", None, (), "not from the start of a game"
                continue
        except TengenError:
            yield "", None, (), "not readable"
            continue
        position = Position(record.spec)
        start, name = position.state.copy(), f"{position.spec} {position.text()}"
        actions: list[int] = []
        for node in record.opening_line():
            if node.side != position.side_to_move:
                break
            try:
                found = game.text.parse_turn(position.state, node.turn or "")
                position.push(node.turn or "", node.side)
            except TengenError:
                break
            actions += [int(action) for action in found]
        yield name, start, tuple(actions), "" if len(actions) >= SHORTEST else "short"
