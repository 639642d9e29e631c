"""Play games in the page by random clicks, and check that each is kept as it was played.

    python -m tests.tools.clicks --games 200

Chromium shows the page (`make clients`). Prints a line for each kind of game; a fault of a script, a game
that does not end, or one that is not kept ends the run. Also prints the memory of the server.
"""

import itertools
import tempfile
import time
from collections import Counter
from pathlib import Path

from tengen.engine.game import Outcome
from tests import command_line
from tests.apps.web.browser import click_to_the_end, kept_game, launched, opened, serving, start

SPECS = (
    "gipf:basic",
    "gipf",
    "gipf:tournament",
    "zertz",
    "zertz:tournament",
    "zertz,rings=48",
    "dvonn",
    "go,size=5",
    "go,size=7",
    "gomoku,size=9",
    "gomoku:renju",
    "gomoku:exactly-five,size=9",
    "gobang,size=9",
)


def memory(process: int) -> float:
    """Return the resident memory of a process in MB; Linux only."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


def main() -> None:
    """Play the games."""
    parser = command_line(__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--engine", action="store_true", help="against a beginner's engine, not a person")
    arguments = parser.parse_args()
    played, clicks, began = Counter[str](), Counter[str](), time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as (address, server),
        launched() as browser,
        opened(browser, address) as page,
    ):
        print(f"memory of the server at the start: {memory(server.pid):.0f} MB", flush=True)
        opponent = "engine" if arguments.engine else "person"
        for number, spec in zip(range(arguments.games), itertools.cycle(SPECS), strict=False):
            if number:
                page.click("#new-game")
            start(page, spec, opponent)
            clicks[spec] += click_to_the_end(page, number)
            kept = kept_game(page, Path(folder))
            assert kept.position().outcome() != Outcome.ONGOING, kept.path
            played[spec] += 1
            if number + 1 in (len(SPECS), 100, arguments.games):
                print(
                    f"memory of the server after {number + 1} games: {memory(server.pid):.0f} MB", flush=True
                )
        for spec, games in played.items():
            print(f"{spec:20} {games:4} games {clicks[spec]:6} clicks")
        print(f"{played.total()} games without a fault, all kept, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
