"""One run of learning by self-play: games, training, and a device that both share.

The net that plays learns from the latest positions of its own games. Smaller nets learn from the same
positions, one for each board size, of the shape that the game ships. At the end games stop, and all learn on
for a while. Searches of several groups of games are under way at a time, so that processors and device wait
little for each other.
"""

import random
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from tengen.engine.errors import OptionError
from tengen.engine.nets.convolution import ConvolutionShape
from tengen.engine.nets.correction import Net
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import replace_file
from tengen.engine.weights import Weights
from tengen.tuning.learn.nets.board_training import HEADS, SEARCH
from tengen.tuning.learn.nets.boards import BoardSamples
from tengen.tuning.learn.nets.model import CPU, torch_or_error
from tengen.tuning.learn.reinforce.learner import Learner, Player, nearest_size
from tengen.tuning.learn.reinforce.pool import EFFORTS, MAX_KEPT, Effort, Pool, Replay
from tengen.tuning.learn.trainer import TrainingError, learning_rate
from tengen.tuning.version import engine_version, fingerprint

# Files of a run: what the net that plays goes on from; by board size what the smaller net goes on from, its
# weights, those when it has learned on, those when it serves other boards and komis, and the latest positions
PLAYING, CHECKPOINT = "playing.checkpoint", "net-{}.checkpoint"
NET, TAUGHT, WIDE, POSITIONS = "net-{}.npz", "taught-{}.npz", "wide-{}.npz", "positions-{}.npz"

TOP_RATE = 3e-3  # of learning
BASE_RATE = 0.5  # times that for nets that begin as those of another run
WARM_UP = 0.01  # share of the time in which the rate rises
FIRST, LAST = 0.02, 0.1  # shares of the time: before the games, if positions are given, and after them
STUDENTS_FROM = 0.3  # share of the time from which on the smaller nets learn
BATCHES = 0.5  # points of a batch that is learned from, for each point that the net is asked about
LEAST_BATCHES = 4  # batches that must be there before the first one is learned from
UPDATE_SECONDS, WRITE_SECONDS = 2.0, 60.0  # between two nets that play, and two checkpoints
SHARE = 0.5  # of the nets in the value of a leaf, in the files
GROUPS = 2  # of games for each size
SUMS = (*HEADS, "entropy")  # parts of the loss, and the entropy of the policies that are learned from
REUSE = 2.5  # how often a position is learned from


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


@dataclass
class SizeCounts:
    """What was done on boards of one size, and the mean losses of late."""

    simulations: int = 0
    games: int = 0
    positions: int = 0  # that were searched and can be learned from
    steps: int = 0  # batches that the net that plays has learned from
    # Losses of the net that plays and of the smaller one by the names in `SUMS`
    playing: dict[str, float] = field(default_factory=dict)
    student: dict[str, float] = field(default_factory=dict)


@dataclass(eq=False)
class SizeRun:
    """What a run does on boards of one size."""

    size: int  # points on a side
    share: float  # of the work
    batch: int  # positions that are learned from at once
    student: Learner  # the smaller net
    player: Player  # the net that plays
    replay: Replay
    given: int = 0  # positions in the replay that were given, until they have done their part
    pools: list[Pool] = field(default_factory=list)  # of games, searched in turn
    ended: list[BoardSamples] = field(default_factory=list)  # of finished games, not in the replay yet
    begun: int = 0  # searches
    asked: float = 0.0  # points of boards that the net was asked about
    learned: float = 0.0  # points of boards that it has learned from
    due: float = 0.0  # positions to be learned from
    counts: SizeCounts = field(default_factory=SizeCounts)

    def keep(self, positions: BoardSamples | None, least: float) -> None:
        """Put positions of games that have ended into the replay, as soon as there are `least` of them."""
        if positions:
            self.ended.append(positions)
        if not self.ended or sum(map(len, self.ended)) < least:
            return
        positions = BoardSamples.joined(self.ended)
        self.ended.clear()
        self.replay.add(positions)
        self.due += len(positions) * REUSE
        if self.given and self.replay.seen > 3 * self.given:
            self.replay.forget(self.given)  # they have done their part
            self.given = 0


