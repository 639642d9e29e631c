"""Speed of random games in batches, in actions a second of processor time, as it holds on a busy machine.

python -m tests.tools.embedding [SPEC]...
"""

import sys
import time
from collections.abc import Callable

import tengen

SPECS = ["go,size=9", "gomoku", "dvonn", "gipf:basic", "zertz"]
GAMES, SECONDS = 512, 0.5  # in the cache of one core


def rate(work: Callable[[], int]) -> float:
    """Return how much of its work `work` does a second of processor time."""
    work()
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        done += work()
    return done / spent


def stepping(spec: str) -> Callable[[], int]:
    """Return what plays an action of each of many random games, drawing it included."""
    batch = tengen.Batch(spec, GAMES, threads=1)

    def steps() -> int:
        going = int((batch.outcomes == 0).sum())
        if 2 * going < GAMES:
            batch.reset()
            going = GAMES
        batch.step(batch.sample(), check=False)
        return going

    return steps


def playing_out(spec: str) -> Callable[[], int]:
    """Return what plays many random games to the end in compiled code."""
    batch = tengen.Batch(spec, GAMES, threads=1)
    return lambda: int(batch.playouts(1)[1].sum())


def main(specs: list[str]) -> None:
    """Print the speeds of every game."""
    for spec in specs:
        batch, playouts = rate(stepping(spec)), rate(playing_out(spec))
        print(f"{spec}: actions/s in a batch {batch:,.0f}, in playouts {playouts:,.0f}")


if __name__ == "__main__":
    main(sys.argv[1:] or SPECS)
