"""Learn the weights of an evaluation from games of self-play, by logistic regression of results on features.

With --net, the weights stay, and a net is trained that corrects the evaluation.

Some games are held out and only judge the fit. Rows of weights (rule sets or phases) without data, and
features that never occur, keep the base weights. The same games and options make the same file; see
docs/tuning.md for the file and the report.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.apps.cli.tuning import fit_report
from tengen.engine.errors import OptionError
from tengen.engine.storage.files import without_links
from tengen.protocol.arguments import (
    Options,
    flag_of,
    int_in_range,
    non_negative_int,
    number_in_range,
    operand,
    option,
    positive_int,
    require_target,
    share,
    switch,
)

if TYPE_CHECKING:
    from tqdm import tqdm

    from tengen.engine.spec import GameSpec
    from tengen.engine.weights import Weights
    from tengen.tuning.learn.fit import Fit

EXAMPLES = """examples:
  tengen fit --game gipf:tournament games more-games --base best.npz --out candidate.npz
  one round of learning:
  tengen selfplay --game dvonn --games 10000 --out dvonn-games
  tengen fit --game dvonn dvonn-games --out candidate.npz --plot candidate.png
  tengen gate --game dvonn --new candidate.npz
  train a net:
  tengen fit --game dvonn dvonn-games --net --out candidate.npz
  train one of five in a row by a teacher:
  tengen fit --game gomoku games --net --teacher 12 --epochs 40 --device cuda --out candidate.npz
  learn which moves are played in records of Go:
  tengen fit --game go records --out gammas.npz"""
CHECKPOINT = ".checkpoint"  # behind the name of the file for the weights
OF_LINEAR_FITS = ("prior", "scale", "proven")
OF_NETS = ("epochs", "further", "teacher", "blocks", "channels")
OF_EVALUATIONS = ("base", "score_share", "scale", "proven", "device", *OF_NETS)
MIN_POSITIVE = 1e-9
DEVICES = ("cpu", "cuda")


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The options of ``tengen fit``."""

    data: Sequence[Path] = operand(
        "folders and shards of tengen selfplay; of Go: SGF files, and folders of them",
        "DATA",
        Path,
        nargs="+",
    )
    game: str = option("the game that was played, such as gipf:tournament", "SPEC", required=True)
    out: Path = option("file for the new weights; replaced", "FILE", Path, required=True)
    base: str | None = option("base weights (default: the shipped ones)", "FILE")
    held_out: float = option(
        "share of games that are held out (default: 0.1)",
        "SHARE",
        number_in_range(MIN_POSITIVE, 1 - MIN_POSITIVE),
        default=0.1,
    )
    seed: int = option("seed that selects them (default: 1)", "N", non_negative_int, default=1)
    score_share: float | None = option(
        "share of the search's score in the targets; the rest is the result (default: 0.1; net: 0.4)",
        "SHARE",
        share,
    )
    prior: float | None = option(
        "strength of the prior: a base weight counts as much as N games (default: 1)",
        "N",
        number_in_range(MIN_POSITIVE, 1e12),
    )
    scale: float | None = option(
        "logistic scale in centi-points (default: keeps values as large as the base's)",
        "N",
        number_in_range(1, 1e6),
    )
    proven: bool = option(
        "leave out positions with a proven result",
        default=True,
        action="store_false",
        flag="--no-proven",
    )
    least: int | None = option(
        "in Go: how often a pattern must have been played to be known (default: 10)", "N", positive_int
    )
    net: bool = switch("train the net of the base on games of self-play; needs tengen[nets]")
    epochs: int | None = option(
        "how often a net learns from all positions (default: 5)", "N", int_in_range(1, 1000)
    )
    further: bool = switch("begin with the net of the base, which learns more slowly")
    teacher: int | None = option(
        "first train a convolutional net that often; the net learns what it says (five in a row)",
        "EPOCHS",
        int_in_range(1, 1000),
    )
    blocks: int | None = option(
        "residual blocks of a convolutional net (default: the base's); with --further, it may grow",
        "N",
        positive_int,
    )
    channels: int | None = option("channels of such a net (default: the base's)", "N", positive_int)
    device: str | None = option("with --teacher: where nets are calculated (default: cpu)", choices=DEVICES)
    plot: Path | None = option("draw the fit to a *.png or *.svg file; needs tengen[plot]", "FILE", Path)
    json: bool = switch("print the report as one JSON object")


def run(options: Arguments) -> int:
    """Read the games, fit, write the weights, and report."""
    from tengen.apps.review.pages import plot
    from tengen.engine.spec import GameSpec
    from tengen.engine.weights import read_weights
    from tengen.tuning.learn.features import evaluation_of

    require_output(options)
    if options.plot:
        plot.require(options.plot)
    game = GameSpec.parse(options.game)
    if game.game.offers("moves") and not options.net:
        found, table = fit_moves(options, game)
    else:
        if options.device and not options.teacher:
            raise OptionError("--device requires --teacher")
        refuse(options, ("least",), f"{{flag}}: expected a game that learns moves, got {game.game.name}")
        evaluation = evaluation_of(game.game)
        base = read_weights(game.game, options.base) or evaluation.shipped()
        found, table = (fit_net if options.net else fit_weights)(options, game, base)
    report = {"game": found.report["game"], "out": str(options.out), **found.report}
    print(json.dumps(report, ensure_ascii=False) if options.json else table(report))
    return 0


Found = tuple["Fit", Callable[[dict[str, Any]], str]]  # what a fit has found, and what tells its report


