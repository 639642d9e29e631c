"""Nets that play and nets that learn, on a device.

A net learns from boards of several sizes, each batch from one of them. Its channels are normalised over the
batch, and the running means are kept apart for each size: what the same channels see differs with it. So a
net that has learned from three sizes is written as three nets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.nets.convolution import SCORE_UNIT, USAGE, ConvolutionShape
from tengen.search.mcts.tree import WIN_SHARE
from tengen.tuning.learn.nets.board_training import DECAY, LOSS_WEIGHTS, mean_losses
from tengen.tuning.learn.nets.convolution import (
    Arrays,
    Module,
    initial,
    is_learned,
    numbers_of,
    points_turned,
    turned,
    turned_back,
)
from tengen.tuning.learn.nets.model import CPU
from tengen.tuning.learn.reinforce.pool import Replay
from tengen.tuning.learn.trainer import read_checkpoint, write_checkpoint

CONVOLUTIONS = ("first", "second")  # of the blocks
WARM_UPS = 3  # calculations before one is recorded
CACHED_POINTS = 340_000  # of boards that a device calculates together
TAUGHT_SHARE = 0.5  # of policy and win rate that a smaller net learns: what the greater one says
RATE_SHARE = 0.4  # of the value of the search in what the win rate learns, the rest is the result


def nearest_size(sizes: Iterable[int], size: int) -> int:
    """Return which of the board sizes is nearest to `size`."""
    return min(sizes, key=lambda known: abs(known - size))


def tensors_of(torch: ModuleType, numbers: Arrays, device: str, kind: Any) -> dict[str, Any]:
    """Return the tensors of a `Folded` net with these numbers, each block's convolutions by themselves."""

    def convolution(tensor: Any) -> Any:
        return tensor.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)

    found: dict[str, Any] = {}
    for name, array in numbers.items():
        if name not in USAGE:
            tensor = torch.from_numpy(np.ascontiguousarray(array)).to(device).to(kind)
            if name in CONVOLUTIONS:
                found |= {f"{name}_{block}": convolution(part) for block, part in enumerate(tensor)}
            else:
                found[name] = convolution(tensor) if name == "stem" else tensor
    return found


def planes_of(torch: ModuleType, bits: Any, planes: int, kind: Any) -> Any:
    """Return planes, shape (positions, planes, size, size), from bits (positions, size, size)."""
    shifts = torch.arange(planes, dtype=torch.int16, device=bits.device)
    seen = (bits[..., None] >> shifts) & 1  # channels last in memory
    return seen.to(kind).permute(0, 3, 1, 2)


class Folded(Module):
    """A net whose channels are not normalised any more: that is part of its weights and biases."""

    def _numbers(self, name: str, block: int | None) -> tuple[Any, Any]:
        """Return weights and biases of a convolution."""
        t, bias = self._tensors, self._tensors[f"{name}_bias"]
        return (t[name], bias) if block is None else (t[f"{name}_{block}"], bias[block])

    def _convolved(self, x: Any, name: str, block: int | None, learning: bool) -> Any:
        return self._torch.nn.functional.conv2d(x, *self._numbers(name, block), padding=1)

    def _rectified(self, x: Any, name: str, block: int, learning: bool, added: Any = None) -> Any:
        if not x.is_cuda or self._torch.is_grad_enabled():  # what is merged cannot be learned from
            return super()._rectified(x, name, block, learning, added)
        torch, one = self._torch, (1, 1)
        weight, bias = self._numbers(name, block)
        if added is None:
            return torch.cudnn_convolution_relu(x, weight, bias, one, one, one, 1)
        return torch.cudnn_convolution_add_relu(x, weight, added, 1.0, bias, one, one, one, 1)


