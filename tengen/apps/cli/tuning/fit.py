"""Learn the weights of an evaluation from games of self-play, by logistic regression of results on features.

With --net, the weights stay, and a net is trained that corrects the evaluation.

Some games are held out and only judge the fit. Rows of weights (rule sets or phases) without data, and
features that never occur, keep the base weights. The same games and options make the same file; see
docs/tuning.md for the file and the report.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.apps.cli.tuning.fitting import (
    FitOptions,
    Progress,
    given,
    head_and_losses,
    print_report,
    refuse,
)
from tengen.engine.errors import OptionError
from tengen.engine.storage.files import without_links
from tengen.protocol.arguments import require_parent_dir

if TYPE_CHECKING:
    from tengen.tuning.learn.fit import Fit, LossPair
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
Arguments = FitOptions


def run(options: Arguments) -> int:
    """Read the games, fit, write the weights, and report."""
    from tengen.apps.cli.tuning import fit_moves as moves
    from tengen.apps.cli.tuning import fit_net as net
    from tengen.apps.cli.tuning import plots
    from tengen.apps.review.pages import plot
    from tengen.engine.spec import GameSpec
    from tengen.engine.weights import read_weights
    from tengen.tuning.learn.features import evaluation_of
    from tengen.tuning.learn.fit import FitSettings, fit
    from tengen.tuning.learn.samples import load

    require_output(options)
    if options.plot:
        plot.require(options.plot)
    game = GameSpec.parse(options.game)
    if game.game.offers("moves") and not options.net:
        return moves.run(options, game)
    if options.device and not options.teacher:
        raise OptionError("--device requires --teacher")
    refuse(options, ("least",), f"{{flag}}: expected a game that learns moves, got {game.game.name}")
    evaluation = evaluation_of(game.game)
    base = read_weights(game.game, options.base) or evaluation.shipped()
    if options.net:
        return net.run(options, game, base)
    refuse(options, ("epochs", "further", "teacher"), "{flag} requires --net")
    chosen = given(options, "score_share", "prior", "scale")
    settings = FitSettings(game, base, options.seed, options.held_out, proven=options.proven, **chosen)
    with Progress("file") as progress:

        def on_step(losses: LossPair) -> None:
            progress.describe(f"loss {losses.train:.5f}, held out {losses.held_out:.5f}")

        held_out = settings.held_out, settings.seed
        data = load(game, options.data, *held_out, settings.proven, progress.advance)
        found = fit(settings, data, on_step)
    found.weights.save(options.out)
    if options.plot:
        plots.write(options.plot, found)
    return print_report(options, summary(found, data, options.out), table)


def require_output(options: FitOptions) -> None:
    """Raise OptionError if ``--out`` cannot be written, is among the games, or equals ``--plot``."""
    require_parent_dir(options.out)
    out = without_links(options.out)
    if options.plot and without_links(options.plot) == out:
        raise OptionError(f"--plot: expected another file than --out, got {options.plot}")
    for path in options.data:
        if without_links(path) in (out, out.parent):
            raise OptionError(f"--out: expected a file that is not among the games, got {options.out}")


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
        "positions": {name: data.positions[name] for name in ("learned", "held_out")},
        "left_out": {name: data.positions[name] for name in ("tense", "proven", "even")},
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
