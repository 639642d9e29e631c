"""``tengen fit`` for games with move knowledge: learn from records which moves are played, and report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tengen.apps.cli.tuning.fitting import FitOptions, Progress, given, print_report, refuse

if TYPE_CHECKING:
    from pathlib import Path

    from tengen.engine.spec import GameSpec
    from tengen.tuning.learn.minorisation import Accuracy
    from tengen.tuning.learn.moves import MoveFit, Records

OF_EVALUATIONS = ("base", "score_share", "scale", "epochs", "teacher", "device", "proven", "further")


def run(options: FitOptions, game: GameSpec) -> int:
    """Read the records, fit, write the gammas, and report."""
    from tengen.apps.cli.tuning import plots
    from tengen.tuning.learn.moves import MoveSettings, fit, load

    refuse(
        options, OF_EVALUATIONS, f"{{flag}}: expected none, since {game.game.name} learns moves without --net"
    )
    settings = MoveSettings(game, options.seed, options.held_out, **given(options, "prior", "least"))
    with Progress("file") as progress:

        def on_round(number: int, accuracy: Accuracy) -> None:
            progress.describe(f"round {number}: loss held out {accuracy.loss:.5f}")

        records = load(game.game, options.data, settings.held_out, settings.seed, progress.advance)
        found = fit(settings, records, on_round)
    found.gammas.save(options.out)
    if options.plot:
        plots.write_moves(options.plot, found)
    return print_report(options, summary(found, records, options.out), table)


def summary(found: MoveFit, records: Records, path: Path) -> dict[str, Any]:
    """Return the report of a fit for JSON."""
    parts = {"learned": found.learned, "held_out": found.held_out}
    if found.base:
        parts["base"] = found.base
    return {
        "game": str(found.settings.game),
        "out": str(path),
        "fingerprint": found.gammas.fingerprint,
        "data": records.fingerprint,
        "games": found.gammas.origin["games"],
        "left_out": dict(records.left_out),
        "patterns": len(found.gammas.pattern_keys),
        "accuracy": {
            name: {
                "positions": part.positions,
                "top": {str(top): share for top, share in part.top.items()},
                "loss": part.loss,
                "perplexity": part.perplexity,
                "uniform_loss": part.uniform_loss,
            }
            for name, part in parts.items()
        },
        "course": [accuracy.loss for accuracy in found.course],
        "features": {
            name: {level: {"gamma": gamma, "played": played} for level, (gamma, played) in levels.items()}
            for name, levels in found.by_class.items()
        },
    }


def table(report: dict[str, Any]) -> str:
    """Return the report as text."""
    games = report["games"]
    left_out = "   ".join(f"{count} {reason}" for reason, count in report["left_out"].items())
    lines = [
        f"{'game':<10} {report['game']}",
        f"{'gammas':<10} {report['fingerprint']}",
        f"{'games':<10} {games['learned']}   held out {games['held_out']}",
        f"{'left out':<10} {left_out or 'none'}",
        f"{'patterns':<10} {report['patterns']}",
        f"{'kept in':<10} {report['out']}",
        "",
        f"{'':<10} {'moves':>9} {'top 1':>7} {'top 5':>7} {'top 10':>7} {'loss':>8} {'perplexity':>11}",
    ]
    for name, part in report["accuracy"].items():
        shares = " ".join(f"{100 * share:6.1f}%" for share in part["top"].values())
        title = name.replace("_", " ")
        lines.append(
            f"{title:<10} {part['positions']:9} {shares} {part['loss']:8.4f} {part['perplexity']:11.2f}"
        )
    lines.append(f"{'uniform':<10} {'':33} {report['accuracy']['held_out']['uniform_loss']:8.4f}")
    for name, levels in report["features"].items():
        lines += ["", f"{name:<28} {'gamma':>8} {'played':>8}"]
        lines += [
            f"  {level:<26} {found['gamma']:8.2f} {found['played']:8}"
            for level, found in levels.items()
            if found["played"]
        ]
    return "\n".join(lines)
