"""DVONN's endings: taken from games or composed, and confirmed by brute force.

Endings of games have as their origin ``random`` or ``engine``: who played. The others are composed at random
and kept for what best play shows in them:

- ``passes``: one side passes three times or more;
- ``returns``: a side that had to pass moves again later [D-7];
- ``cut``: the side to move wins, but only by turns that take stacks off the board [D-6];
- ``draw``: nobody wins, and some turns lose;
- ``reds``: a stack with two or three DVONN pieces, and one with a DVONN piece that moves;
- ``bare``: one side has no stacks left;
- ``crowded``: many stacks, few moves.
"""

import contextlib
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, pairwise, zip_longest
from typing import NamedTuple

from tqdm import tqdm

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.openings import random_turn
from tests.reference import reference
from tests.solver import Unfinished
from tests.solver.dvonn import (
    CELLS,
    COLUMNS,
    DVONN_PIECE,
    EMPTY,
    PIECES,
    REACH,
    ROWS,
    SPEC,
    STAR,
    SUITE,
    Case,
    Ending,
    Force,
    cases,
)

PLIES = range(2, 11)  # to the end
HARDEST = 20_000  # positions that brute force may look at for one
HARDEST_COMPOSED, EASIEST = 4_000, 20  # the same for composed ones, and at how many it has to look
NODES = 100, 1000  # of each turn of self-play
OPENINGS = 8, PIECES  # random turns before it
BLUNDERS = 0.1  # so many later turns are random
# Composed endings: DVONN pieces by stack, how many stacks, their heights without DVONN pieces, White's share
# of them, and how often a DVONN piece is alone.
REDS = [1, 1, 1], [1, 1, 1], [2, 1], [3]
STACKS = 5, 16
HEIGHTS = (1, 1, 1, 2, 2, 3, 4, 6), (2, 3, 4, 5, 6), (1, 1, 2, 4, 5, 6, 7)
SHARES = 0.0, 0.3, 0.5, 0.5, 0.7, 1.0
LONE = 0.5
MANY, FEW = 11, 6  # stacks, moves of both sides together

# ----------------------------------------------------------------------------------------- endings of games


def random_games(seed: int) -> Iterator[list[str]]:
    """Yield the positions of random games, without the end; for ever."""
    for number in range(sys.maxsize):
        generator = random.Random(f"random {seed} {number}")
        position, texts = Position.start(SPEC), list[str]()
        while position.outcome() == Outcome.ONGOING:
            texts.append(position.text())
            position.push(random_turn(position, generator))
        yield texts


def engine_games(seed: int) -> Iterator[list[str]]:
    """Yield the positions of games of the engine against itself, without the end; for ever."""
    worker = Worker(hash_mb=8)
    for number in range(sys.maxsize):
        generator = random.Random(f"engine {seed} {number}")
        position, texts = Position.start(SPEC), list[str]()
        opening, limits = generator.choice(OPENINGS), Limit(nodes=generator.randint(*NODES))
        worker.new_game()
        while position.outcome() == Outcome.ONGOING:
            texts.append(position.text())
            by_chance = len(texts) <= opening or generator.random() < BLUNDERS
            turn = random_turn(position, generator) if by_chance else worker.search(position, limits).turn
            position.push(turn)
        yield texts


GAMES = {"random": random_games, "engine": engine_games}


def from_games(origin: str, seed: int) -> Iterator[Case]:
    """Yield the endings of each game, up to one that is too hard; for ever."""
    for texts in GAMES[origin](seed):
        with contextlib.suppress(Unfinished):
            for plies in PLIES:
                text = texts[-plies]
                if text.endswith("m"):
                    yield Case(text, Force(HARDEST).margin(Ending.parse(text)), origin, plies)


# ---------------------------------------------------------------------------------------- composed endings


class Study(NamedTuple):
    """What is known of a composed ending."""

    text: str
    line: list[Ending]  # best play, from the position itself to the end of the game
    force: Force

    @property
    def ending(self) -> Ending:
        """The position."""
        return self.line[0]

    def passes(self) -> list[int]:
        """Return the plies of the line at which the side to move passes."""
        return [ply for ply, (before, after) in enumerate(pairwise(self.line)) if after == before.passed()]


def shows_passes(study: Study) -> bool:
    """Return whether one side passes three times or more."""
    return max(Counter(ply % 2 for ply in study.passes()).values(), default=0) >= 3


def shows_returns(study: Study) -> bool:
    """Return whether a side that has passed moves later."""
    passes = study.passes()
    moves = set(range(len(study.line) - 1)).difference(passes)
    return any(move > ply and (move - ply) % 2 == 0 for ply in passes for move in moves)


def shows_cut(study: Study) -> bool:
    """Return whether there are turns that take nothing off the board, and only others win."""
    ending, force = study.ending, study.force
    quiet = [child for child in ending.children() if child.on_board() == ending.on_board()]
    return bool(quiet) and force.reaches(ending, 1) and all(force.reaches(child, 0) for child in quiet)


def shows_draw(study: Study) -> bool:
    """Return whether the game is drawn, and some turn loses it."""
    ending, force = study.ending, study.force
    drawn = force.margin(ending) == 0
    return drawn and any(force.reaches(child, 1) for child in ending.children())


