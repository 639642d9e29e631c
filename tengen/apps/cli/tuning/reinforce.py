"""Learn nets by self-play alone: a net plays many games at once, and learns from them at the same time.

Smaller nets, of the shape that the game ships, learn beside it: net-9.npz and so on in the folder are weights
files for matches and gates. It is made for a GPU and several cores; a processor does it a hundred times more
slowly. The same command goes on with an interrupted run; one that is over goes on with more --minutes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine.columns import named
from tengen.engine.errors import OptionError
from tengen.protocol.arguments import (
    Options,
    argument,
    int_in_range,
    non_negative_int,
    number_in_range,
    operand,
    option,
    print_resume_command,
    switch,
)
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.numbers import parse_integer, parse_number

if TYPE_CHECKING:
    from tqdm import tqdm

    from tengen.engine.spec import GameSpec
    from tengen.tuning.learn.nets.boards import BoardSamples
    from tengen.tuning.learn.reinforce.run import RunSettings, SizeCounts

EXAMPLES = """examples:
  tengen reinforce --game go --minutes 60 --out nets
  tengen reinforce go-games --game go --size 9=0.3 --size 19=0.7 --minutes 8 --device cuda --out nets
  tengen reinforce --game go --size 13 --base nets --minutes 9 --device cuda --out nets-13
  tengen gate --game go,size=9,komi=7.0,rules=chinese --new nets/net-9.npz --movetime 0.5
  tengen reinforce go-games --game go --teach 30 --out nets
  tengen reinforce --game go --size 13 --widen 10-19 --expand 8 --out nets-13"""
CPU = "cpu"
# By device: games that are searched together on 9x9; positions on 9x9 that are kept
DEVICES = {CPU: (128, 250_000), "cuda": (8192, 4_000_000)}
POINTS = 81  # of that board
HELD_OUT = 0.5  # of the games, which is as good to learn from
RULES_OPTION = "rules"
RULES = ("chinese", "tromp-taylor")  # those by area
BAR = "{l_bar}{bar}| {postfix}"  # progress in percent


def share_of(text: str) -> tuple[int, float]:
    """Return a board size and its share of the work; raise ValueError if `text` has none."""
    size, given, share = text.partition("=")
    return parse_integer("size", size, 1, 99), parse_number("share", share, 0.001, 1000) if given else 1.0


def board_range(text: str) -> tuple[int, int]:
    """Return the smallest and the greatest board size; raise ValueError if `text` has none."""
    low, _, high = text.partition("-")
    return parse_integer("size", low, 2, 25), parse_integer("size", high, int(low), 25)


def _as_given(expected: str, parse: Callable[[str], object]) -> Callable[[str], str]:
    """Return an argparse type for texts that `parse` accepts, which stay as they were given."""

    def keep(text: str) -> str:
        parse(text)
        return text

    return argument(expected, keep)


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The options of ``tengen reinforce``."""

    data: Sequence[Path] = operand(
        "games of tengen selfplay to learn from at first", "DATA", Path, nargs="*", default=()
    )
    game: str = option("go, perhaps with rules: chinese (default) or tromp-taylor", "SPEC", required=True)
    out: Path = option("folder of the nets", "DIR", Path, required=True)
    minutes: float | None = option(
        "time for everything", "N", number_in_range(0.01, 100_000, "a number from 0.01 to 100000")
    )
    teach: int | None = option(
        "instead: when a run is over, its smaller nets learn N times what the net that played "
        "says of positions that the run has kept and of the games given",
        "N",
        int_in_range(1, 10_000),
    )
    widen: str | None = option(
        "instead: let the net for the board size of --size, as it has learned last, serve these board "
        "sizes, both scorings and komis from -8 to 23, without learning more",
        "LOW-HIGH",
        _as_given("board sizes such as 10-19", board_range),
    )
    expand: int | None = option(
        "with --widen: visits after which a search with that net expands a node",
        "VISITS",
        int_in_range(1, 1000),
    )
    size: list[str] | None = option(
        "board size, and its share of the work (default: 9); once for each size",
        "N[=SHARE]",
        _as_given("a size such as 9 or 9=0.5", share_of),
        action="append",
    )
    base: Path | None = option(
        "folder of another run, with nets of the same shapes, on boards of any size: begin as they are",
        "DIR",
        Path,
    )
    device: str = option("where nets are calculated (default: cpu)", choices=DEVICES, default=CPU)
    games: int | None = option(
        "games that are searched together on 9x9, fewer on larger boards (default: 128; cuda: 8192)",
        "N",
        int_in_range(1, 1 << 16),
    )
    blocks: int = option(
        "residual blocks of the net that plays (default: 6)", "N", int_in_range(2, 40), default=6
    )
    channels: int = option(
        "channels of the net that plays (default: 64)", "N", int_in_range(8, 512), default=64
    )
    threads: int | None = option("that search (default: one per core)", "N", int_in_range(1, 256))
    seed: int = option("of all draws (default: 1)", "N", non_negative_int, default=1)
    json: bool = switch("print the report as one JSON object")


