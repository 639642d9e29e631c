"""tengen's games as environments of PettingZoo, in which agents take turns (AEC)."""

from typing import Any

import numpy as np

from tengen.engine.extras import missing
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.environments import Episode, action_name, learnable, observations_of

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError:
    raise missing("tengen.pettingzoo needs PettingZoo", "pettingzoo") from None


class TengenAEC(AECEnv):  # type: ignore[misc]
    """A game of two agents, which `tengen.pettingzoo` makes."""

    metadata = {"render_modes": ["ansi"], "is_parallelizable": False, "name": "tengen_v0"}  # noqa: RUF012

    def __init__(self, spec: GameSpec | Game | str, max_steps: int, render_mode: str | None) -> None:
        super().__init__()
        self._spec = learnable(spec)
        self._max_steps = max_steps
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"tengen_{self._spec.game.name}_v0"}
        self.possible_agents = list(self._spec.game.sides)
        self.agents: list[str] = []
        self._episode = Episode(self._spec, max_steps)
        actions = self.position.num_actions
        space = spaces.Dict(
            {
                "observation": observations_of(self._spec, spaces),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    @property
    def position(self) -> Position:
        """The position of the game, which `step` moves on."""
        return self._episode.position

    def observation_space(self, agent: str) -> Any:
        """Return the space of the observations, the same for both agents.

        Parameters
        ----------
        agent : str
            The name of its side, such as ``black``.
        """
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of the actions, the same for both agents.

        Parameters
        ----------
        agent
            As for `observation_space`.
        """
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Parameters
        ----------
        seed, options
            PettingZoo's; nothing depends on them.
        """
        self._episode = Episode(self._spec, self._max_steps)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._mover()

    def _mover(self) -> str:
        return str(self.possible_agents[self._episode.mover])

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees; its mask is empty unless it is to move.

        Parameters
        ----------
        agent
            As for `observation_space`.
        """
        side = self.possible_agents.index(agent)
        mask = self.position.legal_mask() & (agent == self._mover())
        return {"observation": self.position.observation(side), "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent.

        Parameters
        ----------
        action : int or None
            As for `Position.step`; None takes an agent out of a finished game.

        Raises
        ------
        IllegalTurnError
            If the action is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._episode.step(int(action) if action is not None else -1)
        self._cumulative_rewards[agent] = 0.0
        over = self._episode.over
        if over:
            self.rewards = dict(zip(self.possible_agents, self._episode.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._episode.truncated:
            self.truncations = dict.fromkeys(self.agents, True)
        other = self.possible_agents[1 - self.possible_agents.index(agent)]
        self.agent_selection = other if over else self._mover()
        self._accumulate_rewards()

    def action_name(self, action: int) -> str:
        """Return a legal action in words: the text of the turn, or what a step of it does.

        Parameters
        ----------
        action : int
            As for `step`.
        """
        return action_name(self.position, action)

    def render(self) -> str | None:
        """Return the board as text, if so asked."""
        return self.position.board() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
