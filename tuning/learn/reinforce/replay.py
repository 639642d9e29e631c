"""The latest positions of self-play, kept where the net is trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.storage.npz import ArchiveError, Limit, pack, unpack
from tengen.tuning.learn.nets.model import CPU
from tengen.tuning.learn.visits.data import BoardSamples

MAX_KEPT = 100_000  # positions in a file


@dataclass(frozen=True, eq=False)
class Positions:
    """Positions that were searched, for the side to move.

    Attributes
    ----------
    bits : ndarray
        int16, shape (positions, points): what the net sees of each point, a bit for each plane.
    about : ndarray
        float32, shape (positions, numbers about a position).
    target : ndarray
        float32, shape (positions, points + 1): the improved policy.
    rate : ndarray
        float32: value of the search, from 0 to 1.
    result : ndarray
        float32: 1 a won game, 0 a lost one, 0.5 a draw.
    margin : ndarray
        float32, in points.
    known : ndarray
        float32: 1 if margin and owners are those of the end of the game, else 0.
    owners : ndarray
        int8, shape (positions, points): 1 own, -1 the other side's.
    """

    bits: NDArray[np.int16]
    about: NDArray[np.float32]
    target: NDArray[np.float32]
    rate: NDArray[np.float32]
    result: NDArray[np.float32]
    margin: NDArray[np.float32]
    known: NDArray[np.float32]
    owners: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.rate)

    @classmethod
    def of(cls, samples: BoardSamples) -> Positions:
        """Return positions of games that a search has chosen the turns of."""
        shifts = np.arange(samples.planes.shape[2], dtype=np.int32)
        bits = (samples.planes.astype(np.int32) << shifts).sum(2)
        known = np.ones(len(samples), np.float32)
        return cls(
            bits.astype(np.uint16).view(np.int16),
            samples.about,
            samples.policy,
            samples.rates,
            samples.results,
            samples.margins,
            known,
            np.round(samples.owners).astype(np.int8),
        )

    def pack(self) -> bytes:
        """Return the bytes of an npz file with these positions; policies have half precision."""
        arrays = {f.name: getattr(self, f.name) for f in fields(self)}
        return pack({**arrays, "target": self.target.astype(np.float16)})

    @classmethod
    def read(cls, path: Path, size: int, globals: int) -> Positions:
        """Return the positions in a file that `pack` made, of boards of this size.

        Raises
        ------
        ArchiveError
            If it is not such a file.
        """
        most = MAX_KEPT, size * size
        shapes = {"bits": ("i2", most), "owners": ("i1", most), "target": ("f2", (MAX_KEPT, most[1] + 1))}
        shapes |= {"about": ("f4", (MAX_KEPT, globals))}
        limits = {f.name: Limit(*shapes.get(f.name, ("f4", (MAX_KEPT,)))) for f in fields(cls)}
        arrays = unpack(path, limits)
        count = len(arrays.get("rate", ()))
        for name, limit in limits.items():
            expected = (count, *limit.most[1:])
            if name not in arrays or arrays[name].shape != expected:
                raise ArchiveError(f"{path}: {name}: expected numbers of {count} positions of {size}x{size}")
        return cls(**{**arrays, "target": arrays["target"].astype(np.float32)})

    @classmethod
    def joined(cls, parts: Sequence[Positions]) -> Positions:
        """Return all positions of `parts`, of which there is at least one."""
        return cls(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls)))


class Replay:
    """A ring of positions on one board size, in tensors of a device.

    Parameters
    ----------
    torch : module
    device : str
    size : int
        Points on a side.
    globals : int
        Numbers about a position.
    capacity : int
        Positions that are kept.
    """

    def __init__(self, torch: ModuleType, device: str, size: int, globals: int, capacity: int) -> None:
        self.size, self.capacity = size, capacity
        self.seen = 0  # positions that were ever added
        self._torch, self._device = torch, device
        points = size * size
        shapes = {
            "bits": (torch.int16, (points,)),
            "about": (torch.float32, (globals,)),
            "target": (torch.float16, (points + 1,)),
            "rate": (torch.float32, ()),
            "result": (torch.float32, ()),
            "margin": (torch.float32, ()),
            "known": (torch.float32, ()),
            "owners": (torch.int8, (points,)),
        }
        self._tensors = {
            name: torch.zeros((capacity, *shape), dtype=kind, device=device)
            for name, (kind, shape) in shapes.items()
        }

    def __len__(self) -> int:
        return min(self.seen, self.capacity)

    def forget(self, count: int) -> None:
        """Forget the first `count` positions, if none of them has been replaced yet."""
        if self.seen <= self.capacity:
            for tensor in self._tensors.values():
                tensor[: self.seen - count] = tensor[count : self.seen].clone()
            self.seen -= count

    def add(self, positions: Positions) -> None:
        """Add positions; the oldest ones are forgotten."""
        count = min(len(positions), self.capacity)
        at = self._moved(np.arange(self.seen, self.seen + count) % self.capacity)
        for name, tensor in self._tensors.items():
            tensor[at] = self._moved(getattr(positions, name)[:count]).to(tensor.dtype)
        self.seen += count

    def _moved(self, array: NDArray[Any]) -> Any:
        """Return an array as a tensor of the device, without waiting for what the device does."""
        tensor = self._torch.from_numpy(np.ascontiguousarray(array))
        return tensor if self._device == CPU else tensor.pin_memory().to(self._device, non_blocking=True)

    def some(self, count: int) -> Positions:
        """Return at most `count` random positions."""
        tensors = self.sample(min(count, len(self)))
        arrays = {name: tensor.cpu().numpy() for name, tensor in tensors.items()}
        return Positions(**{**arrays, "target": arrays["target"].astype(np.float32)})

    def sample(self, count: int) -> dict[str, Any]:
        """Return random positions as tensors, by the names of `Positions`."""
        chosen = self._torch.randint(len(self), (count,), device=self._device)
        return {name: tensor[chosen] for name, tensor in self._tensors.items()}
