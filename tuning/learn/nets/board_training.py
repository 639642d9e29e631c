"""Training of a convolutional net: policy, win rate, score and ownership.

Positions are seen under a random symmetry of the board each time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError
from tengen.engine.nets.convolution import NO_KOMI, SCORE_UNIT, ConvolutionShape
from tengen.engine.nets.correction import Net
from tengen.tuning.learn.fit import Fit
from tengen.tuning.learn.logistic import losses as log_losses
from tengen.tuning.learn.logistic import win_rates
from tengen.tuning.learn.nets.boards import BoardData, BoardSamples
from tengen.tuning.learn.nets.convolution import Module, grown, initial, is_learned, numbers_of
from tengen.tuning.learn.nets.model import torch_or_error
from tengen.tuning.learn.nets.training import NetSettings
from tengen.tuning.learn.trainer import Trainer

Array = NDArray[np.float64]

BATCH_SIZE = 128
RATE, FURTHER_RATE = 4e-3, 2e-3  # highest rates of learning
DECAY = 1e-4  # of weights
# What has a mean loss: cross-entropies in nats, of the policy with the visits and of the win rate with what
# it learns from; of the score half the square of the error in tens of points, of greater ones the error, less
# a half; of the owners the mean square
HEADS = ("policy", "win", "score", "owners")
LOSS_WEIGHTS = (1.0, 1.0, 0.05, 0.15)  # of these losses
PLAYOUTS = 5  # that the net's win rate is mixed with: those of a node until it is expanded
MEASURED = 2048  # positions by which a net that learns further is normalised at first
SHARES = np.linspace(0.0, 0.5, 11)  # of the net, that are tried; more has lost at thousands of simulations
MIN_RATE = 1e-3  # win rates are clamped to [this, 1 - this] before their loss is taken
SEARCH = (1.0, 0.1, 4.0, 3000.0)  # numbers of the search, see `search.mcts.search`
# A net of so many channels carries the search: it is asked about every node, has this share, and no RAVE
CARRYING, CARRYING_SHARE, CARRIED_SEARCH = 64, 0.9, (1.0, 0.1, 0.0, 0.0)
TOPS = (1, 5)  # first moves that are counted as hits


def symmetries(size: int) -> NDArray[np.int64]:
    """Return for each of the 8 symmetries of a board where each point comes from, shape (8, points)."""
    board = np.arange(size * size).reshape(size, size)
    images = [np.rot90(side, turns) for side in (board, board.T) for turns in range(4)]
    return np.stack([image.ravel() for image in images])


def mean_losses(
    torch: ModuleType,
    says: Mapping[str, Any],
    policies: Any,
    wins: Any,
    margins: Any,
    owners: Any,
    ended: Any = 1.0,
) -> Any:
    """Return the mean losses of what a net says, a tensor of four numbers in the order of `HEADS`.

    What it `says` is by head (`tuning.learn.nets.convolution.Module.forward`). The shape of `policies`, which
    the policy learns, is (positions, points + 1), that of the others (positions,), but (positions, points) of
    `owners`. For the side to move, `wins` are from 0 to 1, `margins` in points, `owners` from -1 to 1.
    `ended` is 0 where margin and owners are not known, since the game was given up.
    """
    functional = torch.nn.functional
    score = functional.smooth_l1_loss(says["score"], margins / SCORE_UNIT, reduction="none")
    owner = ((torch.tanh(says["owners"]) - owners) ** 2).mean(1)
    return torch.stack(
        [
            functional.cross_entropy(says["policy"], policies),
            functional.binary_cross_entropy_with_logits(says["win"], wins),
            (ended * score).mean(),
            (ended * owner).mean(),
        ]
    )


class BoardTrainer(Trainer):
    """A training of a convolutional net on games with visits.

    Raises OptionError if PyTorch is missing, or the game has no such net; TrainingError if the checkpoint
    belongs to another training.
    """

    LOSS_WEIGHTS = LOSS_WEIGHTS
    JUDGED = len(LOSS_WEIGHTS)

    def __init__(self, settings: NetSettings, data: BoardData, checkpoint: Path | None = None) -> None:
        self._torch = torch_or_error()
        self._settings, self._data = settings, data
        shape = settings.shape
        if not isinstance(shape, ConvolutionShape):
            raise OptionError(
                f"--net: expected a game with a convolutional net, got {settings.game.game.name}"
            )
        self._shape = shape
        base = settings.base.net if settings.further else None
        start = grown(shape, base.numbers, settings.seed) if base else initial(shape, settings.seed)
        tensors = {name: self._torch.from_numpy(array) for name, array in start.items()}
        learned = [tensors[name].requires_grad_() for name in tensors if is_learned(name)]
        rate = FURTHER_RATE if settings.further else RATE
        adam = self._torch.optim.AdamW(learned, rate, weight_decay=DECAY)
        self._module = Module(self._torch, tensors)
        if base:  # take the means and variances of channels from positions of the greatest part
            part, generator = max(data.train, key=len), np.random.default_rng(settings.seed)
            chosen = generator.choice(len(part), min(len(part), MEASURED), replace=False)
            self._module.measure(*self._inputs(part, chosen, symmetries(part.size)[:1]))
        batches = sum(-(-len(part) // BATCH_SIZE) for part in data.train)
        identity = settings.identity(data.sources)
        super().__init__(tensors, adam, rate, batches, settings.epochs, identity, checkpoint)

    def _losses_of_batches(self) -> Iterator[tuple[Any, int]]:
        generator = np.random.default_rng([self._settings.seed, self.epoch])
        batches = [
            (part, chosen)
            for part in self._data.train
            for chosen in np.array_split(generator.permutation(len(part)), -(-len(part) // BATCH_SIZE))
        ]
        for number in generator.permutation(len(batches)):
            part, chosen = batches[number]
            images = generator.integers(0, 8, len(chosen))
            yield self._losses(part, chosen, images, True), len(chosen)

    @staticmethod
    def _reported(row: NDArray[np.float64]) -> tuple[float, float]:
        learned, judged = row.reshape(2, len(HEADS)) @ LOSS_WEIGHTS
        return float(learned), float(judged)

    def _inputs(
        self, part: BoardSamples, chosen: NDArray[np.int64], sources: NDArray[np.int64]
    ) -> tuple[Any, Any]:
        """Return what the net sees of the chosen positions, whose points come from `sources`."""
        tensor, size = self._torch.from_numpy, part.size
        bits = part.bits[chosen[:, None], sources].reshape(len(chosen), size, size, 1)
        planes = tensor((bits >> np.arange(self._shape.planes) & 1).astype(np.float32)).permute(0, 3, 1, 2)
        return planes, tensor(part.about[chosen])

    def _losses(
        self, part: BoardSamples, chosen: NDArray[np.int64], images: NDArray[np.int64], learning: bool
    ) -> Any:
        """Return the mean losses of the chosen positions seen by these symmetries (`mean_losses`)."""
        tensor = self._torch.from_numpy
        sources = symmetries(part.size)[images]
        says = self._module.forward(*self._inputs(part, chosen, sources), learning)
        passing = np.full((len(chosen), 1), part.policy.shape[1] - 1)
        policy = part.policy[chosen[:, None], np.concatenate([sources, passing], 1)]
        owners = part.owners[chosen[:, None], sources]
        share = np.float32(self._settings.score_share)
        wins = (1 - share) * part.results[chosen] + share * part.rates[chosen]
        margins = tensor(part.margins[chosen])
        return mean_losses(self._torch, says, tensor(policy), tensor(wins), margins, tensor(owners))

    def _judge(self) -> list[float]:
        totals, count = np.zeros(4), 0
        with self._torch.no_grad():
            for part in self._data.held_out:
                for chosen in np.array_split(np.arange(len(part)), -(-len(part) // BATCH_SIZE)):
                    losses = self._losses(part, chosen, np.zeros(len(chosen), np.int64), False)
                    totals += len(chosen) * losses.numpy()
                    count += len(chosen)
        means: list[float] = (totals / count).tolist()
        return means

    def result(self) -> Fit:
        """Return the trained net, and how well it predicts.

        The report has the losses of each epoch by the names in `HEADS`; as ``tops`` the shares of positions
        held out whose most visited move is among so many first ones of the policy; as ``losses`` those of win
        rates with the results, held out: of the net, of the search, of playouts, and of net and playouts
        mixed; and the net's ``share`` in that mixture, or what a net that carries the search has.
        """
        settings, data = self._settings, self._data
        wins, tops = self._predicted()
        rates, results, playouts = (
            np.concatenate([getattr(part, name) for part in data.held_out]).astype(np.float64)
            for name in ("rates", "results", "playouts")
        )
        mixtures = [_loss((1 - share) * playouts + share * wins, results) for share in SHARES]
        carries = self._shape.channels >= CARRYING
        share = CARRYING_SHARE if carries else float(SHARES[int(np.argmin(mixtures))])
        losses = {
            "net": _loss(wins, results),
            "search": _loss(rates, results),
            "playouts": mixtures[0],
            "mixed": min(mixtures),
        }
        rows = [dict(zip(HEADS, half, strict=True)) for half in self.history.reshape(-1, len(HEADS)).tolist()]
        course = zip(rows[::2], rows[1::2], strict=True)
        arrays = {name: tensor.detach().numpy() for name, tensor in self._tensors.items()}
        numbers = numbers_of(self._shape, arrays) | self._usage(share)
        weights = replace(settings.base, net=Net(numbers, self._origin(losses, tops)))
        report = {
            "game": str(settings.game),
            "fingerprint": weights.fingerprint,
            "data": data.sources,
            "sizes": numbers["sizes"].tolist(),
            "komis": numbers["komis"].tolist(),
            "positions": data.positions,
            "course": [{"learned": learned, "held_out": judged} for learned, judged in course],
            "tops": tops,
            "losses": losses,
            "share": share,
        }
        return Fit(weights, report)

    def _usage(self, share: float) -> dict[str, NDArray[Any]]:
        """Return the numbers that tell how the net is used: what a base has been used for, stays."""
        sizes, komis = [part.size for part in self._data.train], self._data.komis
        search = CARRIED_SEARCH if self._shape.channels >= CARRYING else SEARCH
        base = self._settings.base.net if self._settings.further else None
        if base:
            known = base.numbers
            sizes += known["sizes"].tolist()
            if known["stem_bias"].shape == (self._shape.channels,):
                search = tuple(known["search"].tolist())
            pairs = [
                [each for each in found if tuple(each) != NO_KOMI]
                for found in zip(komis, known["komis"], strict=True)
            ]
            komis = np.array(
                [(np.min(found), np.max(found)) if found else NO_KOMI for found in pairs], np.int32
            )
        return {
            "share": np.array([share], np.float32),
            "search": np.array(search, np.float32),
            "sizes": np.array([min(sizes), max(sizes)], np.int32),
            "komis": komis,
        }

    def _predicted(self) -> tuple[Array, dict[str, float]]:
        """Return the win rates of the positions held out, and the hits of the policy."""
        wins: list[Array] = []
        ranks: list[NDArray[np.int64]] = []
        with self._torch.no_grad():
            for part in self._data.held_out:
                sources = symmetries(part.size)[:1]
                for chosen in np.array_split(np.arange(len(part)), -(-len(part) // BATCH_SIZE)):
                    says = self._module.forward(*self._inputs(part, chosen, sources), False)
                    wins.append(win_rates(says["win"].numpy().astype(np.float64)))
                    policy, best = says["policy"].numpy(), part.policy[chosen].argmax(1)
                    ranks.append((policy > policy[np.arange(len(chosen)), best][:, None]).sum(1))
        rank = np.concatenate(ranks)
        return np.concatenate(wins), {str(top): int((rank < top).sum()) / len(rank) for top in TOPS}

    def _origin(self, losses: Mapping[str, float], tops: Mapping[str, float]) -> dict[str, Any]:
        """Return the origin of the net, which depends on data and settings only."""
        return {
            **self._settings.net_origin(self._data),
            "loss": {name: round(loss, 5) for name, loss in losses.items()},
            "policy": round(float(self.history[-1, self.JUDGED]), 5),
            "tops": {top: round(share, 4) for top, share in tops.items()},
        }


def _loss(rates: Array, results: Array) -> float:
    """Return the mean log loss of win rates."""
    clamped = np.clip(rates, MIN_RATE, 1 - MIN_RATE)
    return float(log_losses(np.log(clamped / (1 - clamped)), results).mean())
