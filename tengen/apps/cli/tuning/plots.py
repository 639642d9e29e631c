"""Plots of fits: of weights, of nets and of move knowledge. Each replaces the file that it is written to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tengen.apps.review.pages.plot import LINE_COLOR, save

if TYPE_CHECKING:
    from tengen.engine.weights import Weights
    from tengen.tuning.learn.fit import Fit, FitSettings, Losses

OLD = "#9a9a9a"
HELD_OUT = "#d1661f"
WIDTH, TOP = 11.0, 3.6  # inches
PANELS = 4  # panels of weights by phase, side by side
PANEL = 1.7  # inches
LINE_HEIGHT = 0.19  # inches, of one feature
MOVES_HEIGHT = 5.0  # inches, of the plot of moves
MOST = 24  # levels of features of moves that are drawn, strongest first


def write(path: Path, settings: FitSettings, fit: Fit) -> None:
    """Draw a fit: the loss by step, predicted and actual win rates, and old and new weights."""
    # rows are phases of the game if positions have mixtures of them
    phases = bool(np.any((settings.evaluation.blend > 0).sum(axis=1) > 1))
    count, report = len(fit.weights.features), fit.report
    height = PANEL * math.ceil(count / PANELS) if phases else 0.9 + LINE_HEIGHT * count

    def paint(figure: Any) -> None:
        top, bottom = figure.subfigures(2, 1, height_ratios=[TOP, height])
        left, right = top.subplots(1, 2)
        draw_course(left, report["course"], ("games learned from", "games held out"), 0)
        left.set(xlabel="step of Newton's method", ylabel="log loss, nats a position")
        left.xaxis.get_major_locator().set_params(integer=True)
        left.ticklabel_format(axis="y", useOffset=False)
        left.grid(alpha=0.3)
        left.legend(frameon=False, fontsize=8)
        draw_calibration(right, report["calibration"])
        if phases:
            _draw_phases(bottom, settings, fit.weights)
        else:
            _draw_features(bottom, settings.evaluation.unit, report["rows"])
        losses = ",  ".join(f"{name} {loss['held_out']:.4f}" for name, loss in report["losses"].items())
        figure.suptitle(f"{settings.game}:  held-out loss of {losses}", fontsize=10)

    save(path, (WIDTH, TOP + height), paint)


def draw_course(axes: Any, course: Sequence[Losses], labels: tuple[str, str], first: int) -> None:
    """Draw the losses of games to learn from and of those held out, from step or epoch `first` on."""
    steps = range(first, first + len(course))
    for part, color, label in zip(("train", "held_out"), (LINE_COLOR, HELD_OUT), labels, strict=True):
        axes.plot(steps, [loss[part] for loss in course], "o-", color=color, label=label)


def draw_calibration(axes: Any, calibration: Sequence[dict[str, float]]) -> None:
    """Draw actual against predicted win rates; the area of a dot is proportional to its positions."""
    from tengen.tuning.learn.fit import calibration_error

    predicted, actual, counts = (
        np.array([found[name] for found in calibration]) for name in ("predicted", "actual", "count")
    )
    axes.plot([0, 100], [0, 100], color=OLD, linewidth=1)
    sizes = 20 + 160 * counts / counts.max()
    axes.scatter(100 * predicted, 100 * actual, s=sizes, color=HELD_OUT, zorder=3, clip_on=False)
    axes.set(xlabel="predicted win rate, %", ylabel="actual win rate of games held out, %")
    axes.set_title(f"mean error {100 * calibration_error(calibration):.1f}%", fontsize=9)
    axes.set(xlim=(0, 100), ylim=(0, 100), aspect="equal")
    axes.grid(alpha=0.3)


def _draw_phases(figure: Any, settings: FitSettings, weights: Weights) -> None:
    """Draw the weights of every feature by phase."""
    unit, features, rows = settings.evaluation.unit, weights.features, weights.rows
    panels = figure.subplots(math.ceil(len(features) / PANELS), PANELS, sharex=True, squeeze=False).ravel()
    for j, (axes, name) in enumerate(zip(panels, features, strict=False)):
        axes.axhline(0, color="#cccccc", linewidth=0.8)
        axes.plot(settings.base.table[:, j] / unit, ".--", color=OLD, label="base")
        axes.plot(weights.table[:, j] / unit, ".-", color=LINE_COLOR, label="new")
        axes.set_title(name, fontsize=9)
        axes.tick_params(labelsize=7)
        axes.set_xticks(range(len(rows)), rows, rotation=60, ha="right")
    for axes in panels[len(features) :]:
        axes.set_axis_off()
    figure.supylabel("weight, centi-points", fontsize=9)
    handles, labels = panels[0].get_legend_handles_labels()
    spare = panels[-1] if len(panels) > len(features) else panels[0]
    spare.legend(handles, labels, frameon=False, fontsize=9, loc="center" if spare is panels[-1] else "best")


def _draw_features(figure: Any, unit: int, rows: dict[str, Any]) -> None:
    """Draw the weight times the usual size of every feature, for each learned row."""
    panels = figure.subplots(1, len(rows), sharey=True, squeeze=False)[0]
    for axes, (row, found) in zip(panels, rows.items(), strict=True):
        names, places = list(found["features"]), range(len(found["features"]))
        base, new, size = (
            np.array([feature[name] for feature in found["features"].values()])
            for name in ("base", "weight", "size")
        )
        old, learned = base * size / unit, new * size / unit
        axes.axvline(0, color="#cccccc", linewidth=0.8)
        axes.hlines(places, old, learned, color="#cccccc", zorder=1)
        axes.plot(old, places, "o", color=OLD, markersize=5, label="base")
        axes.plot(learned, places, "o", color=LINE_COLOR, markersize=4, label="new")
        axes.set_title(row, fontsize=9)
        axes.set_yticks(places, names, fontsize=7)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xlabel("weight times the feature's usual size, centi-points", fontsize=9)
        axes.grid(alpha=0.3)
    panels[0].legend(frameon=False, fontsize=9)


def write_net(path: Path, report: dict[str, Any]) -> None:
    """Draw a training of a net: loss by epoch, predicted and actual win rates, losses by phase."""

    def paint(figure: Any) -> None:
        history, calibration, buckets = figure.subplots(1, 3)
        draw_course(history, report["course"], ("targets", "results held out"), 1)
        history.axhline(report["losses"]["linear"]["held_out"], color=OLD, label="... linear")
        history.set(xlabel="epoch", ylabel="loss")
        history.legend()
        draw_calibration(calibration, report["calibration"])
        saved = [found["linear"] - found["net"] for found in report["buckets"]]
        buckets.plot(range(len(saved)), saved, "o-", color=LINE_COLOR)
        buckets.axhline(0, color=OLD)
        buckets.set(xlabel="bucket", ylabel="loss saved by the net")
        cost = f"rounding costs {report['rounding']:.1f} centi-points"
        figure.suptitle(f"{report['game']}:  {cost}", fontsize=10)

    save(path, (WIDTH, TOP), paint)


def write_moves(path: Path, report: dict[str, Any]) -> None:
    """Draw a fit of move knowledge: the loss by round, how moves are ranked, and gammas."""

    def paint(figure: Any) -> None:
        course, ranks, gammas = figure.subplots(1, 3)
        course.plot(range(1, len(report["course"]) + 1), report["course"], "o-", color=HELD_OUT)
        course.set(xlabel="round", ylabel="log loss of games held out, nats a move")
        course.grid(alpha=0.3)
        for part, color, label in (("base", OLD, "base"), ("held_out", LINE_COLOR, "new")):
            if found := report["accuracy"].get(part):
                shares = [100 * share for share in found["top"].values()]
                ranks.plot(list(found["top"]), shares, "o-", color=color, label=label)
        ranks.set(xlabel="first so many", ylabel="moves of games held out, %", ylim=(0, 100))
        ranks.legend(frameon=False)
        ranks.grid(alpha=0.3)
        played = [
            (f"{name}: {level}", found["gamma"])
            for name, levels in report["features"].items()
            for level, found in levels.items()
            if found["played"]
        ]
        strongest = sorted(played, key=lambda item: -item[1])[:MOST]
        gammas.barh([name for name, _ in strongest], [gamma for _, gamma in strongest], color=LINE_COLOR)
        gammas.set(xscale="log", xlabel="gamma")
        gammas.tick_params(axis="y", labelsize=7)
        gammas.invert_yaxis()
        held_out = report["accuracy"]["held_out"]["positions"]
        figure.suptitle(f"{report['game']}:  {held_out} moves held out", fontsize=10)

    save(path, (WIDTH, MOVES_HEIGHT), paint)
