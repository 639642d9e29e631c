"""``tengen fit --net``: train a net, write weights with it, and report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.apps.cli.tuning import fit_visits as visits
from tengen.apps.cli.tuning.fitting import (
    FitOptions,
    Progress,
    given,
    head_and_losses,
    print_report,
    refuse,
    require_teacher,
)
from tengen.engine.errors import OptionError

if TYPE_CHECKING:
    from tengen.engine.spec import GameSpec
    from tengen.engine.weights import Weights
    from tengen.tuning.learn.nets.data import NetData
    from tengen.tuning.learn.nets.training import NetFit, NetSettings

CHECKPOINT = ".checkpoint"  # behind the name of the file for the weights
OF_LINEAR_FITS = ("prior", "scale", "proven")


def run(options: FitOptions, game: GameSpec, base: Weights) -> int:
    """Read the games, train, write the weights, and report."""
    from tengen.engine.nets.convolution import ConvolutionShape
    from tengen.tuning.learn import distillation
    from tengen.tuning.learn.nets.model import CPU, check_device, torch_or_error
    from tengen.tuning.learn.nets.training import NetSettings

    refuse(options, OF_LINEAR_FITS, "--net: expected no {flag}, which is for linear fits")
    require_teacher(options)
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
    with Progress("it") as progress:
        if convolutional:
            report = visits.learn(options, settings, checkpoint, progress)
        else:
            report = learn(options, settings, checkpoint, device, progress)
    for path in (checkpoint, distillation.teacher_checkpoint(checkpoint)):
        path.unlink(missing_ok=True)
    return print_report(options, report, visits.table if convolutional else table)


def learn(
    options: FitOptions, settings: NetSettings, checkpoint: Path, device: str, progress: Progress
) -> dict[str, Any]:
    """Read the games, train, write the weights, and return the report."""
    from tengen.apps.cli.tuning import plot_net
    from tengen.tuning.learn import distillation
    from tengen.tuning.learn.nets.data import load
    from tengen.tuning.learn.nets.training import train
    from tengen.tuning.learn.samples import Split

    draw, taught = Split(settings.held_out, settings.seed), bool(settings.teacher)
    data = load(settings.game, settings.base, options.data, draw, progress.advance, taught)
    course = checkpoint, progress.show_epoch, progress.advance
    found = distillation.train(settings, data, device, *course) if taught else train(settings, data, *course)
    found.weights.save(options.out)
    if options.plot:
        plot_net.write(options.plot, found)
    return summary(found, data, options.out)


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
    positions = report["positions"]
    head = [
        ("game", report["game"]),
        ("weights", f"{report['fingerprint']}   from {report['base']}"),
        ("positions", f"{positions['learned']}   held out {positions['held_out']}"),
        ("epochs", f"{len(report['course'])}"),
        *_about_teacher(report.get("teacher")),
        ("rounding", f"{report['rounding']:.1f} centi-points"),
        ("kept in", report["out"]),
    ]
    lines = head_and_losses(head, report["losses"])
    lines += ["", f"{'bucket':<10} {'linear':>9} {'net':>9}   (held out, unproven)"]
    lines += [f"{i:<10} {b['linear']:9.5f} {b['net']:9.5f}" for i, b in enumerate(report["buckets"])]
    return "\n".join(lines)


def _about_teacher(teacher: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Return the line of the report about the teacher, if there was one."""
    if not teacher:
        return []
    loss = teacher["loss"]
    return [
        (
            "teacher",
            f"{teacher['epochs']} epochs   loss {loss['learned']:.5f} held out {loss['held_out']:.5f}",
        )
    ]
