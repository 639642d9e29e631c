"""Learn the weights of an evaluation from games of self-play, by logistic regression of results on features.

With --net, the weights stay, and a net is trained that corrects the evaluation.

Some games are held out and only judge the fit. Rows of weights (rule sets or phases) without data, and
features that never occur, keep the base weights. The same games and options make the same file; see
docs/tuning.md for the file and the report.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.apps.cli.tuning.fit_report import Progress, head_and_losses, print_report, require_teacher
from tengen.engine.errors import OptionError
from tengen.engine.storage.files import without_links
from tengen.protocol.arguments import MAX_COUNT, int_in_range, require_parent_dir
from tengen.protocol.numbers import parse_number

if TYPE_CHECKING:
    from tengen.engine.game import GameSpec
    from tengen.engine.weights import Weights
    from tengen.tuning.learn.fit import Fit, FitSettings, LossPair
    from tengen.tuning.learn.samples import Data

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
MIN_POSITIVE = 1e-9
DEVICES = ("cpu", "cuda")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen fit``."""
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add(
        "data",
        metavar="DATA",
        nargs="+",
        type=Path,
        help="folders and shards of tengen selfplay; of Go: SGF files, and folders of them",
    )
    add("--game", metavar="SPEC", required=True, help="the game that was played, such as gipf:tournament")
    add("--out", metavar="FILE", type=Path, required=True, help="file for the new weights; replaced")
    add("--base", metavar="FILE", help="base weights (default: the shipped ones)")
    add(
        "--held-out",
        metavar="SHARE",
        type=_number("share", MIN_POSITIVE, 1 - MIN_POSITIVE),
        default=0.1,
        help="share of games that are held out (default: 0.1)",
    )
    add(
        "--seed",
        metavar="N",
        type=int_in_range(0, MAX_COUNT),
        default=1,
        help="seed that selects them (default: 1)",
    )
    add(
        "--score-share",
        metavar="SHARE",
        type=_number("share", 0, 1),
        help="share of the search's score in the targets; the rest is the result (default: 0.1; net: 0.4)",
    )
    add(
        "--prior",
        metavar="N",
        type=_number("number", MIN_POSITIVE, 1e12),
        help="strength of the prior: a base weight counts as much as N games (default: 1)",
    )
    add(
        "--scale",
        metavar="N",
        type=_number("number", 1, 1e6),
        help="logistic scale in centi-points (default: keeps values as large as the base's)",
    )
    add(
        "--no-proven",
        dest="proven",
        action="store_false",
        help="leave out positions with a proven result",
    )
    add(
        "--least",
        metavar="N",
        type=int_in_range(1, MAX_COUNT),
        help="in Go: how often a pattern must have been played to be known (default: 10)",
    )
    add(
        "--net",
        action="store_true",
        help="train the net of the base on games of self-play; needs tengen[nets]",
    )
    add(
        "--epochs",
        metavar="N",
        type=int_in_range(1, 1000),
        help="how often a net learns from all positions (default: 5)",
    )
    add("--further", action="store_true", help="begin with the net of the base, which learns more slowly")
    add(
        "--teacher",
        metavar="EPOCHS",
        type=int_in_range(1, 1000),
        help="first train a convolutional net that often; the net learns what it says (five in a row)",
    )
    add("--device", choices=DEVICES, help="with --teacher: where nets are calculated (default: cpu)")
    add("--plot", metavar="FILE", type=Path, help="draw the fit to a *.png or *.svg file; needs tengen[plot]")
    add("--json", action="store_true", help="print the report as one JSON object")


def _number(name: str, low: float, high: float) -> Any:
    """Return an argparse type for numbers from `low` to `high`."""

    def parse(text: str) -> float:
        try:
            return parse_number(name, text, low, high)
        except ValueError:
            expected = f"expected a {name} from {low:g} to {high:g}"
            raise argparse.ArgumentTypeError(f"{expected}, got {text!r}") from None

    return parse


def run(arguments: argparse.Namespace) -> int:
    """Read the games, fit, write the weights, and report."""
    from tengen.apps.cli.tuning import fit_moves as moves
    from tengen.apps.cli.tuning import fit_net as net
    from tengen.apps.cli.tuning import plot_weights
    from tengen.apps.review.pages import plot
    from tengen.engine.game import GameSpec
    from tengen.tuning.learn.fit import fit, read

    require_output(arguments)
    if arguments.plot:
        plot.require(arguments.plot)
    game = GameSpec.parse(arguments.game)
    if game.game.offers("moves") and not arguments.net:
        return moves.run(arguments, game)
    if arguments.least is not None:
        raise OptionError(f"--least: expected a game that learns moves, got {game.game.name}")
    base = base_weights(game, arguments.base)
    if arguments.net:
        return net.run(arguments, game, base)
    if arguments.epochs is not None:
        raise OptionError("--epochs requires --net")
    if arguments.further:
        raise OptionError("--further requires --net")
    if arguments.teacher is not None:
        raise OptionError("--teacher requires --net")
    require_teacher(arguments)
    settings = parse_settings(arguments, game, base)
    with Progress("file") as progress:

        def on_step(losses: LossPair) -> None:
            progress.describe(f"loss {losses.train:.5f}, held out {losses.held_out:.5f}")

        data = read(settings, arguments.data, progress.advance)
        found = fit(settings, data, on_step)
    found.weights.save(arguments.out)
    if arguments.plot:
        plot_weights.write(arguments.plot, found)
    return print_report(arguments, summary(found, data, arguments.out), table)


