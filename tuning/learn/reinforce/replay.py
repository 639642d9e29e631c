"""The latest positions of self-play, kept where the net is trained."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.tuning.learn.nets.model import CPU
from tengen.tuning.learn.visits.data import BoardSamples

MAX_KEPT = 100_000  # positions in a file


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
        BoardSamples that are kept.
    """

    def __init__(self, torch: ModuleType, device: str, size: int, globals: int, capacity: int) -> None:
        self.size, self.capacity = size, capacity
        self.seen = 0  # positions that were ever added
        self._torch, self._device = torch, device
        widths = {"bits": size**2, "about": globals, "policy": size**2 + 1, "owners": size**2}
        self._tensors = {}
        for name, column in BoardSamples.columns().items():
            if not column.optional:
                shape = (capacity, widths[name]) if column.table else (capacity,)
                self._tensors[name] = torch.from_numpy(np.zeros(shape, column.kind)).to(device)

    def __len__(self) -> int:
        return min(self.seen, self.capacity)

    def forget(self, count: int) -> None:
        """Forget the first `count` positions, if none of them has been replaced yet."""
        if self.seen <= self.capacity:
            for tensor in self._tensors.values():
                tensor[: self.seen - count] = tensor[count : self.seen].clone()
            self.seen -= count

    def add(self, positions: BoardSamples) -> None:
        """Add positions; the oldest ones are forgotten."""
        count = min(len(positions), self.capacity)
        at = self._moved(np.arange(self.seen, self.seen + count) % self.capacity)
        for name, tensor in self._tensors.items():
            array = getattr(positions, name)[:count]
            tensor[at] = self._moved(np.round(array) if name == "owners" else array).to(tensor.dtype)
        self.seen += count

    def _moved(self, array: NDArray[Any]) -> Any:
        """Return an array as a tensor of the device, without waiting for what the device does."""
        tensor = self._torch.from_numpy(np.ascontiguousarray(array))
        return tensor if self._device == CPU else tensor.pin_memory().to(self._device, non_blocking=True)

    def some(self, count: int) -> BoardSamples:
        """Return at most `count` random positions."""
        arrays = {name: tensor.cpu().numpy() for name, tensor in self.sample(min(count, len(self))).items()}
        floats = {name: arrays[name].astype(np.float32) for name in ("policy", "owners")}
        return BoardSamples(**{**arrays, **floats, "playouts": np.zeros(len(arrays["rates"]), np.float32)})

    def sample(self, count: int) -> dict[str, Any]:
        """Return random positions as tensors, by the names of `BoardSamples`."""
        chosen = self._torch.randint(len(self), (count,), device=self._device)
        return {name: tensor[chosen] for name, tensor in self._tensors.items()}
