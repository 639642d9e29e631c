"""What becomes of the smaller nets when a run is over: they learn on, or serve other boards and komis.

They learn what the net that plays says of positions.

The positions are those that the run has kept, and those of games whose turns a search with playouts has
chosen. What is learned of a position is a mixture of what the net that plays says, seen under two symmetries
of the board, of what the search found, and of the result.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tengen.engine.nets.convolution import USAGE
from tengen.engine.nets.correction import Net
from tengen.engine.weights import Weights, WeightsError, read_weights
from tengen.tuning.learn.nets.board_training import HEADS
from tengen.tuning.learn.nets.boards import BoardSamples
from tengen.tuning.learn.nets.convolution import points_turned, turned, turned_back
from tengen.tuning.learn.nets.model import CPU, torch_or_error
from tengen.tuning.learn.reinforce.learner import Folded, Learner, planes_of, tensors_of
from tengen.tuning.learn.reinforce.run import NET, PLAYING, POSITIONS, TAUGHT, RunSettings
from tengen.tuning.learn.trainer import Trainer
from tengen.tuning.version import engine_version, fingerprint

# Shares of what the net that plays says: of the policy; of the win rate, and those of search and result
KEPT = (0.5, (0.6, 0.2, 0.2))  # positions of the run
GIVEN = (0.8, (0.4, 0.4, 0.2))  # positions of games with playouts: their searches know more
TAUGHT_OWNERS = 0.7
BATCH_SIZE = 256
TOP_RATE = 1e-3  # of learning
WARM_UP = 200  # batches in which the rate rises
LABELLED = 512  # positions that the net that plays sees at once


class Teaching(Trainer):
    """What the smaller net for boards of one size learns on, after a run with these settings in the folder.

    The net is written there, and what an interrupted lesson goes on from. Positions that are given are those
    of games with playouts. Raises OptionError without PyTorch, or without the device; TengenError if the
    folder does not hold such a run.
    """

    LOSS_WEIGHTS = (1.0, 1.5, 0.05, 0.15)  # of policy, win rate, score and owners

    def __init__(
        self, settings: RunSettings, folder: Path, size: int, given: BoardSamples | None, epochs: int
    ) -> None:
        self._torch = torch = torch_or_error(device=settings.device)
        self._settings, self._size = settings, size
        self._planes = settings.student.planes
        path = folder / NET.format(size)
        weights = read_weights(settings.game.game, str(path))
        if not weights or not isinstance(weights.net, Net):
            raise WeightsError(f"{path}: expected weights with a net, got others")
        self._weights, self._net = weights, weights.net
        self.path = folder / TAUGHT.format(size)
        sizes = sorted(settings.shares)
        device = self._device = settings.device
        self._teacher = Learner(torch, device, settings.shape, sizes, settings.seed)
        self._teacher.restore(folder / PLAYING, settings.identity)
        kept = BoardSamples.read(folder / POSITIONS.format(size), size, settings.student.globals)
        parts = [(kept, KEPT), *([(given, GIVEN)] if given else [])]
        self._positions = BoardSamples.joined([part for part, _ in parts])
        self._shares = [(len(part), shares) for part, shares in parts]
        tensors = tensors_of(torch, self._net.numbers, device, torch.float32)
        self._module = Folded(torch, tensors)
        for tensor in tensors.values():
            tensor.requires_grad_()
        adam = torch.optim.Adam(tensors.values(), lr=TOP_RATE, fused=device != CPU)
        self._on_progress: Callable[[float], object] | None = None
        identity = fingerprint(
            {
                "run": settings.identity,
                "net": weights.fingerprint,
                "positions": str(self._shares),
                "epochs": str(epochs),
            }
        )
        checkpoint = folder / f"taught-{size}.checkpoint"
        batches = -(-len(self._positions) // BATCH_SIZE)
        super().__init__(tensors, adam, TOP_RATE, batches, epochs, identity, checkpoint)

    def run(self, on_progress: Callable[[float], object] | None = None) -> Net:
        """Learn, and return the net, whose origin has the last losses; it is written with the base's weights.

        `on_progress` is called now and then with the part of the lesson that is done, from 0 to 1.
        """
        self._on_progress = on_progress
        self.learn(lambda epoch, *losses: self._tell(1 + epoch))
        net = self._made()
        replace(self._weights, net=net).save(self.path)
        return net

    def _tell(self, passes: float) -> None:
        """Tell how often all positions have been gone through; the first time, the net that plays did."""
        if self._on_progress:
            self._on_progress(passes / (1 + self._epochs))

    @cached_property
    def _wanted(self) -> dict[str, Any]:
        """What the net sees of all positions, and what it learns of them, as tensors."""
        torch, p = self._torch, self._positions
        said = self._said()
        shares = np.array([(policy, *win) for _, (policy, win) in self._shares], np.float32)
        counts = [count for count, _ in self._shares]
        policy_share, taught, searched, ended = map(self._moved, np.repeat(shares, counts, axis=0).T.copy())
        target, rate, result, owners, known = map(
            self._moved, (p.policy, p.rates, p.results, np.round(p.owners), p.known)
        )
        mixed = TAUGHT_OWNERS * said["owners"] + (1 - TAUGHT_OWNERS) * owners
        return {
            "bits": self._moved(p.bits),
            "about": self._moved(p.about),
            "policy": target + policy_share[:, None] * (said["policy"] - target),
            "win": taught * said["win"] + searched * rate + ended * result,
            "score": said["score"],
            "owners": torch.where(known[:, None] > 0, mixed, said["owners"]),
        }

    def _said(self) -> dict[str, Any]:
        """Return what the net that plays says of all positions, the mean of two symmetries."""
        torch, p, size = self._torch, self._positions, self._size
        generator = np.random.default_rng(self._settings.seed)
        parts: list[dict[str, Any]] = []
        for at in range(0, len(p), LABELLED):
            bits = self._moved(p.bits[at : at + LABELLED]).view(-1, size, size)
            about = self._moved(p.about[at : at + LABELLED])
            seen = []
            for image in map(int, (generator.integers(4), 4 + generator.integers(4))):
                with torch.autocast(self._device, torch.bfloat16):
                    planes = planes_of(torch, turned(torch, bits, image), self._planes, torch.bfloat16)
                    says = self._teacher.say(size, planes, about)
                policy = torch.softmax(says["policy"].float(), 1)
                seen.append(
                    {
                        "policy": points_turned(torch, policy, size, image, turned_back),
                        "win": torch.sigmoid(says["win"].float()),
                        "score": says["score"].float(),
                        "owners": points_turned(
                            torch, torch.tanh(says["owners"].float()), size, image, turned_back
                        ),
                    }
                )
            first, second = seen
            parts.append({name: (said + second[name]) / 2 for name, said in first.items()})
            self._tell(min(1.0, (at + LABELLED) / len(p)))
        return {name: torch.cat([part[name] for part in parts]) for name in parts[0]}

    def _rate(self, step: int, steps: int) -> float:
        return TOP_RATE * min(1.0, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * step / steps))

    def _losses_of_batches(self) -> Iterator[tuple[Any, int]]:
        torch, size, wanted = self._torch, self._size, self._wanted
        generator = np.random.default_rng([self._settings.seed, self.epoch])
        order = self._moved(generator.permutation(len(self._positions)))
        for number, chosen in enumerate(order.tensor_split(self._batches)):
            image = (self.epoch * self._batches + number) % 8
            batch = {name: part[chosen] for name, part in wanted.items()}
            bits = turned(torch, batch["bits"].view(-1, size, size), image)
            with torch.autocast(self._device, torch.bfloat16):
                planes = planes_of(torch, bits, self._planes, torch.bfloat16)
                says = self._module.forward(planes, batch["about"], True)
            yield self._losses(says, batch, image), len(chosen)

    def _losses(self, says: Mapping[str, Any], wanted: Mapping[str, Any], image: int) -> Any:
        """Return the mean losses of policy, win rate, score and owners: cross-entropies but for the score."""
        torch, functional = self._torch, self._torch.nn.functional
        policy, owners = (
            points_turned(torch, wanted[name], self._size, image) for name in ("policy", "owners")
        )
        return torch.stack(
            [
                functional.cross_entropy(says["policy"].float(), policy),
                functional.binary_cross_entropy_with_logits(says["win"].float(), wanted["win"]),
                functional.smooth_l1_loss(says["score"].float(), wanted["score"]),
                functional.binary_cross_entropy_with_logits(2 * says["owners"].float(), (owners + 1) / 2),
            ]
        )

    def _made(self) -> Net:
        known = self._net
        names = dict.fromkeys((*USAGE, *known.numbers))
        numbers = {name: known.numbers[name].copy() for name in names}
        for name, tensor in self._tensors.items():
            found = tensor.detach().cpu()
            whole, _, block = name.rpartition("_")
            place = numbers[whole][int(block)] if block.isdecimal() else numbers[name]
            place[:] = (found.permute(2, 3, 1, 0) if found.ndim == 4 else found).numpy()
        origin = {
            "source": "tengen reinforce --teach",
            "engine": engine_version(self._settings.game),
            "net": self._weights.fingerprint,
            "positions": [count for count, _ in self._shares],
            "epochs": self._epochs,
            "losses": dict(zip(HEADS, np.round(self.history[-1], 4).tolist(), strict=True)),
        }
        return Net(numbers, {**known.origin, "taught": origin})


def widened(
    weights: Weights, planes: ModuleType, sizes: tuple[int, int], visits: int | None = None
) -> Weights:
    """Return weights whose net serves both scorings and all komis that games of self-play are drawn with.

    Nothing is learned: what the net makes of the size becomes part of its biases, and it no longer sees how
    games are scored. The shipped nets of Go were made so (docs/go-net.md).

    The net has learned from boards of one size; `planes` is the game's module of that name. The `sizes` are
    the smallest and the greatest board that it serves then. If both are the size that it has learned from, it
    still sees the size, and its values the scoring. After so many `visits` a node of the search is expanded.
    Raises WeightsError if there is no such net.
    """
    net = weights.net
    if not isinstance(net, Net) or len({*net.numbers["sizes"].tolist()}) != 1:
        raise WeightsError("weights: expected a net that has learned from boards of one size, got others")
    numbers = {name: array.copy() for name, array in net.numbers.items()}
    origin = {**net.origin, "territory": "its inputs about scoring are 0", "komis": "widened"}
    learned = int(numbers["sizes"][0])
    inputs = {"stem": numbers["stem_globals"], "value": numbers["value"][-planes.SHAPE.globals :]}
    if sizes == (learned, learned):
        del inputs["value"]
    else:
        for layer, rows in inputs.items():
            numbers[f"{layer}_bias"] += np.float32(planes.size_input(learned)) * rows[planes.SIZE_INPUT]
            rows[planes.SIZE_INPUT] = 0
        origin["size"] = "its input is part of the biases"
    for rows in inputs.values():
        rows[[*planes.SCORING_INPUTS]] = 0
    numbers["sizes"][:], numbers["komis"][:] = sizes, planes.ALL_KOMIS
    if visits is not None:
        numbers["search"][2] = visits
    return replace(weights, net=Net(numbers, origin))