class Run:
    """A run, whose folder takes the nets, as weights files, and what a later run goes on from.

    Positions that are `given`, by board size, are learned from before the games begin. `on_progress` is
    called now and then with the share of the time that is over and the counts by board size. Raises
    OptionError without PyTorch, or without the device; TrainingError if the folder holds another run.
    """

    def __init__(
        self,
        settings: RunSettings,
        folder: Path,
        given: Mapping[int, BoardSamples] | None = None,
        on_progress: Callable[[float, Mapping[int, SizeCounts]], None] | None = None,
    ) -> None:
        device = settings.device
        self._torch = torch = torch_or_error(device=device)
        self._settings, self._folder, self._on_progress = settings, folder, on_progress
        self._random = random.Random(settings.seed)
        self._teacher = Learner(torch, device, settings.shape, sorted(settings.shares), settings.seed)
        self.sizes = {size: self._size_run(size, (given or {}).get(size)) for size in sorted(settings.shares)}
        self._top_rate = TOP_RATE * (BASE_RATE if settings.base_run else 1.0)
        if settings.base_run:
            self._begin_as(settings.base_run)
        self._earlier = 0.0  # seconds of an earlier run, if its checkpoints are there
        for path, learner in self._checkpoints().items():
            if path.exists():
                self._earlier = learner.restore(path, settings.identity)
        self._started = time.monotonic()

    def _size_run(self, size: int, given: BoardSamples | None) -> SizeRun:
        """Return what begins on boards of this size, with the positions that are given for it."""
        torch, settings = self._torch, self._settings
        device, shape = settings.device, settings.student
        found = SizeRun(
            size,
            settings.shares[size],
            max(16, round(BATCHES * settings.points) // size**2),
            Learner(torch, device, shape, [size], settings.seed + size, self._teacher),
            Player(torch, device, settings.shape),
            Replay(torch, device, size, shape.globals, settings.capacity // size**2),
        )
        if given:
            found.replay.add(given)
            found.given = len(given)
        return found

    @property
    def seconds(self) -> float:
        """Time spent, that of earlier runs included."""
        return self._earlier + time.monotonic() - self._started

    @property
    def progress(self) -> float:
        """Share of the time that is over."""
        return self.seconds / self._settings.seconds

    @property
    def counts(self) -> dict[int, SizeCounts]:
        """What was done, by board size."""
        return {size: found.counts for size, found in self.sizes.items()}

    def run(self) -> None:
        """Play, learn, and write the nets."""
        self._folder.mkdir(parents=True, exist_ok=True)  # before the time is spent
        with ExitStack() as stack, ThreadPoolExecutor(self._settings.threads) as threads:
            stack.callback(sys.setswitchinterval, sys.getswitchinterval())
            sys.setswitchinterval(2e-4)  # threads that search need the interpreter's lock to begin
            given = [found for found in self.sizes.values() if found.given]
            for found in given if self.progress < FIRST else ():
                self.learn(found)  # a device records the steps before other threads use it
            with ThreadPoolExecutor(1) as maker:
                made = maker.submit(self._make_pools, threads)
                while given and self.progress < FIRST:
                    self.learn(min(given, key=_learned))
                made.result()
            if self.progress < 1.0 - LAST:
                self._play()
            while self.progress < 1.0 and (able := [s for s in self.sizes.values() if len(s.replay)]):
                self.learn(min(able, key=_learned))
        self._report()
        self.write()
        for size, found in self.sizes.items():
            if len(found.replay):
                replace_file(self._folder / POSITIONS.format(size), found.replay.some(MAX_KEPT).pack())

    def _make_pools(self, threads: ThreadPoolExecutor) -> None:
        """Make the games, which compiles their kernels."""
        settings = self._settings
        for size, found in self.sizes.items():
            games = max(settings.threads, settings.points // size**2)
            effort = Effort(size, games, *EFFORTS[min(limit for limit in EFFORTS if limit >= size)])
            for number in range(GROUPS):
                seed = (settings.seed * GROUPS + number) * settings.student.max_size + size
                found.pools.append(
                    Pool(settings.game, effort, seed, threads, settings.threads, self._torch, settings.device)
                )

    def _play(self) -> None:
        """Play games and learn from them until the last part of the time."""
        self._update()
        updated = written = self.seconds
        overlaps = self._settings.device != CPU  # else searches and net would need the same processors
        size, pool = self._begin_search()
        while self.progress < 1.0 - LAST:
            pool.finish()
            following = self._begin_search() if overlaps else None
            pool.ask(size.player, self._random.randrange(8))
            size.keep(pool.ended(), size.batch / 4)  # few copies to the device
            ready = (s for s in self.sizes.values() if len(s.replay) >= LEAST_BATCHES * s.batch)
            if able := [s for s in ready if s.due >= s.batch]:
                chosen = self._random.choice(able)
                self.learn(chosen)
                chosen.due -= chosen.batch
            now = self.seconds
            if now > updated + UPDATE_SECONDS:
                self._update()
                self._report()
                updated = now
            if now > written + WRITE_SECONDS:
                self.write()
                written = now
            size, pool = following or self._begin_search()
        pool.finish()

    def _begin_search(self) -> tuple[SizeRun, Pool]:
        """Begin the next search on boards of the size that is most behind its share."""
        size = min(self.sizes.values(), key=lambda found: found.asked / found.share)
        pool = size.pools[size.begun % len(size.pools)]
        size.begun += 1
        size.asked += pool.effort.games * size.size**2
        size.counts.simulations += pool.effort.games
        pool.begin()
        return size, pool

    def learn(self, size: SizeRun) -> None:
        """Learn from one batch of positions of this size."""
        progress, count, replay = self.progress, size.batch, size.replay
        rate = learning_rate(self._top_rate, min(1.0, progress), WARM_UP)
        self._teacher.learn(replay, count, rate, self._random.randrange(8))
        if progress > 1.0 - LAST or (progress > STUDENTS_FROM and self._teacher.steps[size.size] % 2):
            size.student.learn(replay, count, rate, self._random.randrange(8))
        size.learned += count * size.size**2

    def _report(self) -> None:
        """Bring the counts up to date."""
        for size, found in self.sizes.items():
            counts = found.counts
            counts.games = sum(pool.finished for pool in found.pools)
            counts.positions = found.replay.seen
            counts.steps = self._teacher.steps[size]
            for known, learner in ((counts.playing, self._teacher), (counts.student, found.student)):
                if means := learner.losses(size):
                    known |= dict(zip(SUMS, means, strict=True))
        if self._on_progress:
            self._on_progress(min(1.0, self.progress), self.counts)

    def _update(self) -> None:
        """Let the games be played by the net as it is now."""
        for size, found in self.sizes.items():
            found.player.update(self._teacher.numbers(size))

    # -------------------------------------------------------------------------------------------- files

    def path(self, size: int) -> Path:
        """Return the weights file with the net for boards of this size."""
        return self._folder / NET.format(size)

    def write(self) -> None:
        """Write the nets as they are now, and what a later run goes on from."""
        for path, learner in self._checkpoints().items():
            if any(learner.steps.values()):
                learner.save(path, self._settings.identity, self.seconds)
        for size, found in self.sizes.items():
            self._weights(found).save(self.path(size))

    def _checkpoints(self) -> dict[Path, Learner]:
        files = {PLAYING: self._teacher}
        files |= {CHECKPOINT.format(size): found.student for size, found in self.sizes.items()}
        return {self._folder / name: learner for name, learner in files.items()}

    def _begin_as(self, folder: Path) -> None:
        """Take over what the nets of another run have learned, each of those for the size that is nearest."""
        torch, settings = self._torch, self._settings
        names = (path.stem.partition("-")[2] for path in folder.glob("net-*.checkpoint"))
        known = sorted(int(name) for name in names if name.isdecimal())
        if not known:
            raise TrainingError(f"{folder}: expected the folder of another run, got none of its nets")

        def earlier(path: Path, shape: ConvolutionShape, sizes: list[int]) -> Learner:
            learner = Learner(torch, settings.device, shape, sizes, settings.seed)
            learner.restore(path, None)
            return learner

        self._teacher.begin_as(earlier(folder / PLAYING, settings.shape, known))
        for size, found in self.sizes.items():
            nearest = nearest_size(known, size)
            found.student.begin_as(earlier(folder / CHECKPOINT.format(nearest), settings.student, [nearest]))

    def _weights(self, found: SizeRun) -> Weights:
        """Return the base with the smaller net for boards of one size."""
        size, counts = found.size, found.counts
        used = {
            "share": np.array([SHARE], np.float32),
            "search": np.array(SEARCH, np.float32),
            "sizes": np.array([size, size], np.int32),
            "komis": self._settings.game.game.module("planes").LEARNED_KOMIS,
        }
        origin = {
            "source": "tengen reinforce",
            "engine": engine_version(self._settings.game),
            "seconds": round(self.seconds),
            "games": counts.games,
            "positions": counts.positions,
            "seed": self._settings.seed,
            "playing": f"{self._settings.blocks}x{self._settings.channels}",
        }
        return replace(self._settings.base, net=Net(found.student.numbers(size) | used, origin))


def _learned(size: SizeRun) -> float:
    """Return how far learning on boards of a size has come, by its share."""
    return size.learned / size.share
