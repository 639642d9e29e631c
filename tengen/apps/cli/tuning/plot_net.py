"""A plot of a net's training: loss by epoch, predicted and actual win rates, losses by phase."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.apps.cli.tuning.plot_weights import HELD_OUT, OLD, draw_calibration
from tengen.apps.review.pages.plot import LINE_COLOR, save

if TYPE_CHECKING:
    from tengen.tuning.learn.nets.training import NetFit

SIZE = 11.0, 3.6  # inches


def write(path: Path, fit: NetFit) -> None:
    """Draw a training and write it to the file at `path`, which is replaced.

    Raises
    ------
    OSError
        If it cannot be written.
    """

    def paint(figure: Any) -> None:
        history, calibration, buckets = figure.subplots(1, 3)
        epochs = range(1, len(fit.history) + 1)
        history.plot(epochs, [loss.train for loss in fit.history], "o-", color=LINE_COLOR, label="targets")
        held_out = [loss.held_out for loss in fit.history]
        history.plot(epochs, held_out, "o-", color=HELD_OUT, label="results held out")
        history.axhline(fit.losses["linear"].held_out, color=OLD, label="... linear")
        history.set(xlabel="epoch", ylabel="loss")
        history.legend()
        draw_calibration(calibration, fit.calibration)
        places = range(len(fit.by_bucket))
        buckets.plot(places, [linear - net for net, linear in fit.by_bucket], "o-", color=LINE_COLOR)
        buckets.axhline(0, color=OLD)
        buckets.set(xlabel="bucket", ylabel="loss saved by the net")
        figure.suptitle(f"{fit.settings.game}:  rounding costs {fit.rounding:.1f} centi-points", fontsize=10)

    save(path, SIZE, paint)
