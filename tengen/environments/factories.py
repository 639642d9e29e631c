"""What makes environments of other libraries, which are imported when the first one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tengen.engine.errors import OptionError
from tengen.engine.game import Game
from tengen.engine.spec import GameSpec
from tengen.environments import MAX_LENGTH
from tengen.search.limits.limit import Limit

if TYPE_CHECKING:
    from tengen.environments.gymnasium import TengenEnv, TengenVectorEnv
    from tengen.environments.openspiel import TengenGame
    from tengen.environments.pettingzoo import TengenAEC


@overload
def gymnasium(
    spec: GameSpec | Game | str,
    level: int = 1,
    side: int | str = 0,
    limit: Limit | float | None = None,
    max_steps: int = MAX_LENGTH,
    render_mode: str | None = None,
    *,
    games: None = None,
) -> TengenEnv: ...
@overload
def gymnasium(spec: GameSpec | Game | str, *, max_steps: int = MAX_LENGTH, games: int) -> TengenVectorEnv: ...
def gymnasium(
    spec: GameSpec | Game | str,
    level: int = 1,
    side: int | str = 0,
    limit: Limit | float | None = None,
    max_steps: int = MAX_LENGTH,
    render_mode: str | None = None,
    *,
    games: int | None = None,
) -> TengenEnv | TengenVectorEnv:
    """Return an environment of Gymnasium: one agent against a level of tengen, or many games side by side.

    An observation is the position as planes for the agent. An action is one of `Position.step`; ``info`` has
    the legal ones as ``action_mask``, and the opponent's turns as ``turns``. The reward is 1 for a win and -1
    for a loss, at the end. An illegal action loses the game.

    With `games` it is a vector environment over a `Batch`. The agent plays both sides; observations are for
    the side to move, which ``info`` has as ``side_to_move``, rewards for the one that has moved. An illegal
    action raises `IllegalTurnError`.

    Parameters
    ----------
    spec : GameSpec, Game or str
        The game, without challenges; it must offer observations.
    level : int
        Of the opponent, 1 to 20.
    side : int or str
        The agent's side: 0, 1, a name or a letter.
    limit : Limit or float, optional
        Of the opponent's turns; the levels below 20 have limits of their own besides.
    max_steps : int
        Actions of the agent after which a game is truncated.
    render_mode : str, optional
        ``ansi``: `render` returns the board as text.
    games : int, optional
        How many are played side by side, without an opponent.

    Raises
    ------
    MissingPackageError
        An ImportError, if Gymnasium is not installed.
    OptionError
        For a bad argument.
    """
    from tengen.environments.gymnasium import TengenEnv, TengenVectorEnv

    if games is not None:
        if (level, side, limit, render_mode) != (1, 0, None, None):
            raise OptionError("games: has no opponent; level, side, limit and render_mode exclude it")
        return TengenVectorEnv(spec, games, max_steps)
    return TengenEnv(spec, level, side, limit, max_steps, render_mode)


def pettingzoo(
    spec: GameSpec | Game | str, max_steps: int = MAX_LENGTH, render_mode: str | None = None
) -> TengenAEC:
    """Return an environment of PettingZoo in which agents, named as the sides are, take turns (AEC).

    An observation is a dict: ``observation``, planes for the agent, and ``action_mask``, the legal actions.
    An action is one of `Position.step`: where turns have several, the same agent stays selected. At the end
    the winner gets a reward of 1, the loser of -1. An illegal action raises `IllegalTurnError`.

    Parameters
    ----------
    spec : GameSpec, Game or str
        The game, without challenges; it must offer observations.
    max_steps : int
        Actions after which a game is truncated.
    render_mode : str, optional
        ``ansi``: `render` returns the board as text.

    Raises
    ------
    MissingPackageError
        An ImportError, if PettingZoo is not installed.
    OptionError
        For a bad game.
    """
    from tengen.environments.pettingzoo import TengenAEC

    return TengenAEC(spec, max_steps, render_mode)


def openspiel(spec: GameSpec | Game | str) -> TengenGame:
    """Return a game of OpenSpiel; afterwards `pyspiel.load_game` knows all of them, as ``tengen_go``...

    An action is one of `Position.step`. A game of more than 1000 actions is a draw, and all stones of Go
    count as alive.

    Parameters
    ----------
    spec : GameSpec, Game or str
        The game, without challenges; it must offer observations.

    Raises
    ------
    MissingPackageError
        An ImportError, if OpenSpiel is not installed.
    OptionError
        For a bad game.
    """
    from tengen.environments.openspiel import load

    return load(spec)
