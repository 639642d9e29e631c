"""Convolutional nets (`engine.nets.convolution`) as PyTorch trains them, and their numbers for the kernels.

While it learns, a net normalises the channels of each convolution over the batch. In the numbers for the
kernels this is part of weights and biases.
"""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.nets.convolution import CONVOLUTIONS, USAGE, ConvolutionShape

OUTPUT_SIZE = 0.1  # of the numbers of outputs at the start, times what is usual
MOMENTUM = 0.05  # of the running means
EPSILON = 1e-4  # added to variances
RUNNING = ("mean", "variance")
GROWN_SIZE = 0.3  # of the new numbers of residual outputs where a net grows, times what is usual
OUTPUTS = ("policy_output", "value_output", "ownership", "passing")

Arrays = Mapping[str, NDArray[Any]]


def initial(shape: ConvolutionShape, seed: int) -> dict[str, NDArray[np.float32]]:
    """Return the numbers at the start: what is learned, and running means and variances of channels.

    Arrays have the names and shapes of `ConvolutionShape.numbers`. Of each convolution there are a ``scale``,
    a ``mean`` and a ``variance`` of the channels besides.
    """
    generator = np.random.default_rng(seed)
    found: dict[str, NDArray[np.float32]] = {}
    for name, (kind, size) in shape.numbers.items():
        if name in USAGE:
            continue
        rows = int(np.prod(size[-4:-1] if name in CONVOLUTIONS else size[:-1] or (1,)))
        gain = np.sqrt(2 / rows) if size[1:] else 0.0
        if name in ("policy_output", "ownership", "passing"):
            gain = 1 / np.sqrt(size[0])
        if name in (*OUTPUTS, "pooled", "policy_pooled"):
            gain *= OUTPUT_SIZE
        found[name] = (gain * generator.normal(size=size)).astype(kind)
        if name.endswith("_bias"):
            found[name][:] = 0
    for name in CONVOLUTIONS:
        size = found[f"{name}_bias"].shape
        found |= {
            f"{name}_scale": np.ones(size, np.float32),
            f"{name}_mean": np.zeros(size, np.float32),
            f"{name}_variance": np.ones(size, np.float32),
        }
    return found


def is_learned(name: str) -> bool:
    """Return whether an array of `initial` is learned; the others are running means."""
    return not name.endswith(RUNNING)


def turned(torch: ModuleType, board: Any, image: int) -> Any:
    """Return boards, their last two axes, under one of the 8 symmetries; contiguous, as the layers' order."""
    if image & 4:
        board = board.transpose(-1, -2)
    return torch.rot90(board, image & 3, (-2, -1)).contiguous()


def turned_back(torch: ModuleType, board: Any, image: int) -> Any:
    """Undo `turned`."""
    board = torch.rot90(board, -(image & 3), (-2, -1))
    return board.transpose(-1, -2) if image & 4 else board


def points_turned(
    torch: ModuleType, numbers: Any, size: int, image: int, turn: Callable[..., Any] = turned
) -> Any:
    """Return numbers of points, shape (positions, points), turned by `turned` or `turned_back`.

    Numbers that follow them, such as that of a pass, stay.
    """
    points = size * size
    boards = turn(torch, numbers[:, :points].reshape(-1, size, size), image)
    return torch.cat([boards.reshape(-1, points), numbers[:, points:]], 1)


