"""Games without searches, and what the net of another program says of their positions.

They are kept as games of self-play are: the net's win rates stand for those of searches, its policy for
shares of visits.
"""

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.nets.convolution import SCORE_UNIT
from tengen.engine.play.position import Position
from tengen.tuning.learn.nets.convolution import points_turned, turned, turned_back
from tengen.tuning.learn.nets.katago import KataGoNet
from tengen.tuning.learn.nets.model import torch_or_error
from tengen.tuning.learn.selfplay import Game, SelfplaySettings, TreePlayer

SHARES = 10_000  # that a policy is counted in
LEAST = 5  # such shares of a move that is kept
TURNS = 1.5  # a game ends after so many for each point
PLAYED_OUT = 0.3  # of the games, which go on when they are decided
OPENING_POWER = 0.5  # of the policy from which turns of the opening are drawn
POWERS = (0.8, 1.0, 1.5, 3.0)  # of that from which a game's later turns are
OWN = 0.6  # of the games, in which the turns after the opening are drawn from the policy of our own net


@dataclass
class _Running:
    """A game that goes on."""

    game: Game
    position: Position
    view: Any  # what the net sees of it
    rng: random.Random
    opening: int  # turns
    power: float  # of the policy
    own: bool  # whether the policy is that of our own net
    played_out: bool
    said: tuple[float, float, list[float]] = (0.5, 0.0, [])  # last: win rate, lead in points, ownership


class TaughtPlayer(TreePlayer):
    """Plays the games of a shard side by side, each turn drawn from the policy of the settings' teacher.

    In some games it is that of our own net, so that the teacher sees positions that this leads to.
    Raises OptionError without PyTorch, TeacherError if the file is no such net.
    """

    def __init__(self, settings: SelfplaySettings) -> None:
        super().__init__(settings)
        self._torch = torch_or_error("--teacher")
        assert settings.teacher
        self._net = KataGoNet(self._torch, settings.teacher)
        module = settings.game.game.module
        self._view, self._planes, self._simulation = module("teacher"), module("planes"), module("simulation")
        nets = (self._parameters.net,) if self._parameters else self._simulation.LEAF_NETS
        start = Position.start(settings.game).state
        self._own = next((net for net in nets if self._simulation.net_knows(start, net)), None)

    @cached_property
    def _owners(self) -> tuple[int, NDArray[np.int64]]:
        """Points on a side; where the points that owners are told of are by rows from the bottom."""
        start = Position.start(self._settings.game).state
        size = int(start.board.width)
        return size, self._planes.owner_indices(self._simulation.points(start), size)

    def games(self, first: int, count: int) -> list[Game]:
        """Play `count` games, the numbers of which count on from `first`."""
        running = [self._begun(first + n) for n in range(count)]
        games = [each.game for each in running]
        while running:
            for each, answer in zip(running, self._ask(running), strict=True):
                self._turn(each, *answer)
            for each in running:
                if self._is_over(each.position, each.game):
                    self._end(each)
            running = [each for each in running if not each.game.columns["results"]]
        return games

    def _is_over(self, position: Position, game: Game) -> bool:
        return super()._is_over(position, game) or game.turns >= TURNS * self._owners[0] ** 2

    def _begun(self, number: int) -> _Running:
        rng = random.Random(f"{self._settings.seed} {number}")
        game = Game(number, {name: [] for name in self.KIND.columns()})
        position, view = Position.start(self._settings.game), self._view.TeacherView(self._owners[0])
        opening, power = rng.randint(0, self._settings.openings), rng.choice(POWERS)
        own, played_out = self._own is not None and rng.random() < OWN, rng.random() < PLAYED_OUT
        return _Running(game, position, view, rng, opening, power, own, played_out)

    def _ask(self, running: list[_Running]) -> list[tuple[Any, float, float, Any]]:
        """Return policy, win rate, lead in points and owners of all positions, for the sides to move."""
        torch, size = self._torch, self._owners[0]
        planes = np.zeros((len(running), self._view.PLANES, size * size), np.uint8)
        numbers = np.zeros((len(running), self._view.NUMBERS), np.float32)
        for i, each in enumerate(running):
            each.view.see(each.position.state, planes[i], numbers[i])
        image = running[0].game.turns % 8
        seen = torch.from_numpy(planes).float().view(len(running), -1, size, size)
        says = self._net.answer(turned(torch, seen, image), torch.from_numpy(numbers))
        policy = points_turned(torch, torch.softmax(says.policy, 1), size, image, turned_back)
        owners = points_turned(torch, says.owners, size, image, turned_back)
        return list(zip(policy.numpy(), says.win.tolist(), says.score.tolist(), owners.numpy(), strict=True))

    def _turn(self, each: _Running, policy: Any, rate: float, score: float, owners: Any) -> None:
        """Note what the net says, and play a turn."""
        game, state, rng = each.game, each.position.state, each.rng
        size, places = self._owners
        indices = np.empty(size * size + 1, np.int32)
        indices = np.sort(indices[: self._planes.generate(state, indices)])
        chances = policy[indices] / max(policy[indices].sum(), 1e-9)
        counts = np.round(SHARES * chances).astype(np.int64)
        kept = counts >= min(LEAST, counts.max())
        actions = [int(self._planes.action_of(size, index)) for index in indices]
        self._note(game, np.array(actions)[kept].tolist(), counts[kept].tolist(), rate)
        each.said = rate, SCORE_UNIT * score, owners[places].tolist()
        if not each.played_out and self._is_decided(game):
            self._decide(each.position.side_to_move, game, *each.said)
        opening = game.turns < each.opening
        if not opening and rng.random() < self._settings.explore:
            action = rng.choice(actions)
        else:
            if each.own and not opening:
                self._simulation.ask_net(state, self._own)
                self._simulation.net_policy(
                    state, self._own, np.array(actions, np.int32), len(actions), chances
                )
            power = OPENING_POWER if opening else each.power
            action = rng.choices(actions, np.maximum(chances, 1e-12) ** power)[0]
        game.columns["turns"].append(action)
        each.view.play(action)
        each.position.make((action,))
        game.turns += 1

    def _end(self, each: _Running) -> None:
        """Note how a game has ended, as the net has seen it last."""
        columns = each.game.columns
        if not columns["owners"]:
            self._decide(1 - each.position.side_to_move, each.game, *each.said)
        columns["lengths"].append(each.game.turns)
        columns["results"].append(each.game.outcome)
