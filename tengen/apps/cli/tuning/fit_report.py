"""What all fits share: bars of progress, and the parts of their reports."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any, Self

from tengen.engine.errors import OptionError


def require_teacher(arguments: argparse.Namespace) -> None:
    """Raise OptionError if there is a device, but no teacher that would need it."""
    if arguments.device and not arguments.teacher:
        raise OptionError("--device requires --teacher")


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

    def tell_epoch(self, epoch: int, learned: float, held_out: float) -> None:
        """Show the losses after an epoch."""
        self.describe(f"epoch {epoch}: loss {learned:.5f}, held out {held_out:.5f}")


def print_report(arguments: argparse.Namespace, report: dict[str, Any], table: Callable[..., str]) -> int:
    """Print the report of a fit, as JSON or as `table` has it; return the exit status."""
    print(json.dumps(report, ensure_ascii=False) if arguments.json else table(report))
    return 0


def head_and_losses(head: list[tuple[str, str]], losses: dict[str, Any]) -> list[str]:
    """Return the first lines of a report: names with their texts, then the table of losses."""
    lines = [f"{name:<10} {text}" for name, text in head]
    lines += ["", f"{'loss':<10} {'learned':>9} {'held out':>9}"]
    lines += [f"{k:<10} {v['train']:9.5f} {v['held_out']:9.5f}" for k, v in losses.items()]
    return lines