def run(options: Arguments) -> int:
    """Play and learn, or do what is asked for instead, and report."""
    if sum(chosen is not None for chosen in (options.minutes, options.teach, options.widen)) != 1:
        raise OptionError("expected one of --minutes, --teach and --widen")
    settings = parse_settings(options)
    work = teach if options.teach else widen if options.widen else learn
    try:
        report, text = work(options, settings)
    except KeyboardInterrupt:
        print_resume_command("reinforce", options)
        return EXIT_INTERRUPTED
    print(json.dumps(report) if options.json else text)
    return 0


def learn(options: Arguments, settings: RunSettings) -> tuple[dict[str, Any], str]:
    """Play and learn; return the report, and the same as text."""
    from tqdm import tqdm

    from tengen.tuning.learn.reinforce.run import Run

    bar = tqdm(total=1.0, disable=not sys.stderr.isatty(), bar_format=BAR)

    def on_progress(done: float, counts: Mapping[int, SizeCounts]) -> None:
        advance(bar, done)
        bar.set_postfix_str("   ".join(f"{size}: {found.games:,} games" for size, found in counts.items()))

    with bar:
        learning = Run(settings, options.out, positions(settings.game, options.data), on_progress)
        try:
            learning.run()
        except KeyboardInterrupt:
            learning.write()
            raise
    report = {
        "game": str(settings.game),
        "seconds": learning.seconds,
        "device": settings.device,
        "sizes": {
            str(size): {**vars(counts), "out": str(learning.path(size))}
            for size, counts in learning.counts.items()
        },
    }
    return report, table(report)


def advance(bar: tqdm[Any], done: float) -> None:
    """Move a bar of a total of 1 on to `done`."""
    bar.update(done - bar.n)


def teach(options: Arguments, settings: RunSettings) -> tuple[dict[str, Any], str]:
    """Let the smaller nets of a run learn on; return the report, and the same as text."""
    from tqdm import tqdm

    from tengen.tuning.learn.reinforce.teaching import Teaching

    given = positions(settings.game, options.data)
    report: dict[str, Any] = {"game": str(settings.game), "sizes": {}}
    rows = [("game", report["game"])]
    for size in settings.shares:
        lesson = Teaching(settings, options.out, size, given.get(size), options.teach or 1)
        label = f"{size}x{size}"
        with tqdm(total=1.0, disable=not sys.stderr.isatty(), bar_format=BAR, desc=label) as bar:
            losses = lesson.run(partial(advance, bar)).origin["taught"]["losses"]
        report["sizes"][str(size)] = {**losses, "out": str(lesson.path)}
        rows.append((label, "   ".join(f"{name} {loss:.3f}" for name, loss in losses.items())))
        rows.append(("kept in", str(lesson.path)))
    return report, "\n".join(named(rows))


