"""Nets of KataGo as teachers: their files, and what they say of positions.

Files are those of KataGo's documented binary format (``*.bin.gz``), of convolutional nets of model versions 8
to 10, which the run g170 published. Words lie between whitespace, numbers are little-endian float32 behind
``@BIN@``.

Source: Wu, Accelerating Self-Play Learning in Go (2019), and KataGo's description of the format.
"""

from __future__ import annotations

import gzip
import math
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.engine.nets.convolution import SCORE_UNIT
from tengen.engine.storage.files import open_regular

MAX_FILE = 1 << 29  # bytes of a file, and of what is unpacked
VERSIONS = range(8, 11)
PLANES, NUMBERS = 22, 19  # that these versions see, of points and about a position
MARK = b"@BIN@"
SCORE_SCALE = 20.0  # points that stand for 1
USUAL_SIDE = 14.0  # of a board, from which sides are counted
LEAD = 2  # an output of the head of scores


class TeacherError(TengenError):
    """A file that is not a net that can teach."""


class Answers(NamedTuple):
    """What a net says of positions, for the side to move; tensors of float32."""

    policy: Any  # logits, shape (positions, points + 1)
    win: Any  # rates from 0 to 1, a game without result as a half; shape (positions,)
    score: Any  # leads in units of `SCORE_UNIT` points, shape (positions,)
    owners: Any  # from -1 to 1, shape (positions, points)


class KataGoNet:
    """A net of KataGo, which answers in batches.

    Raises TeacherError if the file cannot be read, or is not such a net.
    """

    def __init__(self, torch: ModuleType, path: Path) -> None:
        self._torch = torch
        try:
            with open_regular(path, MAX_FILE) as file, gzip.open(file) as unpacked:
                self._read(_Reader(torch, unpacked.read(MAX_FILE)))
        except (OSError, EOFError, ValueError, IndexError, zlib.error) as error:
            raise TeacherError(f"{path}: expected a net of KataGo, got another file ({error})") from None

    def _read(self, reader: _Reader) -> None:
        self.name = reader.word()
        version, planes, numbers = (int(reader.word()) for _ in range(3))
        if version not in VERSIONS or (planes, numbers) != (PLANES, NUMBERS):
            raise ValueError(f"model version {version}, {planes} planes, {numbers} numbers")
        reader.word()
        blocks = int(reader.word())
        reader.words(5)  # numbers of channels, which the layers tell
        self._stem, self._numbers = reader.convolution(), reader.matrix()
        self._blocks = [self._block(reader) for _ in range(blocks)]
        self._tip = reader.scale()
        reader.word()
        self._policy = [
            *(reader.convolution() for _ in range(2)),
            *(reader.scale(), reader.matrix(), reader.scale(), reader.convolution(), reader.matrix()),
        ]
        reader.word()
        self._value = [
            *(reader.convolution(), reader.scale(), reader.matrix(), reader.row(), reader.word()),
            *(reader.matrix(), reader.row(), reader.matrix(), reader.row(), reader.convolution()),
        ]

    def _block(self, reader: _Reader) -> list[Any]:
        """Return the layers of a residual block, five or eight."""
        kind, _ = reader.words(2)
        if kind not in ("ordinary_block", "gpool_block"):
            raise ValueError(f"block {kind}")
        found = [reader.scale(), reader.convolution()]
        if kind == "gpool_block":
            found += [reader.convolution(), reader.scale(), reader.matrix()]
        return [*found, reader.scale(), reader.convolution()]

    def answer(self, planes: Any, numbers: Any) -> Answers:
        """Return what the net says.

        Both are float32; the shape of `planes` is (positions, `PLANES`, size, size), that of `numbers`
        (positions, `NUMBERS`).
        """
        torch = self._torch
        with torch.no_grad():
            x = _convolved(torch, planes.contiguous(memory_format=torch.channels_last), self._stem)
            x += (numbers @ self._numbers)[:, :, None, None]
            for block in self._blocks:
                x += self._residue(x, block)
            x = _activated(torch, x, self._tip)
            return Answers(self._policies(x), *self._values(x))

    def _residue(self, x: Any, block: list[Any]) -> Any:
        """Return what a block adds to `x`."""
        torch = self._torch
        before, first, *pooling, between, second = block
        h = _activated(torch, x, before)
        found = _convolved(torch, h, first)
        if pooling:
            seen, scale, biases = pooling
            pooled = self._pooled(_activated(torch, _convolved(torch, h, seen), scale))
            found += (pooled @ biases)[:, :, None, None]
        return _convolved(torch, _activated(torch, found, between), second)

    def _pooled(self, x: Any) -> Any:
        """Return the means of all channels, the same by the size of the board, and the maxima."""
        means, side = x.mean((2, 3)), math.sqrt(x.shape[2] * x.shape[3]) - USUAL_SIDE
        return self._torch.cat([means, means * (side * 0.1), x.amax((2, 3))], 1)

    def _policies(self, x: Any) -> Any:
        torch = self._torch
        points, global_, scale, biases, second_scale, last, passing = self._policy
        pooled = self._pooled(_activated(torch, _convolved(torch, x, global_), scale))
        found = _convolved(torch, x, points) + (pooled @ biases)[:, :, None, None]
        logits = _convolved(torch, _activated(torch, found, second_scale), last)
        return torch.cat([logits.flatten(1), pooled @ passing], 1)

    def _values(self, x: Any) -> tuple[Any, Any, Any]:
        torch = self._torch
        first, scale, second, bias, _, third, value_bias, scores, score_bias, owners = self._value
        v = _activated(torch, _convolved(torch, x, first), scale)
        means, side = v.mean((2, 3)), math.sqrt(x.shape[2] * x.shape[3]) - USUAL_SIDE
        pooled = torch.cat([means, means * (side * 0.1), means * (side * side * 0.01 - 0.1)], 1)
        h = torch.relu(pooled @ second + bias)
        win, _, no_result = torch.softmax(h @ third + value_bias, 1).unbind(1)
        lead = (h @ scores + score_bias)[:, LEAD] * (SCORE_SCALE / SCORE_UNIT)
        return win + 0.5 * no_result, lead, torch.tanh(_convolved(torch, v, owners).flatten(1))


