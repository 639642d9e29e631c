"""Settings of a run of learning by self-play, and the files in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tengen.engine.errors import OptionError
from tengen.engine.nets.convolution import ConvolutionShape
from tengen.engine.spec import GameSpec
from tengen.engine.weights import Weights
from tengen.tuning.identity import fingerprint
from tengen.tuning.learn.nets.model import CPU

# Files of a run: what the net that plays goes on from; by board size what the smaller net goes on from, its
# weights, those when it has learned on, those when it serves other boards and komis, and the latest positions
PLAYING, CHECKPOINT = "playing.checkpoint", "net-{}.checkpoint"
NET, TAUGHT, WIDE, POSITIONS = "net-{}.npz", "taught-{}.npz", "wide-{}.npz", "positions-{}.npz"


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run.

    Attributes
    ----------
    game : GameSpec
        Its game, with options other than size and komi.
    base : Weights
        What the weights files hold beside the net.
    shares : mapping of int to float
        By board size its share of the work, in points that the net sees.
    seconds : float
        For everything.
    blocks, channels : int
        Of the net that plays.
    points : int
        Points of the boards whose games are searched together.
    capacity : int
        Points of the boards that are kept for learning, for each size.
    seed : int
    device : str
        As PyTorch calls it.
    threads : int
        That search.
    base_run : Path, optional
        Folder of another run, with nets of the same shapes: those of this run begin as they are.
    """

    game: GameSpec
    base: Weights
    shares: Mapping[int, float]
    seconds: float
    blocks: int = 6
    channels: int = 64
    points: int = 20_000
    capacity: int = 20_000_000
    seed: int = 1
    device: str = CPU
    threads: int = 1
    base_run: Path | None = None
    student: ConvolutionShape = field(init=False)

    def __post_init__(self) -> None:
        shape = getattr(self.game.game.evaluation, "net", None)
        if not isinstance(shape, ConvolutionShape):
            raise OptionError(f"game: expected one with a convolutional net, got {self.game.game.name}")
        for size in self.shares:
            if not 5 <= size <= shape.max_size:
                raise OptionError(f"--size: expected 5 to {shape.max_size}, got {size}")
        object.__setattr__(self, "student", shape)

    @property
    def shape(self) -> ConvolutionShape:
        """The shape of the net that plays."""
        return replace(self.student, blocks=self.blocks, channels=self.channels)

    @property
    def identity(self) -> str:
        """Hash of what a run that goes on must have in common with the one before."""
        return fingerprint(
            {
                "game": str(self.game),
                "sizes": str(sorted(self.shares)),
                "shapes": str((self.shape, self.student)),
                "seed": str(self.seed),
            }
        )
