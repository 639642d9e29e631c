"""Plots of fits: of weights, of nets and of move knowledge. Each replaces the file that it is written to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tengen.apps.review.pages.plot import LINE_COLOR, save

if TYPE_CHECKING:
    from tengen.tuning.learn.fit import CalibrationBin, Fit
    from tengen.tuning.learn.moves import MoveFit
    from tengen.tuning.learn.nets.training import NetFit

OLD = "#9a9a9a"
HELD_OUT = "#d1661f"
WIDTH, TOP = 11.0, 3.6  # inches
PANELS = 4  # panels of weights by phase, side by side
PANEL = 1.7  # inches
LINE_HEIGHT = 0.19  # inches, of one feature
MOVES_HEIGHT = 5.0  # inches, of the plot of moves
MOST = 24  # levels of features of moves that are drawn, strongest first


def write(path: Path, fit: Fit) -> None:
    """Draw a fit: the loss by step, predicted and actual win rates, and old and new weights."""
    # rows are phases of the game if positions have mixtures of them
    phases = bool(np.any((fit.settings.evaluation.blend > 0).sum(axis=1) > 1))
    count = len(fit.weights.features)
    height = PANEL * math.ceil(count / PANELS) if phases else 0.9 + LINE_HEIGHT * count

    def paint(figure: Any) -> None:
        top, bottom = figure.subfigures(2, 1, height_ratios=[TOP, height])
        left, right = top.subplots(1, 2)
        steps = range(len(fit.history))
        train, judged = ([getattr(loss, part) for loss in fit.history] for part in ("train", "held_out"))
        left.plot(steps, train, "o-", color=LINE_COLOR, label="games learned from")
        left.plot(steps, judged, "o-", color=HELD_OUT, label="games held out")
        left.set(xlabel="step of Newton's method", ylabel="log loss, nats a position")
        left.xaxis.get_major_locator().set_params(integer=True)
        left.ticklabel_format(axis="y", useOffset=False)
        left.grid(alpha=0.3)
        left.legend(frameon=False, fontsize=8)
        draw_calibration(right, fit.calibration)
        if phases:
            _draw_phases(bottom, fit)
        else:
            _draw_features(bottom, fit)
        losses = ",  ".join(f"{name} {loss.held_out:.4f}" for name, loss in fit.losses.items())
        figure.suptitle(f"{fit.settings.game}:  held-out loss of {losses}", fontsize=10)

    save(path, (WIDTH, TOP + height), paint)


def draw_calibration(axes: Any, calibration: Sequence[CalibrationBin]) -> None:
    """Draw actual against predicted win rates; the area of a dot is proportional to its positions."""
    from tengen.tuning.learn.fit import calibration_error

    most = max(found.count for found in calibration)
    axes.plot([0, 100], [0, 100], color=OLD, linewidth=1)
    axes.scatter(
        [100 * found.predicted for found in calibration],
        [100 * found.actual for found in calibration],
        s=[20 + 160 * found.count / most for found in calibration],
        color=HELD_OUT,
        zorder=3,
        clip_on=False,
    )
    axes.set(xlabel="predicted win rate, %", ylabel="actual win rate of games held out, %")
    axes.set_title(f"mean error {100 * calibration_error(calibration):.1f}%", fontsize=9)
    axes.set(xlim=(0, 100), ylim=(0, 100), aspect="equal")
    axes.grid(alpha=0.3)


def _draw_phases(figure: Any, fit: Fit) -> None:
    """Draw the weights of every feature by phase."""
    unit, features, rows = fit.settings.evaluation.unit, fit.weights.features, fit.weights.rows
    panels = figure.subplots(math.ceil(len(features) / PANELS), PANELS, sharex=True, squeeze=False).ravel()
    for j, (axes, name) in enumerate(zip(panels, features, strict=False)):
        axes.axhline(0, color="#cccccc", linewidth=0.8)
        axes.plot(fit.settings.base.table[:, j] / unit, ".--", color=OLD, label="base")
        axes.plot(fit.weights.table[:, j] / unit, ".-", color=LINE_COLOR, label="new")
        axes.set_title(name, fontsize=9)
        axes.tick_params(labelsize=7)
        axes.set_xticks(range(len(rows)), rows, rotation=60, ha="right")
    for axes in panels[len(features) :]:
        axes.set_axis_off()
    figure.supylabel("weight, centi-points", fontsize=9)
    handles, labels = panels[0].get_legend_handles_labels()
    spare = panels[-1] if len(panels) > len(features) else panels[0]
    spare.legend(handles, labels, frameon=False, fontsize=9, loc="center" if spare is panels[-1] else "best")


def _draw_features(figure: Any, fit: Fit) -> None:
    """Draw the weight times the usual size of every feature, for each learned row."""
    unit, weights, base = fit.settings.evaluation.unit, fit.weights, fit.settings.base
    panels = figure.subplots(1, len(fit.rows), sharey=True, squeeze=False)[0]
    places = range(len(weights.features))
    for axes, row in zip(panels, fit.rows, strict=True):
        r = weights.rows.index(row)
        size = fit.sizes[r] / unit
        axes.axvline(0, color="#cccccc", linewidth=0.8)
        axes.hlines(places, base.table[r] * size, weights.table[r] * size, color="#cccccc", zorder=1)
        axes.plot(base.table[r] * size, places, "o", color=OLD, markersize=5, label="base")
        axes.plot(weights.table[r] * size, places, "o", color=LINE_COLOR, markersize=4, label="new")
        axes.set_title(row, fontsize=9)
        axes.set_yticks(places, weights.features, fontsize=7)
        axes.set_ylim(len(weights.features) - 0.5, -0.5)
        axes.set_xlabel("weight times the feature's usual size, centi-points", fontsize=9)
        axes.grid(alpha=0.3)
    panels[0].legend(frameon=False, fontsize=9)


def write_net(path: Path, fit: NetFit) -> None:
    """Draw a training of a net: loss by epoch, predicted and actual win rates, losses by phase."""

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

    save(path, (WIDTH, TOP), paint)


def write_moves(path: Path, fit: MoveFit) -> None:
    """Draw a fit of move knowledge: the loss by round, how moves are ranked, and gammas."""

    def paint(figure: Any) -> None:
        course, ranks, gammas = figure.subplots(1, 3)
        rounds = range(1, len(fit.course) + 1)
        course.plot(rounds, [accuracy.loss for accuracy in fit.course], "o-", color=HELD_OUT)
        course.set(xlabel="round", ylabel="log loss of games held out, nats a move")
        course.grid(alpha=0.3)
        tops = [str(top) for top in fit.held_out.top]
        if fit.base:
            ranks.plot(tops, [100 * share for share in fit.base.top.values()], "o-", color=OLD, label="base")
        new = [100 * share for share in fit.held_out.top.values()]
        ranks.plot(tops, new, "o-", color=LINE_COLOR, label="new")
        ranks.set(xlabel="first so many", ylabel="moves of games held out, %", ylim=(0, 100))
        ranks.legend(frameon=False)
        ranks.grid(alpha=0.3)
        found = [
            (f"{name}: {level}", gamma)
            for name, levels in fit.by_class.items()
            for level, (gamma, played) in levels.items()
            if played
        ]
        strongest = sorted(found, key=lambda item: -item[1])[:MOST]
        gammas.barh([name for name, _ in strongest], [gamma for _, gamma in strongest], color=LINE_COLOR)
        gammas.set(xscale="log", xlabel="gamma")
        gammas.tick_params(axis="y", labelsize=7)
        gammas.invert_yaxis()
        figure.suptitle(f"{fit.settings.game}:  {fit.held_out.positions} moves held out", fontsize=10)

    save(path, (WIDTH, MOVES_HEIGHT), paint)
