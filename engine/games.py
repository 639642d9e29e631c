"""The games that can be played: those that tengen comes with, those of other packages, and trials."""

import functools
import logging
from collections.abc import Mapping
from pathlib import Path

from tengen.engine.errors import OptionError, nearest, quoted
from tengen.engine.game import Game
from tengen.engine.options import Option
from tengen.engine.packages import entry_points_by_name, import_module

log = logging.getLogger("tengen")

CHALLENGER, OWNER = "challenger", "owner"  # sides of a trial
DIE_FACES = 6
_SEED = Option("seed", 0, "seed of the draws", low=0, high=10**9)


def _trial(name: str, summary: str, *options: Option) -> Game:
    return Game("tengen.engine.play.trials", name, name, summary, (CHALLENGER, OWNER), ("c", "o"), options)


OUTSIDE = _trial("outside", "the players settle it elsewhere, and the controller tells the result")
COIN = _trial("coin", "a coin is tossed: heads wins for the challenger", _SEED)
DIE = _trial(
    "die",
    "a die is rolled: a high number wins for the challenger",
    _SEED,
    Option("least", 4, "least number that wins for the challenger", low=2, high=DIE_FACES),
)
TRIALS = {trial.name: trial for trial in (OUTSIDE, COIN, DIE)}  # played for a challenge besides games
CONTEST = f"GAME[:KEY=VALUE]... or {' or '.join(TRIALS)}"  # what `GameSpec.parse_contest` reads


@functools.cache
def built_in() -> tuple[str, ...]:
    """Return the names of the games that tengen comes with: the folders beside this file that hold rules."""
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/rules.py")))


@functools.cache
def names() -> tuple[str, ...]:
    """Return the names of all games that can be played, sorted.

    A game of another package that cannot be is left out, which is said once in the log.
    """
    playable = [*built_in()]
    for name, entries in entry_points_by_name().items():
        try:
            if name in built_in() or name in TRIALS:
                offered = " and ".join(entry.value for entry in entries)
                expected = f"expected another name for {offered}, got that of a built-in game"
                raise OptionError(f"game {name}: {expected}")
            _load(name)
        except OptionError as error:
            log.warning("%s", error)
        else:
            playable.append(name)
    return tuple(sorted(playable))


def known() -> list[Game]:
    """Return all games that can be played: those that tengen comes with, then the others, each sorted."""
    others = [name for name in names() if name not in built_in()]
    return [find(name) for name in (*built_in(), *others)]


def find(name: str, others: Mapping[str, Game] | None = None) -> Game:
    """Return the game called `name`, or that one of `others`, by name.

    Raises OptionError, which lists what exists and the nearest match, if there is none; or if the package
    that offers it cannot be used.
    """
    if others and name in others:
        return others[name]
    if name in built_in():
        game: Game = import_module(f"tengen.engine.{name}").GAME
        return game
    if name in entry_points_by_name():
        return _load(name)
    listed = [*names(), *(others or ())]
    raise OptionError(f"game: expected one of {', '.join(listed)}, got {quoted(name)}{nearest(name, listed)}")


@functools.cache
def _load(name: str) -> Game:
    """Return the game that another package offers under `name`; raise OptionError if it cannot be used."""
    entries = entry_points_by_name()[name]
    if len(entries) > 1:
        offered = " and ".join(sorted(entry.value for entry in entries))
        raise OptionError(f"game {name}: expected one package that offers it, got {offered}")
    value = entries[0].value
    try:
        game = entries[0].load()
    except Exception as error:  # whatever it raises, the other games can be played all the same
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise OptionError(f"game {name}: {value} cannot be imported ({said})") from error
    if not isinstance(game, Game):
        raise OptionError(f"game {name}: expected a Game in {value}, got {quoted(repr(game))}")
    if (game.name, game.package) != (name, entries[0].module):
        told = f"{game.name} of {game.package}"
        raise OptionError(f"game {name}: expected {name} of {entries[0].module} in {value}, got {told}")
    return game
