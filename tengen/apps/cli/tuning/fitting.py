"""What all fits share: options, bars of progress, and the parts of their reports."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tengen.engine.errors import OptionError
from tengen.protocol.arguments import (
    Options,
    flag_of,
    int_in_range,
    non_negative_int,
    number_in_range,
    operand,
    option,
    positive_int,
    share,
    switch,
)

MIN_POSITIVE = 1e-9
DEVICES = ("cpu", "cuda")


@dataclass(frozen=True, kw_only=True)
class FitOptions(Options):
    """The options of ``tengen fit``."""

    data: Sequence[Path] = operand(
        "folders and shards of tengen selfplay; of Go: SGF files, and folders of them",
        "DATA",
        Path,
        nargs="+",
    )
    game: str = option("the game that was played, such as gipf:tournament", "SPEC", required=True)
    out: Path = option("file for the new weights; replaced", "FILE", Path, required=True)
    base: str | None = option("base weights (default: the shipped ones)", "FILE")
    held_out: float = option(
        "share of games that are held out (default: 0.1)",
        "SHARE",
        number_in_range(MIN_POSITIVE, 1 - MIN_POSITIVE),
        default=0.1,
    )
    seed: int = option("seed that selects them (default: 1)", "N", non_negative_int, default=1)
    score_share: float | None = option(
        "share of the search's score in the targets; the rest is the result (default: 0.1; net: 0.4)",
        "SHARE",
        share,
    )
    prior: float | None = option(
        "strength of the prior: a base weight counts as much as N games (default: 1)",
        "N",
        number_in_range(MIN_POSITIVE, 1e12),
    )
    scale: float | None = option(
        "logistic scale in centi-points (default: keeps values as large as the base's)",
        "N",
        number_in_range(1, 1e6),
    )
    proven: bool = option(
        "leave out positions with a proven result",
        default=True,
        action="store_false",
        flag="--no-proven",
    )
    least: int | None = option(
        "in Go: how often a pattern must have been played to be known (default: 10)", "N", positive_int
    )
    net: bool = switch("train the net of the base on games of self-play; needs tengen[nets]")
    epochs: int | None = option(
        "how often a net learns from all positions (default: 5)", "N", int_in_range(1, 1000)
    )
    further: bool = switch("begin with the net of the base, which learns more slowly")
    teacher: int | None = option(
        "first train a convolutional net that often; the net learns what it says (five in a row)",
        "EPOCHS",
        int_in_range(1, 1000),
    )
    device: str | None = option("with --teacher: where nets are calculated (default: cpu)", choices=DEVICES)
    plot: Path | None = option("draw the fit to a *.png or *.svg file; needs tengen[plot]", "FILE", Path)
    json: bool = switch("print the report as one JSON object")


def given(options: FitOptions, *names: str) -> dict[str, Any]:
    """Return those of the options that were given; others are for the fit to choose."""
    values = {name: getattr(options, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def refuse(options: FitOptions, names: Sequence[str], message: str) -> None:
    """Raise OptionError with `message` about the first of the options `names` that was given, ``{flag}``."""
    for name in names:
        if getattr(options, name) != getattr(FitOptions, name):
            raise OptionError(message.format(flag=flag_of(options, name)))


class Progress:
    """A progress bar that shows losses, too; nothing if stderr is not a terminal. A context manager.

    Parameters
    ----------
    unit : str
        What is counted.
    """

    def __init__(self, unit: str) -> None:
        from tqdm import tqdm

        self._bar = tqdm(unit=unit, disable=not sys.stderr.isatty())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.close()

    def advance(self, number: int, total: int) -> None:
        """Show that `number` of `total` units are done; one that is not greater begins another count."""
        if number <= self._bar.n:
            self._bar.reset()
        self._bar.total = total
        self._bar.update(number - self._bar.n)

    def describe(self, text: str) -> None:
        """Show a text before the bar."""
        self._bar.set_description(text)

    def show_epoch(self, epoch: int, learned: float, held_out: float) -> None:
        """Show the losses after an epoch."""
        self.describe(f"epoch {epoch}: loss {learned:.5f}, held out {held_out:.5f}")


def print_report(options: FitOptions, report: dict[str, Any], table: Callable[..., str]) -> int:
    """Print the report of a fit, as JSON or as `table` has it; return the exit status."""
    print(json.dumps(report, ensure_ascii=False) if options.json else table(report))
    return 0


def head_and_losses(head: list[tuple[str, str]], losses: dict[str, Any]) -> list[str]:
    """Return the first lines of a report: names with their texts, then the table of losses."""
    lines = [f"{name:<10} {text}" for name, text in head]
    lines += ["", f"{'loss':<10} {'learned':>9} {'held out':>9}"]
    lines += [f"{k:<10} {v['train']:9.5f} {v['held_out']:9.5f}" for k, v in losses.items()]
    return lines