def _convolved(torch: ModuleType, x: Any, weight: Any) -> Any:
    return torch.nn.functional.conv2d(x, weight, padding="same")


def _activated(torch: ModuleType, x: Any, scale: tuple[Any, Any]) -> Any:
    """Return relu of `x`, its channels times the first of `scale` plus the second."""
    return torch.addcmul(scale[1], x, scale[0]).relu_()


class _Reader:
    """Reads the layers of a file one after the other."""

    def __init__(self, torch: ModuleType, data: bytes) -> None:
        self._torch, self._data, self._at = torch, data, 0

    def word(self) -> str:
        """Return the next word."""
        parts = self._data[self._at : self._at + 1000].split(maxsplit=1)
        begin = self._data.index(parts[0], self._at)
        self._at = begin + len(parts[0])
        return parts[0].decode("ascii")

    def words(self, count: int) -> list[str]:
        """Return so many words."""
        return [self.word() for _ in range(count)]

    def _floats(self, *shape: int) -> Any:
        begin, count = self._data.index(MARK, self._at) + len(MARK), math.prod(shape)
        found: NDArray[np.float32] = np.frombuffer(self._data, "<f4", count, begin)
        self._at = begin + found.nbytes
        return self._torch.from_numpy(found.astype(np.float32).reshape(shape))

    def convolution(self) -> Any:
        """Return weights, shape (outputs, inputs, rows, columns)."""
        rows, columns, inputs, outputs, *dilation = map(int, self.words(7)[1:])
        if dilation != [1, 1]:
            raise ValueError(f"dilation {dilation}")
        weights = self._floats(rows, columns, inputs, outputs).permute(3, 2, 0, 1)
        return weights.contiguous(memory_format=self._torch.channels_last)

    def matrix(self) -> Any:
        """Return a matrix, shape (inputs, outputs)."""
        return self._floats(*map(int, self.words(3)[1:]))

    def row(self) -> Any:
        """Return as many numbers as the file tells."""
        return self._floats(int(self.words(2)[1]))

    def scale(self) -> tuple[Any, Any]:
        """Return factors and summands of a normalisation, shape (channels, 1, 1); skip the relu behind it."""
        _, count, epsilon, scaled, biased = self.words(5)
        mean, variance = self._floats(int(count)), self._floats(int(count))
        factor = 1 / self._torch.sqrt(variance + float(epsilon))
        if int(scaled):
            factor = factor * self._floats(int(count))
        summand = -mean * factor
        if int(biased):
            summand = summand + self._floats(int(count))
        self.word()
        return factor[:, None, None], summand[:, None, None]
