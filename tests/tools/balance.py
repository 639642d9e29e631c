"""Look for balanced openings of three stones, for Swap2: ``python -m tests.tools.balance``.

All openings of two black stones and a white one within the middle five by five points, no two alike, are
searched for White, who is to move. Those nearest to even are searched longer, and printed with what they are
worth, in hundredths of a point, in each of the games.
"""

import itertools
from collections.abc import Iterator

from tengen.engine.board.grids import vertex
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import positive_int
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tests import command_line

REACH = 2  # points from the middle
GAMES = ("gomoku", "gomoku:exactly-five", "gomoku,size=20")

Place = tuple[int, int]
Swap2Opening = tuple[Place, Place, Place]


def openings() -> Iterator[Swap2Opening]:
    """Yield all openings, as places from the middle: Black, White, Black. Of mirror images only one."""
    offsets = range(-REACH, REACH + 1)
    places = list(itertools.product(offsets, offsets))
    seen = set()
    for first, second in itertools.combinations(places, 2):
        for white in places:
            if white not in (first, second):
                least = min(_images((first, white, second)))
                if least not in seen:
                    seen.add(least)
                    yield first, white, second


def _images(opening: Swap2Opening) -> Iterator[Swap2Opening]:
    """Yield the opening in all turns and mirrorings, the black stones in order."""
    for x, y, crossed in itertools.product((1, -1), (1, -1), (False, True)):
        turned = [(y * b, x * a) if crossed else (x * a, y * b) for a, b in opening]
        yield min(turned[0], turned[2]), turned[1], max(turned[0], turned[2])


def value(worker: Worker, spec: GameSpec, opening: Swap2Opening, nodes: int) -> int:
    """Return what the position after `opening` is worth for White, by a search of so many positions."""
    position = Position.start(spec)
    middle = int(spec.values["size"]) // 2
    for x, y in opening:
        position.push(vertex(middle + x, middle + y))
    worker.new_game()
    return worker.search(position, Limit(nodes=nodes)).lines[0].score.value


def main() -> None:
    """Search, and print what is nearest to even."""
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--nodes", metavar="N", type=positive_int, default=60_000, help="positions at first")
    add("--more", metavar="N", type=positive_int, default=600_000, help="positions for those that are left")
    add("--keep", metavar="N", type=positive_int, default=40, help="how many are left")
    arguments = parser.parse_args()
    worker, specs = Worker(), [GameSpec.parse(game) for game in GAMES]
    first = {opening: abs(value(worker, specs[0], opening, arguments.nodes)) for opening in openings()}
    for opening in sorted(first, key=first.__getitem__)[: arguments.keep]:
        values = [value(worker, spec, opening, arguments.more) for spec in specs]
        print(opening, *values, flush=True)


if __name__ == "__main__":
    main()
