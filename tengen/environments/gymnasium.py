"""tengen's games as environments of Gymnasium: one agent against a level of tengen."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError, quoted
from tengen.engine.extras import missing
from tengen.engine.game import Game, Outcome
from tengen.engine.games import known
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engines import Engine
from tengen.environments import MAX_LENGTH, Episode, learnable, observations_of
from tengen.search.batch import Batch
from tengen.search.levels import MAX_SEED
from tengen.search.limits.limit import Limit

try:
    import gymnasium as library
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise missing("tengen.gymnasium needs Gymnasium", "gymnasium") from None

NODES = 20_000  # of a turn of the opponent, at most
RENDER_MODES = ["ansi"]


class TengenEnv(library.Env[NDArray[np.float32], int]):  # type: ignore[misc,name-defined]
    """A game against a level of tengen, which `tengen.gymnasium` makes."""

    metadata = {"render_modes": RENDER_MODES}  # noqa: RUF012

    def __init__(
        self,
        spec: GameSpec | Game | str,
        level: int,
        side: int | str,
        limit: Limit | float | None,
        max_steps: int,
        render_mode: str | None,
    ) -> None:
        self._spec = learnable(spec)
        self._side = self._spec.game.side(side).number
        self._limit = Limit(nodes=NODES) if limit is None else limit
        self._engine = Engine(level=level, hash=4)
        self._max_steps = max_steps
        if render_mode not in (None, *RENDER_MODES):
            raise OptionError(
                f"render_mode: expected None or {RENDER_MODES[0]}, got {quoted(str(render_mode))}"
            )
        self.render_mode = render_mode
        self._episode = Episode(self._spec, max_steps)
        self._over = True
        self.observation_space = observations_of(self._spec, library.spaces)
        self.action_space = library.spaces.Discrete(self.position.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a new game; the opponent may have the first turn.

        Parameters
        ----------
        seed : int, optional
            Decides about the opponent's choices; without it their random numbers go on.
        options : dict, optional
            Gymnasium's; it is ignored.
        """
        super().reset(seed=seed)
        self._engine.new_game()
        self._engine.configure(level_seed=int(self.np_random.integers(1, MAX_SEED)))
        self._episode, self._over = Episode(self._spec, self._max_steps), False
        return self._seen(), self._info(self._answer())

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play an action of the agent and, when its turn is complete, the opponent's turns.

        Parameters
        ----------
        action : int
            As for `Position.step`; an illegal one loses the game.
        """
        if self._over or int(action) not in self.position.legal_actions():
            self._over = True
            return self._seen(), -1.0, True, False, self._info([]) | {"illegal": True}
        turns = self._answer() if self._episode.step(int(action)) else []
        self._over = self._episode.over
        reward = self._episode.returns[self._side] if self._over else 0.0
        return self._seen(), reward, self._over, self._episode.truncated, self._info(turns)

    @property
    def position(self) -> Position:
        """The position of the game, which `step` moves on."""
        return self._episode.position

    def _answer(self) -> list[str]:
        """Play the opponent's turns until the agent is to move; return them."""
        turns: list[str] = []
        while not self._episode.over and self._episode.mover != self._side:
            turns.append(self.position.push(self._engine.play(self.position, self._limit).turn))
        return turns

    def _seen(self) -> NDArray[np.float32]:
        return self.position.observation(self._side)

    def _info(self, turns: list[str]) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "turns": turns}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, bool, shape (num_actions,)."""
        return self.position.legal_mask()

    def render(self) -> str | None:  # type: ignore[override]
        """Return the board as text, if so asked."""
        return self.position.board() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Close the opponent."""
        self._engine.close()


class TengenVectorEnv(library.vector.VectorEnv[NDArray[np.float32], NDArray[np.int64], Any]):  # type: ignore[misc,name-defined]
    """Many games in compiled code, whose agent plays both sides; `tengen.gymnasium` makes it."""

    metadata = {"autoreset_mode": library.vector.AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(self, spec: GameSpec | Game | str, num_envs: int, max_steps: int = MAX_LENGTH) -> None:
        self.batch = Batch(learnable(spec), num_envs)
        self.num_envs, self._max_steps = num_envs, max_steps
        self.single_observation_space = observations_of(self.batch.spec, library.spaces)
        self.single_action_space = library.spaces.Discrete(self.batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over, self._lengths = np.ones(num_envs, np.bool_), np.zeros(num_envs, np.int32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin all games anew.

        Parameters
        ----------
        seed, options
            Gymnasium's; nothing depends on them.
        """
        super().reset(seed=seed)
        self.batch.reset(np.ones(self.num_envs, np.bool_))
        self._over, self._lengths = np.zeros_like(self._over), np.zeros_like(self._lengths)
        return self.batch.observation(), self._info()

    def step(self, actions: NDArray[np.int64]) -> tuple[Any, ...]:
        """Play an action in every game; those that were over begin anew instead.

        Parameters
        ----------
        actions : ndarray of int, shape (num_envs,)
            As for `Batch.step`.

        Returns
        -------
        observations, rewards, terminations, truncations, info
            Rewards are those of the sides that have moved: 1, 0 or -1.

        Raises
        ------
        ArgumentError, IllegalTurnError
            If there is not a legal action for each game; nothing has been played then.
        """
        ended, movers = self._over, self.batch.side_to_move
        if np.shape(actions) == ended.shape:  # else the batch says what is wrong
            actions = np.where(ended, self.batch.sample(), actions)
        self.batch.step(actions)
        self.batch.reset(ended)
        self._lengths = np.where(ended, 0, self._lengths + 1)
        outcomes = self.batch.outcomes
        gains = np.select([outcomes == Outcome.FIRST_WINS, outcomes == Outcome.SECOND_WINS], [1.0, -1.0])
        terminated = outcomes != Outcome.ONGOING
        truncated = (self._lengths >= self._max_steps) & ~terminated
        self._over = terminated | truncated
        rewards = np.where(movers == 0, gains, 0.0 - gains)
        return self.batch.observation(), rewards, terminated, truncated, self._info()

    def _info(self) -> dict[str, Any]:
        masks = self.batch.legal_mask() | self._over[:, None]  # any action begins a game anew
        return {"action_mask": masks, "side_to_move": self.batch.side_to_move}


for _game in known():
    library.register(
        f"tengen/{_game.name}-v0",
        "tengen.environments.factories:gymnasium",
        kwargs={"spec": _game.name},
        vector_entry_point="tengen.environments.gymnasium:TengenVectorEnv",
    )