class Module:
    """A net in PyTorch, of tensors as in `initial`. Running means are changed in place while it learns."""

    def __init__(self, torch: ModuleType, tensors: Mapping[str, Any]) -> None:
        self._torch, self._tensors, self._measures = torch, tensors, False

    def measure(self, planes: Any, about: Any) -> None:
        """Take means and variances of channels from positions; the net goes on saying what it said.

        A net that learns further is then normalised as one that has learned so from its beginning.
        """
        self._measures = True
        with self._torch.no_grad():
            self.forward(planes, about, False)
        self._measures = False

    def forward(self, planes: Any, about: Any, learning: bool) -> dict[str, Any]:
        """Return what the net says about positions; if it is `learning`, channels are normalised over them.

        The shape of `planes`, float32, is (positions, planes, size, size), that of `about`, float32,
        (positions, numbers about a position). There are ``policy``: logits, shape (positions, points + 1);
        ``win``, a logit, and ``score``, shape (positions,); ``owners``, before tanh, shape (positions,
        points).
        """
        torch, t = self._torch, self._tensors
        relu = torch.relu
        x = self._convolved(planes, "stem", None, learning)
        x = relu(x + (about @ t["stem_globals"])[:, :, None, None])
        for b in range(len(t["first_bias"])):
            h = self._rectified(x, "first", b, learning)
            if b % 2:
                h = h + (self._pooled(h) @ t["pooled"][b // 2])[:, :, None, None]
            x = self._rectified(h, "second", b, learning, x)
        summary = self._pooled(x)
        points = x.flatten(2).transpose(1, 2)
        p = points @ t["policy"][0] + t["policy_bias"] + (summary @ t["policy_pooled"])[:, None]
        logits = relu(p) @ t["policy_output"]
        passing = summary @ t["passing"] + t["passing_bias"]
        v = relu(torch.cat([summary, about], 1) @ t["value"] + t["value_bias"])
        values = v @ t["value_output"] + t["value_output_bias"]
        return {
            "policy": torch.cat([logits, passing[:, None]], 1),
            "win": values[:, 0],
            "score": values[:, 1],
            "owners": points @ t["ownership"] + t["ownership_bias"],
        }

    def _pooled(self, x: Any) -> Any:
        """Return the means and maxima of all channels."""
        return self._torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)

    def _rectified(self, x: Any, name: str, block: int, learning: bool, added: Any = None) -> Any:
        """Return relu of a normalised convolution, to which `added` is added before."""
        found = self._convolved(x, name, block, learning)
        return self._torch.relu(found if added is None else added + found)

    def _convolved(self, x: Any, name: str, block: int | None, learning: bool) -> Any:
        """Return a normalised convolution."""
        weight, bias, scale, mean, variance = (
            self._tensors[part] if block is None else self._tensors[part][block]
            for part in (name, *(f"{name}_{part}" for part in ("bias", "scale", *RUNNING)))
        )
        functional = self._torch.nn.functional
        x = functional.conv2d(x, weight.permute(3, 2, 0, 1), padding=1)
        if self._measures:
            factor, before = scale / (variance + EPSILON).sqrt(), mean.clone()
            mean.copy_(x.mean((0, 2, 3)))
            variance.copy_(x.var((0, 2, 3), unbiased=False))
            bias += factor * (mean - before)
            scale.copy_(factor * (variance + EPSILON).sqrt())
        return functional.batch_norm(x, mean, variance, scale, bias, learning, MOMENTUM, EPSILON)


def numbers_of(shape: ConvolutionShape, arrays: Arrays) -> dict[str, NDArray[np.float32]]:
    """Return the numbers of a net that has learned `arrays`, but for `USAGE`."""
    found = {name: arrays[name].astype(np.float32) for name in shape.numbers if name in arrays}
    for name in CONVOLUTIONS:
        factor = arrays[f"{name}_scale"] / np.sqrt(arrays[f"{name}_variance"] + EPSILON)
        spread = factor[..., None, None, None, :] if name != "stem" else factor
        found[name] = (arrays[name] * spread).astype(np.float32)
        found[f"{name}_bias"] = (arrays[f"{name}_bias"] - arrays[f"{name}_mean"] * factor).astype(np.float32)
    return found


def arrays_of(numbers: Arrays) -> dict[str, NDArray[np.float32]]:
    """Return what a net with these `numbers` learns further from: `numbers_of` undone."""
    found = {name: array.copy() for name, array in numbers.items() if name not in USAGE}
    for name in CONVOLUTIONS:
        bias = found[f"{name}_bias"]
        found |= {
            f"{name}_scale": np.full_like(bias, np.sqrt(1 + EPSILON)),
            f"{name}_mean": np.zeros_like(bias),
            f"{name}_variance": np.ones_like(bias),
        }
    return found


def grown(shape: ConvolutionShape, numbers: Arrays, seed: int) -> dict[str, NDArray[np.float32]]:
    """Return what a net begins with that says what a net with these `numbers` does, and can learn more.

    The `shape` has at least as many blocks and channels. New channels do not change the old ones, and new
    blocks change nothing, at first.

    Source: Chen, Goodfellow and Shlens, Net2Net: accelerating learning via knowledge transfer (2016).
    """
    known = arrays_of(numbers)
    blocks, channels = known["first_bias"].shape
    if (blocks, channels) == (shape.blocks, shape.channels):
        return known
    found, one = initial(shape, seed), np.arange(channels)
    two = np.concatenate([one, shape.channels + one])  # means and maxima
    numbers_about = 2 * shape.channels + np.arange(shape.globals)
    places = {channels: one, 2 * channels: two, 2 * channels + shape.globals: np.append(two, numbers_about)}
    for name, old in known.items():
        new, where = found[name], [places.get(length, np.arange(length)) for length in old.shape]
        if name == "second":
            new *= GROWN_SIZE
            new[blocks:] = 0
        if name in OUTPUTS:
            new[:] = 0
        elif old.ndim > 1:
            begun = new[: len(old)] if name in ("first", "second", "pooled") else new
            begun[..., one] = 0
        new[np.ix_(*where)] = old
    return found
