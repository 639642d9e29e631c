"""``tengen fit --net`` for convolutional nets: train one on games with visits, write it, and report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tengen.apps.cli.tuning.fitting import FitOptions, Progress
    from tengen.tuning.learn.nets.training import NetSettings
    from tengen.tuning.learn.visits.data import BoardData
    from tengen.tuning.learn.visits.training import BoardFit


def learn(options: FitOptions, settings: NetSettings, checkpoint: Path, progress: Progress) -> dict[str, Any]:
    """Read the games, train, write the weights, and return the report."""
    from tengen.tuning.learn.samples import Split
    from tengen.tuning.learn.visits.data import load
    from tengen.tuning.learn.visits.training import PLAYOUTS, train

    draw = Split(settings.held_out, settings.seed)
    data = load(settings.game, options.data, draw, PLAYOUTS, progress.advance)
    found = train(settings, data, checkpoint, progress.show_epoch, progress.advance)
    found.weights.save(options.out)
    return summary(found, data, options.out)


def summary(found: BoardFit, data: BoardData, path: Path) -> dict[str, Any]:
    """Return the report of a training for JSON."""
    settings, net = found.settings, found.weights.net
    assert net
    return {
        "game": str(settings.game),
        "out": str(path),
        "fingerprint": found.weights.fingerprint,
        "data": data.sources,
        "sizes": net.numbers["sizes"].tolist(),
        "komis": net.numbers["komis"].tolist(),
        "positions": data.positions,
        "course": [{"learned": vars(learned), "held_out": vars(judged)} for learned, judged in found.history],
        "tops": {str(top): share for top, share in found.tops.items()},
        "losses": dict(found.losses),
        "share": found.share,
    }


def table(report: dict[str, Any]) -> str:
    """Return the report as text."""
    positions, last = report["positions"], report["course"][-1]
    low, high = report["sizes"]
    komis = [
        f"{low / 100:g} to {high / 100:g} with {scoring} scoring"
        for scoring, (low, high) in zip(("area", "territory"), report["komis"], strict=True)
        if low <= high
    ]
    tops = "   ".join(f"first {top}: {100 * share:.1f}%" for top, share in report["tops"].items())
    rows = [
        ("game", report["game"]),
        ("weights", report["fingerprint"]),
        ("boards", f"{low}x{low}" if low == high else f"{low}x{low} to {high}x{high}"),
        ("komis", ", ".join(komis)),
        ("positions", f"{positions['learned']}   held out {positions['held_out']}"),
        ("epochs", f"{len(report['course'])}"),
        ("policy", tops),
        ("share", f"{report['share']:.2f} of the net in the value of a leaf"),
        ("kept in", report["out"]),
    ]
    lines = [f"{name:<10} {text}" for name, text in rows]
    lines += ["", f"{'loss':<10} {'learned':>9} {'held out':>9}"]
    lines += [
        f"{name:<10} {last['learned'][name]:9.5f} {last['held_out'][name]:9.5f}" for name in last["learned"]
    ]
    lines += ["", f"{'win rate':<10} {'held out':>9}"]
    lines += [f"{name:<10} {loss:9.5f}" for name, loss in report["losses"].items()]
    return "\n".join(lines)