def widen(options: Arguments, settings: RunSettings) -> tuple[dict[str, Any], str]:
    """Let the net of a run serve other boards and komis; return the report, and the same as text."""
    from tengen.engine.weights import read_weights
    from tengen.tuning.learn.reinforce.run import NET, TAUGHT, WIDE
    from tengen.tuning.learn.reinforce.teaching import widened

    if len(settings.shares) != 1:
        raise OptionError("--widen requires one --size")
    (size,) = settings.shares
    net, taught, out = (options.out / name.format(size) for name in (NET, TAUGHT, WIDE))
    source = taught if taught.exists() else net
    weights = read_weights(settings.game.game, str(source))
    assert weights
    assert options.widen
    planes = settings.game.game.module("planes")
    found = widened(weights, planes, board_range(options.widen), options.expand)
    found.save(out)
    report = {"from": str(source), "out": str(out), "fingerprint": found.fingerprint}
    return report, f"kept in    {out}   from {source}"


def parse_settings(options: Arguments) -> RunSettings:
    """Return the settings of the run."""
    from tengen.engine.spec import GameSpec
    from tengen.tuning.learn.reinforce.run import RunSettings

    if options.expand and not options.widen:
        raise OptionError("--expand requires --widen")
    game = GameSpec.parse(options.game)
    evaluation = game.game.evaluation
    if evaluation is None:
        raise OptionError(f"game: expected one with a convolutional net, got {game.game.name}")
    sizes = list(map(share_of, options.size or ["9"]))
    shares = dict(sizes)
    if len(shares) < len(sizes):
        raise OptionError("--size: each size can be given once")
    games, kept = DEVICES[options.device]
    return RunSettings(
        by_area(game) if RULES_OPTION in game.values else game,
        evaluation.shipped(),
        shares,
        60 * (options.minutes or 0.0),
        options.blocks,
        options.channels,
        POINTS * (options.games or games),
        POINTS * kept,
        options.seed,
        options.device,
        options.threads or os.cpu_count() or 1,
        options.base,
    )


def by_area(game: GameSpec) -> GameSpec:
    """Return the game with its rules, or the first of `RULES`; refuse options that the run chooses itself."""
    options = game.game.options
    named = {each.name: game.values[each.name] for each in options if game.values[each.name] != each.default}
    rules = named.pop(RULES_OPTION, RULES[0])
    for name, value in named.items():
        raise OptionError(f"--game: expected rules alone, got {name}={value}; sizes are told by --size")
    if rules not in RULES:
        raise OptionError(f"--game: expected rules={' or rules='.join(RULES)}, got rules={rules}")
    return game.with_option(RULES_OPTION, rules)


def positions(game: GameSpec, data: Sequence[Path]) -> dict[int, BoardSamples]:
    """Return the positions of games of self-play by board size; none without games."""
    if not data:
        return {}
    from tengen.tuning.learn.nets.boards import BoardSamples, load
    from tengen.tuning.learn.samples import Split

    found = load(game, data, Split(HELD_OUT, 0), 0)
    parts = [*found.train, *found.held_out]
    return {
        size: BoardSamples.joined([part for part in parts if part.size == size])
        for size in {part.size for part in parts}
    }


def table(report: dict[str, Any]) -> str:
    """Return the report as text."""
    rows = [("game", f"{report['game']}   {report['seconds']:.0f} s on {report['device']}")]
    for size, counts in report["sizes"].items():
        done = f"{counts['games']:,} games   {counts['positions']:,} positions   {counts['steps']:,} batches"
        rows.append((f"{size}x{size}", done))
        for name in ("playing", "student"):
            losses = "   ".join(f"{what} {loss:.3f}" for what, loss in counts[name].items())
            rows.append((name, losses or "has not learned yet"))
        rows.append(("kept in", counts["out"]))
    return "\n".join(named(rows))
