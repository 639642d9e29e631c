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
    """The settings of a run."""

    game: GameSpec  # with options other than size and komi
    base: Weights  # what the weights files hold beside the net
    shares: Mapping[int, float]  # of the work, by board size, in points that the net sees
    seconds: float  # for everything
    blocks: int = 6  # of the net that plays
    channels: int = 64  # of the net that plays
    points: int = 20_000  # of the boards whose games are searched together
    capacity: int = 20_000_000  # points of the boards that are kept for learning, for each size
    seed: int = 1
    device: str = CPU  # as PyTorch calls it
    threads: int = 1  # that search
    base_run: Path | None = None  # folder of a run with nets of the same shapes, as which these begin
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
