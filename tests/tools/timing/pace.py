"""How the time of games was spent, from the file of a match: ``python -m tests.tools.timing.pace FILE``.

For every stretch of a game there is a line: its beginning as the game's module ``pace`` measures progress, or
in turns played if it has none; the share of all the time spent that each player spent there; how many turns
its side still played; and how many turns to plan for, which is what a table ``TURNS`` holds. Turns that were
played at once, in less than a third of the median time, need no plan: proven results and forced turns
make them. ``--weights 0:0.2,49:1`` gives a turn from a progress of 49 on five times as much as one before.

A line says what the game's table would leave of a clock at the end of these games, if every turn took what it
plans: at least, half of the time, at most. For matches on a clock the last line says how much of it was left.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.tuning.match.records import FinishedGame
from tests import command_line

AT_ONCE = 1 / 3  # of the median time: a turn that took less was no decision

Weight = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Turns:
    """Turns of many games, one element each."""

    progress: NDArray[np.float64]
    seconds: NDArray[np.float64]
    player: NDArray[np.int64]  # which of the pairing's players took it
    # turns of the same side from this one on: their number, and their weight in units of this turn's
    to_go: NDArray[np.float64]
    to_plan: NDArray[np.float64]


def progress_of(position: Position) -> float:
    """Return how far the game has come."""
    game = position.spec.game
    return float(game.module("pace").progress(position.state) if game.offers("pace") else position.own_turns)


def turns_of(spec: GameSpec, game: FinishedGame, weight: Weight, at_once: float) -> Turns:
    """Return the turns of one game; those of less than `at_once` seconds weigh nothing."""
    position, progress, sides = Position(spec), [], []
    for number, turn in enumerate(game.opening + game.turns):
        if number >= len(game.opening):
            progress.append(progress_of(position))
            sides.append(position.side_to_move)
        position.push(turn)
    reached, side, seconds = np.array(progress), np.array(sides), np.array(game.seconds)
    weights = np.asarray(weight(reached), np.float64)
    counted = np.where(seconds < at_once, 0.0, weights)
    to_go, to_plan = np.zeros((2, len(side)))
    for each in (0, 1):
        own = side == each
        to_go[own] = np.arange(own.sum(), 0, -1)
        to_plan[own] = counted[own][::-1].cumsum()[::-1] / weights[own]
    return Turns(reached, seconds, side ^ game.first_side, to_go, to_plan)


def together(parts: Sequence[Turns]) -> Turns:
    """Return the turns of several games as one."""
    return Turns(*(np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0])))


def report(turns: Turns, bins: int) -> list[str]:
    """Return a line for every stretch of progress, each with about as many turns."""
    edges = np.unique(np.quantile(turns.progress, np.linspace(0, 1, bins + 1), method="lower"))
    which = np.clip(np.searchsorted(edges, turns.progress, side="right") - 1, 0, max(0, len(edges) - 2))
    spent = [turns.seconds[turns.player == player].sum() for player in (0, 1)]
    lines = [f"{'progress':>8} {'first':>7} {'second':>7} {'to go':>7} {'to plan':>7}"]
    for number in np.unique(which):
        here = which == number
        shares = [
            turns.seconds[here & (turns.player == player)].sum() / spent[player] if spent[player] else 0.0
            for player in (0, 1)
        ]
        means = turns.to_go[here].mean(), turns.to_plan[here].mean()
        lines.append(
            f"{edges[number]:8.0f} {shares[0]:7.1%} {shares[1]:7.1%} {means[0]:7.1f} {means[1]:7.1f}"
        )
    return lines


def clock_left(games: Sequence[Turns], main: float, increment: float) -> list[float]:
    """Return the mean share of the `main` time that the first and the second player had left at the end."""
    left: list[list[float]] = [[], []]
    for turns in games:
        for player in (0, 1):
            own = turns.seconds[turns.player == player]
            left[player].append((main + increment * len(own) - own.sum()) / main)
    return [float(np.mean(shares)) for shares in left]


def planned_left(games: Sequence[Turns], table: Sequence[tuple[float, float]]) -> list[float]:
    """Return the shares of the time, in ascending order, that are left where `table` plans the turns."""
    reached, planned = np.array(table, np.float64).T
    left = []
    for turns in games:
        for player in (0, 1):
            divisors = np.interp(turns.progress[turns.player == player], reached, planned)
            left.append(float(np.prod(1 - 1 / np.maximum(divisors, 1))))
    return sorted(left)


def read(path: Path) -> tuple[GameSpec, list[FinishedGame], str]:
    """Return what a match was played of, its games, and its clock as text."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        connection.row_factory = sqlite3.Row
        settings = {row["name"]: row["value"] for row in connection.execute("SELECT * FROM match")}
        games = [FinishedGame.from_row(row) for row in connection.execute("SELECT * FROM game")]
    finally:
        connection.close()
    return GameSpec.parse(settings["game"]), games, settings["clock"]


def step_function(text: str) -> Weight:
    """Return the weight of turns by progress, from steps such as ``0:0.2,49:1``."""
    steps = np.array([[float(number) for number in step.split(":")] for step in text.split(",")]).T
    return lambda progress: steps[1][np.maximum(0, np.searchsorted(steps[0], progress, side="right") - 1)]


def main() -> None:
    """Print the report on one match."""
    parser = command_line(__doc__)
    parser.add_argument("file", type=Path, help="the file of a match")
    parser.add_argument("--weights", type=step_function, default="0:1", help="weights of turns by progress")
    parser.add_argument("--bins", type=int, default=12, help="number of stretches")
    arguments = parser.parse_args()
    spec, games, clock = read(arguments.file)
    at_once = AT_ONCE * float(np.median(np.concatenate([game.seconds for game in games])))
    turns = [turns_of(spec, game, arguments.weights, at_once) for game in games]
    print(*report(together(turns), arguments.bins), sep="\n")
    if spec.game.offers("pace"):
        planned = planned_left(turns, spec.game.module("pace").TURNS)
        shown = (planned[0], float(np.median(planned)), planned[-1])
        print("table leaves", *(f"{share:.1%}" for share in shown))
    if clock != "None":
        shares = clock_left(turns, *map(float, clock.split("+")))
        print("clock left", *(f"{share:.1%}" for share in shares))


if __name__ == "__main__":
    main()
