"""A plot of a fit of move knowledge: the loss by round, how moves are ranked, and gammas."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.apps.cli.tuning.plot_weights import HELD_OUT, OLD
from tengen.apps.review.pages.plot import LINE_COLOR, save

if TYPE_CHECKING:
    from tengen.tuning.learn.moves.fit import MoveFit

SIZE = 11.0, 5.0  # inches
MOST = 24  # levels of features that are drawn, strongest first


def write(path: Path, fit: MoveFit) -> None:
    """Draw a fit and write it to the file at `path`, which is replaced.

    Raises
    ------
    OSError
        If it cannot be written.
    """

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
        strongest = _strongest(fit)
        gammas.barh([name for name, _ in strongest], [gamma for _, gamma in strongest], color=LINE_COLOR)
        gammas.set(xscale="log", xlabel="gamma")
        gammas.tick_params(axis="y", labelsize=7)
        gammas.invert_yaxis()
        figure.suptitle(f"{fit.settings.game}:  {fit.held_out.positions} moves held out", fontsize=10)

    save(path, SIZE, paint)


def _strongest(fit: MoveFit) -> list[tuple[str, float]]:
    """Return the levels with the largest gammas, and those, largest first."""
    found = [
        (f"{name}: {level}", gamma)
        for name, levels in fit.by_class.items()
        for level, (gamma, played) in levels.items()
        if played
    ]
    return sorted(found, key=lambda item: -item[1])[:MOST]
