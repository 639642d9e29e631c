"""tengen's games as games of OpenSpiel: ``tengen_go``, ``tengen_dvonn``... for `pyspiel.load_game`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tengen.engine import games
from tengen.engine.extras import missing
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.environments import MAX_LENGTH, Episode, action_name, learnable

try:
    import pyspiel
except ImportError:
    raise missing("tengen.openspiel needs OpenSpiel", "openspiel") from None

SPEC = "spec"  # the parameter: a spec such as go:size/9:komi/7, as commas and = divide parameters themselves


def _game_type(game: Game) -> Any:
    """Return what OpenSpiel has to know about a game before it is loaded."""
    return pyspiel.GameType(
        short_name=f"tengen_{game.name}",
        long_name=f"{game.title} (tengen)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={SPEC: game.name},
    )


class TengenState(pyspiel.State):  # type: ignore[misc]
    """A state of a game: a position, perhaps within a turn."""

    def __init__(self, game: Any, spec: GameSpec) -> None:
        super().__init__(game)
        self._episode = Episode(spec)

    @property
    def position(self) -> Position:
        """The position, perhaps within a turn."""
        return self._episode.position  # not an attribute: clones copy each on its own

    def current_player(self) -> int:
        """Return the side to move, or that the game is over."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self._episode.mover

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.legal_actions())

    def _apply_action(self, action: int) -> None:
        self._episode.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return action_name(self.position, action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._episode.over or self._episode.truncated

    def returns(self) -> list[float]:
        """Return what both players have gained: 1, 0 or -1."""
        return list(self._episode.returns)

    def __str__(self) -> str:
        return " ".join([self.position.text(), *map(str, self.position.steps)])


class TengenGame(pyspiel.Game):  # type: ignore[misc]
    """A game; its parameter ``spec`` has the options, such as ``go:size/9:komi/7``."""

    def __init__(self, params: dict[str, Any] | None = None, *, name: str) -> None:
        chosen = {SPEC: name, **(params or {})}
        self.spec = learnable(GameSpec.parse_contest(str(chosen[SPEC]).replace("/", "=")))
        info = pyspiel.GameInfo(
            num_distinct_actions=Position(self.spec).num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(_game_type(games.find(name)), info, chosen)

    def new_initial_state(self) -> TengenState:
        """Return the start of the game."""
        return TengenState(self, self.spec)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return what writes observations."""
        return Observer(self.spec)


class Observer:
    """Writes a state as planes, flattened, for one of the players.

    Attributes
    ----------
    tensor : ndarray of float32
    dict : dict of str to ndarray
        The same, in its shape, as ``observation``.
    """

    def __init__(self, spec: GameSpec) -> None:
        shape = Position(spec).observation().shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: TengenState, player: int) -> None:
        """Write `state` as `player` sees it."""
        self.dict["observation"][:] = state.position.observation(player)

    def string_from(self, state: TengenState, player: int) -> str:
        """Return the state as text; all is seen by both players."""
        return str(state)


def _register(game: Game) -> None:
    """Make a game known to OpenSpiel, as its classes without parameters want it."""

    class Registered(TengenGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(params, name=game.name)

    pyspiel.register_game(_game_type(game), Registered)


for _game in games.known():
    if _game.offers("arrays"):
        _register(_game)


def load(spec: GameSpec | Game | str) -> TengenGame:
    """Return the game that `spec` names."""
    chosen = learnable(spec)
    name = f"tengen_{chosen.game.name}"
    game: TengenGame = pyspiel.load_game(name, {SPEC: chosen.nested.replace("=", "/")})
    return game