def fit_weights(options: Arguments, game: GameSpec, base: Weights) -> Found:
    """Fit the weights of an evaluation, and write them."""
    from tengen.apps.cli.tuning import plots
    from tengen.tuning.learn.fit import FitSettings, Losses, fit
    from tengen.tuning.learn.samples import load

    refuse(options, OF_NETS, "{flag} requires --net")
    chosen = given(options, "score_share", "prior", "scale")
    settings = FitSettings(game, base, options.seed, options.held_out, proven=options.proven, **chosen)
    with progress_bar("file") as bar:

        def on_step(losses: Losses) -> None:
            bar.set_description(f"loss {losses['train']:.5f}, held out {losses['held_out']:.5f}")

        held_out = settings.held_out, settings.seed
        data = load(game, options.data, *held_out, settings.proven, partial(advance, bar))
        found = fit(settings, data, on_step)
    found.weights.save(options.out)
    if options.plot:
        plots.write(options.plot, settings, found)
    return found, fit_report.of_weights


def fit_net(options: Arguments, game: GameSpec, base: Weights) -> Found:
    """Train a net, and write weights with it."""
    from tengen.apps.cli.tuning import plots
    from tengen.engine.nets.convolution import ConvolutionShape
    from tengen.tuning.learn import distillation
    from tengen.tuning.learn.nets import boards
    from tengen.tuning.learn.nets.board_training import PLAYOUTS, BoardTrainer
    from tengen.tuning.learn.nets.model import CPU, torch_or_error
    from tengen.tuning.learn.nets.training import NetSettings, NetTrainer
    from tengen.tuning.learn.samples import Split, load_inputs

    refuse(options, OF_LINEAR_FITS, "--net: expected no {flag}, which is for linear fits")
    chosen = given(options, "score_share", "epochs", "further", "teacher", "blocks", "channels")
    settings = NetSettings(game, base, options.seed, options.held_out, **chosen)
    convolutional = isinstance(settings.shape, ConvolutionShape)
    device = options.device or CPU
    torch_or_error(device=device)
    if settings.teacher:
        distillation.require_pattern_net(settings)
    if convolutional and options.plot:
        raise OptionError(f"--plot: expected none, since a convolutional net has no plot, got {options.plot}")
    checkpoint = options.out.with_name(options.out.name + CHECKPOINT)
    draw, taught = Split(settings.held_out, settings.seed), bool(settings.teacher)
    data: Any
    trainer: Any
    with progress_bar("it") as bar:
        on_progress = partial(advance, bar)

        def on_epoch(epoch: int, learned: float, held_out: float) -> None:
            bar.set_description(f"epoch {epoch}: loss {learned:.5f}, held out {held_out:.5f}")

        if convolutional:
            data = boards.load(game, options.data, draw, PLAYOUTS, on_progress)
            trainer = BoardTrainer(settings, data, checkpoint)
        else:
            data = load_inputs(game, base, options.data, draw, on_progress, taught)
            trainer = (distillation.Pupil if taught else NetTrainer)(settings, data, checkpoint, device)
        found: Fit = trainer.learn(on_epoch, on_progress).result()
    found.weights.save(options.out)
    if options.plot:
        plots.write_net(options.plot, found.report)
    for path in (checkpoint, distillation.teacher_checkpoint(checkpoint)):
        path.unlink(missing_ok=True)
    return found, fit_report.of_board_net if convolutional else fit_report.of_net


def fit_moves(options: Arguments, game: GameSpec) -> Found:
    """Fit the gammas of moves to records, and write them."""
    from tengen.apps.cli.tuning import plots
    from tengen.tuning.learn.moves import MoveSettings, fit, load

    refuse(
        options, OF_EVALUATIONS, f"{{flag}}: expected none, since {game.game.name} learns moves without --net"
    )
    settings = MoveSettings(game, options.seed, options.held_out, **given(options, "prior", "least"))
    with progress_bar("file") as bar:

        def on_round(number: int, loss: float) -> None:
            bar.set_description(f"round {number}: loss held out {loss:.5f}")

        records = load(game.game, options.data, settings.held_out, settings.seed, partial(advance, bar))
        found = fit(settings, records, on_round)
    found.weights.save(options.out)
    if options.plot:
        plots.write_moves(options.plot, found.report)
    return found, fit_report.of_moves


def require_output(options: Arguments) -> None:
    """Raise OptionError if ``--out`` cannot be written, is among the games, or equals ``--plot``."""
    require_target(options.out)
    out = without_links(options.out)
    if options.plot and without_links(options.plot) == out:
        raise OptionError(f"--plot: expected another file than --out, got {options.plot}")
    for path in options.data:
        if without_links(path) in (out, out.parent):
            raise OptionError(f"--out: expected a file that is not among the games, got {options.out}")


def given(options: Arguments, *names: str) -> dict[str, Any]:
    """Return those of the options that were given; others are for the fit to choose."""
    values = {name: getattr(options, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def refuse(options: Arguments, names: Sequence[str], message: str) -> None:
    """Raise OptionError with `message` about the first of the options `names` that was given, ``{flag}``."""
    for name in names:
        if getattr(options, name) != getattr(Arguments, name):
            raise OptionError(message.format(flag=flag_of(options, name)))


def progress_bar(unit: str) -> tqdm[Any]:
    """Return a progress bar that counts units and shows losses; nothing if stderr is not a terminal."""
    from tqdm import tqdm

    return tqdm(unit=unit, disable=not sys.stderr.isatty())


def advance(bar: tqdm[Any], number: int, total: int) -> None:
    """Show that `number` of `total` units are done; one that is not greater begins another count."""
    if number <= bar.n:
        bar.reset()
    bar.total = total
    bar.update(number - bar.n)
