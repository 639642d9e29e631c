"""How far reviews of Go can be trusted: ``python -m tests.tools.reviews [--games N] [--blunders N]``.

The engine plays against itself, with random first turns and an effort that varies. Its games are reviewed
with the same number of simulations. Hardly any turn should be marked. Then turns are planted that a much
longer search finds to lose 15% or more; they should be marked. Games are cut off, to save time.
"""

import argparse
import random
from collections.abc import Iterator

from tqdm import tqdm

from tengen.apps.review.assessment import JudgedMove, judge_move, record_positions
from tengen.apps.review.searches import assess, checked, compare
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tengen.protocol.session import Session
from tengen.search.limits.limit import Limit

SIZES = (9, 19)
EFFORTS = (500, 2000)  # simulations of a position
RANDOM_TURNS = 4  # at the start of a game, so that games differ
LONGEST = {9: 120, 19: 60}  # turns of a game
VARIATION = 0.2  # of the simulations of a turn played: equals, but not the same player
LEAST_LOSS = 0.15  # of a planted turn
SURE_EFFORT = {9: 20_000, 19: 8_000}  # simulations that tell whether a planted turn loses so much
QUICK_EFFORT = 3000  # simulations that tell that a turn hardly loses anything
QUIET_TURNS = 8  # before a turn is planted
CANDIDATES = 12  # random turns that are tried in one position


def play_game(session: Session, simulations: int, rng: random.Random) -> list[str]:
    """Return the turns of a game of the engine against itself."""
    position = Position.start(session.spec)
    for _ in range(RANDOM_TURNS):
        position.push(rng.choice([turn for turn in position.turns() if turn != "pass"]))
    longest = LONGEST[int(session.spec.values["size"])]
    while position.outcome() == Outcome.ONGOING and len(position.turns_played) < longest:
        session.clear_search()
        nodes = int(simulations * rng.uniform(1 - VARIATION, 1 + VARIATION))
        position.push(session.worker.search(position, Limit(nodes=nodes)).turn)
    return position.turns_played


def judge(session: Session, turns: list[str], simulations: int, numbers: list[int]) -> Iterator[JudgedMove]:
    """Yield the turns with these numbers, judged as in a review with so many simulations."""
    sides = [(number % 2, turn) for number, turn in enumerate(turns)]
    positions = record_positions(Record(session.spec, None, sides))
    limits = Limit(nodes=simulations)
    known = {}
    for number in numbers:
        for entry in positions[number - 1 : number + 1]:
            if entry.number not in known and not entry.is_final:
                following = positions[entry.number + 1] if entry.number + 1 < len(positions) else None
                known[entry.number] = assess(entry, following, session, limits)
    for number in numbers:
        before, after = positions[number - 1], positions[number]
        if not after.is_final:
            yield checked(judge_move(before, known[number - 1], after, known[number]), session, limits)


def planted(session: Session, turns: list[str], rng: random.Random) -> list[str] | None:
    """Return the beginning of a game with a turn at its end that loses much; None if none is found."""
    quick, sure = Limit(nodes=QUICK_EFFORT), Limit(nodes=SURE_EFFORT[int(session.spec.values["size"])])
    length = rng.randrange(QUIET_TURNS, max(QUIET_TURNS + 1, len(turns) - 2))
    position = Position.start(session.spec)
    for turn in turns[:length]:
        position.push(turn)
    best = session.worker.search(position, Limit(nodes=sure.nodes, multipv=2)).turn
    others = [turn for turn in position.turns() if turn not in ("pass", best)]
    for turn in rng.sample(others, min(CANDIDATES, len(others))):
        found = compare(position, best, turn, session, quick)
        if found is None or found.best - found.played < LEAST_LOSS / 3:
            continue
        found = compare(position, best, turn, session, sure)
        if found and found.best - found.played - found.error >= LEAST_LOSS:
            return [*turns[:length], turn]
    return None


def measure_marks(session: Session, effort: int, count: int, rng: random.Random) -> list[list[str]]:
    """Print how many turns of games between equals are marked; return the games."""
    games, moves = [], []
    for _ in tqdm(range(count), f"games of {effort}", leave=False):
        turns = play_game(session, effort, rng)
        games.append(turns)
        moves += judge(session, turns, effort, list(range(RANDOM_TURNS + 1, len(turns) + 1)))
    marked = sum(bool(move.mark) for move in moves)
    print(f"{session.spec}, {effort} simulations: {marked} of {len(moves)} turns marked", flush=True)
    return games


def measure_finds(session: Session, games: list[list[str]], count: int, rng: random.Random) -> None:
    """Print how many planted turns are marked, by effort; after Ctrl-C, of those planted so far."""
    hits, judged = dict.fromkeys(EFFORTS, 0), 0
    try:
        with tqdm(total=count, desc="planted", leave=False) as bar:
            while judged < count:
                if not (turns := planted(session, rng.choice(games), rng)):
                    continue
                marked = {effort: _is_marked(session, turns, effort) for effort in EFFORTS}
                hits = {effort: hits[effort] + marked[effort] for effort in EFFORTS}
                judged += 1
                bar.update()
    except KeyboardInterrupt:
        session.stop_and_wait()
    for effort in EFFORTS:
        print(
            f"{session.spec}, {effort} simulations: {hits[effort]} of {judged} planted turns marked",
            flush=True,
        )


def _is_marked(session: Session, turns: list[str], effort: int) -> bool:
    """Return whether a review marks the last of `turns`."""
    return any(move.mark for move in judge(session, turns, effort, [len(turns)]))


def main() -> None:
    """Print how many turns are marked, and how many planted ones are found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, choices=SIZES, help="of the board (default: each)")
    parser.add_argument("--effort", type=int, choices=EFFORTS, help="simulations in games (default: each)")
    parser.add_argument("--games", type=int, default=10, help="of each size and effort (default 10)")
    parser.add_argument("--blunders", type=int, default=50, help="planted on each size (default 50)")
    parser.add_argument("--komi", type=float, default=7, help="(default 7: with the net on 9x9)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for size in [arguments.size] if arguments.size else SIZES:
        rng = random.Random(arguments.seed)
        session = Session(GameSpec.parse(f"go,size={size},komi={arguments.komi:g}"))
        session.ensure_compiled(print)
        games = []
        for effort in [arguments.effort] if arguments.effort else EFFORTS:
            games += measure_marks(session, effort, arguments.games, rng)
        measure_finds(session, games, arguments.blunders, rng)


if __name__ == "__main__":
    main()