def require_output(arguments: argparse.Namespace) -> None:
    """Raise OptionError if ``--out`` cannot be written, is among the games, or equals ``--plot``."""
    require_parent_dir(arguments.out)
    out = without_links(arguments.out)
    if arguments.plot and without_links(arguments.plot) == out:
        raise OptionError(f"--plot: expected another file than --out, got {arguments.plot}")
    for path in arguments.data:
        if without_links(path) in (out, out.parent):
            raise OptionError(f"--out: expected a file that is not among the games, got {arguments.out}")


def base_weights(game: GameSpec, file: str | None) -> Weights:
    """Return the weights at which the fit starts: those of `file`, or the shipped ones.

    Raises
    ------
    TengenError
        If the game has nothing to learn, or the file does not hold weights of it.
    """
    from tengen.engine.weights import read_weights

    evaluation = game.game.evaluation
    if evaluation is None:
        raise OptionError(f"game: expected one whose evaluation can be learned, got {game.game.name}")
    return read_weights(game.game, file) or evaluation.shipped()


def parse_settings(arguments: argparse.Namespace, game: GameSpec, base: Weights) -> FitSettings:
    """Return the settings of the fit."""
    from tengen.tuning.learn.fit import FitSettings

    options = {name: getattr(arguments, name) for name in ("score_share", "prior")}
    return FitSettings(
        game,
        base,
        seed=arguments.seed,
        held_out=arguments.held_out,
        scale=arguments.scale,
        proven=arguments.proven,
        **{name: value for name, value in options.items() if value is not None},
    )


def summary(found: Fit, data: Data, path: Path) -> dict[str, Any]:
    """Return the report of a fit for JSON."""
    weights, base = found.weights, found.settings.base
    return {
        "game": str(found.settings.game),
        "out": str(path),
        "fingerprint": weights.fingerprint,
        "base": base.fingerprint,
        "data": data.sources,
        "games": {"learned": data.train.games, "held_out": data.held_out.games},
        "positions": {"learned": len(data.train), "held_out": len(data.held_out)},
        "left_out": {"tense": data.noisy, "proven": data.proven, "even": data.even},
        "steps": len(found.history) - 1,
        "losses": {name: vars(loss) for name, loss in found.losses.items()},
        "course": [vars(loss) for loss in found.history],
        "calibration": [vars(part) for part in found.calibration],
        "calibration_error": found.calibration_error,
        "rows": {
            row: {
                "positions": found.positions[row],
                "scale": weights.scales[i],
                "base_scale": base.scales[i],
                "features": {
                    name: {
                        "weight": int(weights.table[i, j]),
                        "base": int(base.table[i, j]),
                        "size": float(found.sizes[i, j]),
                    }
                    for j, name in enumerate(weights.features)
                },
            }
            for i, row in enumerate(weights.rows)
            if row in found.rows
        },
    }


def table(report: dict[str, Any]) -> str:
    """Return the report as text."""
    games, positions, left = report["games"], report["positions"], report["left_out"]
    head = [
        ("game", report["game"]),
        ("weights", f"{report['fingerprint']}   from {report['base']}"),
        ("games", f"{games['learned']}   held out {games['held_out']}"),
        ("positions", f"{positions['learned']}   held out {positions['held_out']}"),
        ("left out", f"{left['tense']} tense   {left['proven']} proven   {left['even']} even"),
        ("steps", f"{report['steps']}"),
        ("kept in", report["out"]),
    ]
    lines = head_and_losses(head, report["losses"])
    lines += ["", "predicted    actual positions   (held out)"]
    lines += [
        f"{100 * p['predicted']:8.1f}% {100 * p['actual']:8.1f}% {p['count']:9}"
        for p in report["calibration"]
    ]
    lines += [f"mean error {100 * report['calibration_error']:.2f}%"]
    for row, found in report["rows"].items():
        lines += ["", f"{row}: {found['positions']} positions, scale {found['scale']:g}"]
        lines += [f"  {'feature':<16} {'base':>8} {'new':>8} {'size':>8}"]
        lines += [
            f"  {name:<16} {f['base']:>8} {f['weight']:>8} {f['size']:>8.2f}"
            for name, f in found["features"].items()
        ]
    return "\n".join(lines)