class Player:
    """A net that answers searches."""

    def __init__(self, torch: ModuleType, device: str, shape: ConvolutionShape) -> None:
        self._torch, self._device, self._shape = torch, device, shape
        self._kind = torch.bfloat16 if device != CPU else torch.float32
        self._tensors: dict[str, Any] = {}
        # By shape: a graph, what it reads and what it writes
        self._recorded: dict[tuple[int, ...], tuple[Any, Any, Any]] = {}

    def update(self, numbers: Arrays) -> None:
        """Take over the numbers of a net (`ConvolutionShape.numbers`)."""
        for name, tensor in tensors_of(self._torch, numbers, self._device, self._kind).items():
            if name in self._tensors:
                self._tensors[name].copy_(tensor)  # where recorded calculations read it
            else:
                self._tensors[name] = tensor

    def answer(self, bits: Any, about: Any, image: int) -> tuple[Any, Any]:
        """Return policy, shape (positions, points + 1), and utility of the side to move, as float32.

        The net sees the positions under the symmetry `image`. The shape of `bits`, int16, is (positions,
        points), that of `about`, float32, (positions, numbers).
        """
        torch, count = self._torch, len(bits)
        size = math.isqrt(bits.shape[1])
        with torch.no_grad():
            seen = turned(torch, bits.view(count, size, size), image)
            says = self._says if self._device == CPU else self._recorded_says
            logits, value = says(seen, about)
            return torch.softmax(points_turned(torch, logits, size, image, turned_back), 1), value

    def _says(self, bits: Any, about: Any) -> tuple[Any, Any]:
        """Return logits and utility, as float32, for bits of shape (positions, size, size)."""
        torch = self._torch
        planes = planes_of(torch, bits, self._shape.planes, self._kind)
        says = Folded(torch, self._tensors).forward(planes, about.to(self._kind), False)
        margin = says["score"].float() * SCORE_UNIT / bits.shape[1]
        share = 0.5 + torch.atan(margin) / math.pi
        value = WIN_SHARE * torch.sigmoid(says["win"].float()) + (1 - WIN_SHARE) * share
        return says["policy"].float(), value

    def _recorded_says(self, bits: Any, about: Any) -> tuple[Any, Any]:
        """Do as `_says` by calculations, recorded by shape, of parts that stay in the device's cache."""
        count = max(1, CACHED_POINTS // bits.shape[1] ** 2)
        parts = []
        for given in zip(bits.split(count), about.split(count), strict=True):
            key = tuple(given[0].shape)
            if key not in self._recorded:
                seen = [tensor.clone() for tensor in given]
                graph, said = recorded(self._torch, partial(self._says, *seen))
                self._recorded[key] = graph, seen, said
            graph, seen, said = self._recorded[key]
            for known, new in zip(seen, given, strict=True):
                known.copy_(new)
            graph.replay()
            parts.append([tensor.clone() for tensor in said])
        logits, value = (self._torch.cat(said) for said in zip(*parts, strict=True))
        return logits, value


def recorded(torch: ModuleType, calculate: Callable[[], Any]) -> tuple[Any, Any]:
    """Return a graph of what a device does in `calculate`, and its result, which replays write anew."""
    cuda, stream = torch.cuda, torch.cuda.Stream()
    stream.wait_stream(cuda.current_stream())
    with cuda.stream(stream):
        for _ in range(WARM_UPS):
            calculate()
    cuda.current_stream().wait_stream(stream)
    graph = cuda.CUDAGraph()
    with cuda.graph(graph, capture_error_mode="thread_local"):
        result = calculate()
    return graph, result


class Learner:
    """A net that learns from boards of these sizes.

    A `teacher` is a greater net, of the same sizes at least; `TAUGHT_SHARE` of what is learned is from it.
    """

    def __init__(
        self,
        torch: ModuleType,
        device: str,
        shape: ConvolutionShape,
        sizes: Sequence[int],
        seed: int,
        teacher: Learner | None = None,
    ) -> None:
        self.shape = shape
        self._teacher = teacher
        self.steps = dict.fromkeys(sizes, 0)
        self._told = dict.fromkeys(sizes, 0)
        self._torch, self._device = torch, device
        start = initial(shape, seed).items()
        tensors = {name: torch.from_numpy(array).to(device) for name, array in start}
        self.tensors = {name: tensor for name, tensor in tensors.items() if is_learned(name)}
        self.running = {
            size: {name: tensor.clone() for name, tensor in tensors.items() if not is_learned(name)}
            for size in sizes
        }
        for tensor in self.tensors.values():
            tensor.requires_grad_()
        self._cuda = device != CPU
        self._rate = torch.tensor(0.0, device=device)
        kinds = {"fused": True, "capturable": True} if self._cuda else {}
        self.adam = torch.optim.AdamW(
            self.tensors.values(), lr=self._rate if self._cuda else 0.0, weight_decay=DECAY, **kinds
        )
        self._modules = {size: Module(torch, {**self.tensors, **self.running[size]}) for size in sizes}
        self._sums = {size: torch.zeros(5, device=device) for size in sizes}
        self._weights = torch.tensor(LOSS_WEIGHTS, device=device)
        self._graphs: dict[int, Any] = {}
        self._batches: dict[int, dict[str, Any]] = {}

    def begin_as(self, earlier: Learner) -> None:
        """Take over what a net of the same shape has learned, with the running means of the nearest size."""
        for name, tensor in earlier.tensors.items():
            self.tensors[name].data.copy_(tensor)
        for size, running in self.running.items():
            for name, tensor in earlier.running[nearest_size(earlier.running, size)].items():
                running[name].copy_(tensor)

    def learn(self, replay: Replay, count: int, rate: float, image: int) -> None:
        """Learn from `count` random positions, seen by one symmetry; the count never changes for a size."""
        torch, size = self._torch, replay.size
        batch = replay.sample(count)
        for name in ("policy", "owners"):
            batch[name] = points_turned(torch, batch[name].float(), size, image)
        batch["bits"] = turned(torch, batch["bits"].view(count, size, size), image)
        self.steps[size] += 1
        if not self._cuda:
            for group in self.adam.param_groups:
                group["lr"] = rate
            self._step(size, batch)
            return
        self._rate.fill_(rate)
        if size not in self._graphs:
            self._batches[size] = {name: tensor.clone() for name, tensor in batch.items()}
            self._graphs[size], _ = recorded(torch, lambda: self._step(size, self._batches[size]))
        for name, tensor in batch.items():
            self._batches[size][name].copy_(tensor)
        self._graphs[size].replay()

    def _step(self, size: int, batch: Mapping[str, Any]) -> None:
        """Learn from a batch, its boards turned already."""
        torch, cuda = self._torch, self._cuda
        kind = torch.bfloat16 if cuda else torch.float32
        with torch.autocast("cuda" if cuda else "cpu", torch.bfloat16, enabled=cuda, cache_enabled=False):
            planes = planes_of(torch, batch["bits"], self.shape.planes, kind)
            says = self._modules[size].forward(planes, batch["about"], True)
            taught = self._teacher.say(size, planes, batch["about"]) if self._teacher else {}
        says = {name: tensor.float() for name, tensor in says.items()}
        target = batch["policy"]
        wins = (1 - RATE_SHARE) * batch["results"] + RATE_SHARE * batch["rates"]
        if taught:
            target = target + TAUGHT_SHARE * (torch.softmax(taught["policy"].float(), 1) - target)
            wins = wins + TAUGHT_SHARE * (torch.sigmoid(taught["win"].float()) - wins)
        losses = mean_losses(torch, says, target, wins, batch["margins"], batch["owners"], batch["known"])
        (losses * self._weights).sum().backward()
        self.adam.step()
        self.adam.zero_grad(set_to_none=True)
        with torch.no_grad():
            entropy = -(target * torch.log(target + 1e-9)).sum(1).mean()
            self._sums[size] += torch.cat([losses.detach(), entropy[None]])

    def say(self, size: int, planes: Any, about: Any) -> dict[str, Any]:
        """Return what the net says as it is now (`Module.forward`); nothing is learned."""
        with self._torch.no_grad():
            return self._modules[size].forward(planes, about, False)

    def losses(self, size: int) -> list[float] | None:
        """Return mean losses of policy, win rate, score and owners since the last call; None without steps.

        The fifth number is the entropy of the policies that were learned: what no net can do better than.
        """
        count = self.steps[size] - self._told[size]
        if not count:
            return None
        self._told[size] = self.steps[size]
        found: list[float] = (self._sums[size] / count).tolist()
        self._sums[size].zero_()
        return found

    def all_tensors(self) -> dict[str, Any]:
        """Return what is learned, and the running means of each size, by name."""
        running = {
            f"{size}_{name}": tensor for size, found in self.running.items() for name, tensor in found.items()
        }
        return {**self.tensors, **running}

    def save(self, path: Path, identity: str, seconds: float) -> None:
        """Write what a later run needs to go on, and the seconds that were spent."""
        write_checkpoint(path, identity, 0, np.array([[seconds]]), self.all_tensors(), self.adam)

    def restore(self, path: Path, identity: str | None) -> float:
        """Take over what `save` wrote, and return the seconds that were spent; see `read_checkpoint`."""
        return float(read_checkpoint(path, identity, (1, 1), self.all_tensors(), self.adam)[1].sum())

    def numbers(self, size: int) -> dict[str, NDArray[np.float32]]:
        """Return the numbers of the net for boards of this size, but for how it is used."""
        tensors = {**self.tensors, **self.running[size]}
        arrays = {name: tensor.detach().float().cpu().numpy() for name, tensor in tensors.items()}
        return numbers_of(self.shape, arrays)