def shows_reds(study: Study) -> bool:
    """Return whether a stack has more than one DVONN piece, and a stack with one moves."""
    return re.search(r"\*[23]", study.text) is not None and len({at.reds for at in study.line}) > 1


def shows_bare(study: Study) -> bool:
    """Return whether one side has no stacks."""
    return not (study.ending.mine and study.ending.theirs)


def shows_crowded(study: Study) -> bool:
    """Return whether there are many stacks and few moves."""
    ending = study.ending
    moves = sum(1 for side in (ending, ending.passed()) for _ in side.moves())
    return (ending.mine | ending.theirs).bit_count() >= MANY and moves <= FEW


PURPOSES: Mapping[str, Callable[[Study], bool]] = {
    "passes": shows_passes,
    "returns": shows_returns,
    "cut": shows_cut,
    "draw": shows_draw,
    "reds": shows_reds,
    "bare": shows_bare,
    "crowded": shows_crowded,
}


def composed(generator: random.Random) -> str:
    """Return the text of a position: DVONN pieces anywhere, stacks of random heights beside what stands."""
    reds = generator.choice(REDS)
    cells = generator.sample(CELLS, len(reds))
    number = generator.randint(*STACKS)
    while len(cells) < number:
        beside = REACH[1][generator.choice(cells)]
        cells += generator.choice(
            [[cell] for cell in CELLS if beside >> cell & 1 and cell not in cells] or [[]]
        )
    heights, white = generator.choice(HEIGHTS), generator.choice(SHARES)
    contents = dict.fromkeys(CELLS, EMPTY)
    for cell, red in zip_longest(cells, reds, fillvalue=0):
        height = red + generator.choice(heights)
        top = "W" if generator.random() < white else "B"
        star = STAR * min(red, 1) + f"{red}" * (red > 1)
        contents[cell] = DVONN_PIECE if red == 1 and generator.random() < LONE else f"{top}{height}{star}"
    left = iter(contents.values())
    rows = (",".join(islice(left, len(row))) for row in ROWS)
    return f"{'/'.join(rows)} {generator.choice('wb')} m"


def studied(seed: int) -> Iterator[Study]:
    """Yield composed endings that are neither too hard nor too easy; for ever."""
    generator = random.Random(f"composed {seed}")
    while True:
        text, force = composed(generator), Force(HARDEST_COMPOSED)
        with contextlib.suppress(ValueError, Unfinished):
            reference(SPEC, text)  # too many pieces, or more
            line = force.line(Ending.parse(text))
            if len(line) - 1 in PLIES and force.tried >= EASIEST:
                yield Study(text, line, force)


def on_purpose(seed: int) -> Iterator[Case]:
    """Yield composed endings, once for each purpose that they serve; for ever."""
    for study in studied(seed):
        margin, plies = study.force.margin(study.ending), len(study.line) - 1
        for purpose, shows in PURPOSES.items():
            with contextlib.suppress(Unfinished):
                if shows(study):
                    yield Case(study.text, margin, purpose, plies)


# ------------------------------------------------------------------------------------------------- commands


def kind(case: Case) -> str:
    """Return what a suite has a certain number of."""
    return f"{case.origin} {case.plies}" if case.origin in GAMES else case.origin


def make(number: int, seed: int) -> None:
    """Write a suite with `number` endings for each purpose, and of games for each number of plies."""
    sources = [(from_games(origin, seed), [f"{origin} {plies}" for plies in PLIES]) for origin in GAMES]
    sources.append((on_purpose(seed), list(PURPOSES)))
    made, seen = list[Case](), set[Ending]()
    total = number * sum(len(kinds) for _, kinds in sources)
    with tqdm(total=total, unit="position", disable=not sys.stderr.isatty()) as bar:
        for found, kinds in sources:
            left = Counter(dict.fromkeys(kinds, number))
            while left.total():
                case = next(found)
                ending = Ending.parse(case.text)
                if left[kind(case)] > 0 and ending not in seen:
                    seen |= ending.alike()
                    made.append(case)
                    left[kind(case)] -= 1
                    bar.update()
    origins = [*GAMES, *PURPOSES]
    made.sort(key=lambda case: (origins.index(case.origin), case.plies))
    SUITE.write_text("\n".join([COLUMNS, *(case.line() for case in made)]) + "\n", "utf-8")
    sys.stdout.write(f"{SUITE}: {len(made)} positions\n")


def confirm() -> bool:
    """Say what brute force finds in the suite; return whether it finds what the suite says."""
    wrong, tried, seconds = [], Counter[str](), Counter[str]()
    suite = cases()
    for case in tqdm(suite, unit="position", disable=not sys.stderr.isatty()):
        force, began = Force(), time.perf_counter()
        margin = force.margin(Ending.parse(case.text))
        tried[case.origin] += force.tried
        seconds[case.origin] += time.perf_counter() - began
        if margin != case.margin:
            wrong.append(f"{case.line()}: brute force {margin}\n")
    sys.stdout.write("".join(wrong))
    numbers = Counter(case.origin for case in suite)
    sys.stdout.write(
        f"dvonn: {len(suite)} positions by origin: "
        + ", ".join(f"{origin}: {number}" for origin, number in numbers.items())
        + f"; {len(wrong)} wrong; brute force {tried.total()} positions in {seconds.total():.1f} s\n"
    )
    return not wrong
