"""``tengen fit --net``: train a net, write weights with it, and report."""

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

if TYPE_CHECKING:
    from tengen.engine.spec import GameSpec
    from tengen.engine.weights import Weights
    from tengen.tuning.learn.nets.board_training import BoardFit
    from tengen.tuning.learn.nets.boards import BoardData
    from tengen.tuning.learn.nets.training import NetFit
    from tengen.tuning.learn.samples import NetData

CHECKPOINT = ".checkpoint"  # behind the name of the file for the weights
OF_LINEAR_FITS = ("prior", "scale", "proven")


def run(options: FitOptions, game: GameSpec, base: Weights) -> int:
    """Read the games, train, write the weights, and report."""
    from tengen.apps.cli.tuning import plots
    from tengen.engine.nets.convolution import ConvolutionShape
    from tengen.tuning.learn import distillation
    from tengen.tuning.learn.nets.board_training import PLAYOUTS, BoardTrainer
    from tengen.tuning.learn.nets.boards import load
    from tengen.tuning.learn.nets.model import CPU, check_device, torch_or_error
    from tengen.tuning.learn.nets.training import NetSettings, NetTrainer
    from tengen.tuning.learn.samples import Split, load_inputs

    refuse(options, OF_LINEAR_FITS, "--net: expected no {flag}, which is for linear fits")
    chosen = given(options, "score_share", "epochs", "further", "teacher")
    settings = NetSettings(game, base, options.seed, options.held_out, **chosen)
    convolutional = isinstance(settings.shape, ConvolutionShape)
    device = options.device or CPU
    check_device(torch_or_error(), device)
    if settings.teacher:
        distillation.require_pattern_net(settings)
    if convolutional and options.plot:
        raise OptionError(f"--plot: expected none, since a convolutional net has no plot, got {options.plot}")
    checkpoint = options.out.with_name(options.out.name + CHECKPOINT)
    draw, taught = Split(settings.held_out, settings.seed), bool(settings.teacher)
    data: Any
    trainer: Any
    with Progress("it") as progress:
        if convolutional:
            data = load(game, options.data, draw, PLAYOUTS, progress.advance)
            trainer = BoardTrainer(settings, data, checkpoint)
        else:
            data = load_inputs(game, base, options.data, draw, progress.advance, taught)
            trainer = (distillation.Pupil if taught else NetTrainer)(settings, data, checkpoint, device)
        found = trainer.learn(progress.show_epoch, progress.advance).result()
    found.weights.save(options.out)
    if options.plot:
        plots.write_net(options.plot, found)
    for path in (checkpoint, distillation.teacher_checkpoint(checkpoint)):
        path.unlink(missing_ok=True)
    report = (boards_summary if convolutional else summary)(found, data, options.out)
    return print_report(options, report, boards_table if convolutional else table)


def summary(found: NetFit, data: NetData, path: Path) -> dict[str, Any]:
    """Return the report of a training for JSON."""
    settings = found.settings
    teacher = found.weights.net.origin.get("teacher") if found.weights.net else None
    return {
        "game": str(settings.game),
        "out": str(path),
        "fingerprint": found.weights.fingerprint,
        "base": settings.base.fingerprint,
        "data": data.sources,
        "positions": data.positions,
        **({"teacher": teacher} if teacher else {}),
        "losses": {name: vars(loss) for name, loss in found.losses.items()},
        "buckets": [{"net": net, "linear": linear} for net, linear in found.by_bucket],
        "course": [vars(loss) for loss in found.history],
        "calibration": [vars(part) for part in found.calibration],
        "rounding": found.rounding,
    }


def table(report: dict[str, Any]) -> str:
    """Return the report as text."""
    positions, teacher = report["positions"], []
    if told := report.get("teacher"):
        loss = told["loss"]
        losses = f"loss {loss['learned']:.5f} held out {loss['held_out']:.5f}"
        teacher = [("teacher", f"{told['epochs']} epochs   {losses}")]
    head = [
        ("game", report["game"]),
        ("weights", f"{report['fingerprint']}   from {report['base']}"),
        ("positions", f"{positions['learned']}   held out {positions['held_out']}"),
        ("epochs", f"{len(report['course'])}"),
        *teacher,
        ("rounding", f"{report['rounding']:.1f} centi-points"),
        ("kept in", report["out"]),
    ]
    lines = head_and_losses(head, report["losses"])
    lines += ["", f"{'bucket':<10} {'linear':>9} {'net':>9}   (held out, unproven)"]
    lines += [f"{i:<10} {b['linear']:9.5f} {b['net']:9.5f}" for i, b in enumerate(report["buckets"])]
    return "\n".join(lines)


# -------------------------------------------------------------------------------------- convolutional nets


def boards_summary(found: BoardFit, data: BoardData, path: Path) -> dict[str, Any]:
    """Return the report of a training of a convolutional net for JSON."""
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
        "course": [{"learned": learned, "held_out": judged} for learned, judged in found.history],
        "tops": {str(top): share for top, share in found.tops.items()},
        "losses": dict(found.losses),
        "share": found.share,
    }


def boards_table(report: dict[str, Any]) -> str:
    """Return the report of `boards_summary` as text."""
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
