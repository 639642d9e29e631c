"""Checkpoints of a training: its tensors, the moments of Adam, and the losses so far."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import TengenError
from tengen.engine.storage.files import replace_file
from tengen.engine.storage.npz import ONE_NUMBER, ONE_TEXT, ArchiveError, Limit, pack, unpack

MOMENTS = ("exp_avg", "exp_avg_sq")  # of the shape of their tensor; beside them is the number of steps
STEP = "step"


class TrainingError(TengenError):
    """A checkpoint that belongs to another training."""


def write_checkpoint(
    path: Path, identity: str, epoch: int, history: NDArray[np.float64], tensors: Mapping[str, Any], adam: Any
) -> None:
    """Write everything that a later run needs to go on.

    Parameters
    ----------
    path : Path
    identity : str
        Hash of everything that decides what is learned.
    epoch : int
        Epochs done.
    history : ndarray
        Their losses, a row for each.
    tensors : mapping of str to torch.Tensor
        By name; those that require a gradient are learned.
    adam : torch.optim.Optimizer
        Adam, or a kind of it.
    """
    state = {"identity": np.array(identity), "epoch": np.array(epoch), "history": history}
    for name, tensor in tensors.items():
        state[f"parameter_{name}"] = tensor.detach().cpu().numpy()
        if tensor.requires_grad:
            moments = adam.state[tensor]
            state |= {f"{kind}_{name}": moments[kind].cpu().numpy() for kind in (STEP, *MOMENTS)}
    replace_file(path, pack(state))


def read_checkpoint(
    path: Path, identity: str | None, losses: tuple[int, int], tensors: Mapping[str, Any], adam: Any
) -> tuple[int, NDArray[np.float64]]:
    """Take over tensors and moments from a checkpoint; return the epochs done and the history.

    Parameters
    ----------
    losses : tuple of (int, int)
        Greatest number of rows of the history, and their length.
    path, identity, tensors, adam
        As for `write_checkpoint`; tensors and moments are changed in place. Without an identity, that of the
        checkpoint does not matter.

    Raises
    ------
    TrainingError
        If the checkpoint is damaged, or belongs to another training.
    """
    try:
        state = unpack(path, _limits(losses, tensors))
        if identity is not None and str(state["identity"]) != identity:
            raise TrainingError(
                f"{path}: expected a checkpoint of the same data and options, got another; remove it"
            )
        if (length := state["history"].shape[1]) != losses[1]:
            raise ArchiveError(f"history: expected {losses[1]} losses a row, got {length}")
        for name, tensor in tensors.items():
            for kind in ("parameter", *(MOMENTS if tensor.requires_grad else ())):
                if (shape := state[f"{kind}_{name}"].shape) != tuple(tensor.shape):
                    raise ArchiveError(f"{name}: expected shape {tuple(tensor.shape)}, got {shape}")
            tensor.data.copy_(tensor.new_tensor(state[f"parameter_{name}"]))
            if tensor.requires_grad:
                kinds = (STEP, *MOMENTS)
                adam.state[tensor] = {kind: tensor.new_tensor(state[f"{kind}_{name}"]) for kind in kinds}
        return int(state["epoch"]), state["history"]
    except (ArchiveError, KeyError) as error:
        raise TrainingError(f"{path}: expected a checkpoint, got something else ({error})") from None


def _limits(losses: tuple[int, int], tensors: Mapping[str, Any]) -> dict[str, Limit]:
    """Return what the arrays of a checkpoint may be."""
    limits = {"identity": ONE_TEXT, "epoch": ONE_NUMBER, "history": Limit("f8", losses)}
    for name, tensor in tensors.items():
        array = tensor.detach().cpu().numpy()
        limits |= {f"{kind}_{name}": Limit(array.dtype, array.shape) for kind in ("parameter", *MOMENTS)}
        limits[f"{STEP}_{name}"] = Limit("f4", ())
    return limits
