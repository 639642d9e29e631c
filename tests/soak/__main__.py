"""The soak: ``python -m tests.soak --hours 1 --seed 1`` runs all parts in turn until the time is up.

It prints a table of what was tried and found, and exits with 1 if anything was wrong. Each fault names the
seed that reproduces it: ``python -m tests.soak --part NAME --seed SEED`` runs that round again.
"""

import random
import sys
import time
import traceback
from collections.abc import Callable

from tests import command_line
from tests.protocol.fuzz import SYNC, fuzz
from tests.soak import files, floods, games, keeping, obeyed, runs, streams, words
from tests.soak.parts import Report

GAMES = ("dvonn", "gomoku,size=7", "gobang,size=9", "go,size=5", "gipf:tournament,zertz=3", "zertz")
LINES = 2_000  # of each protocol in a round
SLICE = 0.03  # share of a round's work in the slice that the tests run
MOST_FAULTS = 50  # that are printed


def lines(seed: int, share: float) -> Report:
    """Send rubbish and near-commands to every protocol, which begins with one of the games."""
    chance, report = random.Random(seed), Report()
    count = max(50, round(LINES * share))
    for protocol in SYNC:
        game = "gomoku,size=7" if protocol == "gomocup" else chance.choice(GAMES)
        found = fuzz(protocol, count, seed, game)
        report.faults += [f"{fault} (game {game})"[:500] for fault in found]
        report.cases += count
    return report


def pages(seed: int, share: float) -> Report:
    """Send random messages to the server of the board in the browser."""
    from tests.soak import messages

    return messages.attack(seed, max(20, round(300 * share)))


PARTS: dict[str, Callable[[int, float], Report]] = {
    "lines": lines,
    "words": words.round_of,
    "files": files.round_of,
    "floods": floods.round_of,
    "obeyed": obeyed.round_of,
    "pages": pages,
    "games": games.round_of,
    "streams": streams.round_of,
    "kills": runs.kills,
    "disks": runs.disks,
    "keeping": keeping.round_of,
    "cluster": runs.cluster,
}
UNITS = {
    "obeyed": "commands",
    "pages": "messages",
    "words": "commands",
    "streams": "processes",
    "cluster": "kills",
    "keeping": "writers",
    "disks": "full disks",
}


def tried(name: str, seed: int, share: float) -> Report:
    """Return the report of one round of a part; an error of the part itself is a fault."""
    try:
        return PARTS[name](seed, share)
    except Exception:
        return Report(1, [f"{name}, seed {seed}: {traceback.format_exc()[-500:]}"])


def table(found: dict[str, Report], rounds: dict[str, int], seconds: dict[str, float]) -> str:
    """Return the reports of all parts in a table."""
    head = ["part", "rounds", "cases", "", "faults", "peak MB", "slowest s", "seconds"]
    rows = [head]
    for name, report in found.items():
        measured = [f"{value:.1f}" if value else "-" for value in (report.peak, report.slowest)]
        counts = [f"{rounds[name]:,}", f"{report.cases:,}", UNITS.get(name, name), f"{len(report.faults)}"]
        rows.append([name, *counts, *measured, f"{seconds[name]:.0f}"])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = zip(row, widths, strict=True)
        aligned = [
            f"{cell:<{width}}" if at in (0, 3) else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(cells)
        ]
        lines.append("  ".join(aligned).rstrip())
    return "\n".join(lines)


def soak(hours: float, seed: int, share: float, names: list[str]) -> int:
    """Run the parts called `names` in turn; at least once each."""
    end = time.monotonic() + 3600 * hours
    found = {name: Report() for name in names}
    rounds, seconds = dict.fromkeys(names, 0), dict.fromkeys(names, 0.0)
    while True:
        for name in names:
            began = time.monotonic()
            found[name].add(tried(name, seed, share))
            rounds[name] += 1
            seconds[name] += time.monotonic() - began
            if time.monotonic() > end and all(rounds.values()):
                break
        else:
            seed += 1
            continue
        break
    faults = [fault for report in found.values() for fault in report.faults]
    for fault in faults[:MOST_FAULTS]:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(table(found, rounds, seconds) + "\n")
    return 1 if faults else 0


def main() -> int:
    """Run the soak as the command line says."""
    parser = command_line(__doc__)
    parser.add_argument("--hours", type=float, default=0.0, help="how long (default: one round)")
    parser.add_argument("--seed", type=int, default=1, help="of the first round (default 1)")
    parser.add_argument("--share", type=float, default=1.0, help="share of a round's usual work (default 1)")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be repeated")
    arguments = parser.parse_args()
    return soak(arguments.hours, arguments.seed, arguments.share, arguments.part or list(PARTS))


if __name__ == "__main__":
    sys.exit(main())
