"""Puzzles with one turn that is right, found by self-play: ``python -m tests.tools.puzzles GAME``.

Weak levels play each other after a few random turns. A position of such a game is a puzzle if only one turn
is proven to win, or if all turns but one are proven to lose. Turns that lead to the same position count as
one. No other turn than the winning one may be found to win: each is searched by itself or, if they are
many, all together. Where the result of an ending is known exactly, so must be that of all turns. A puzzle
goes on with the best reply as long as again only one turn wins.

In a game of `FIGHTS`, puzzles are made of the cases of `tests.solver` that one first turn decides.

Puzzles are appended to the game's file in the package as they are found. A run that is started again goes
on with what the file has. ``--confirm`` looks at all of them again with more effort, leaves out those that
it does not confirm, and sorts the others, the easiest first.
"""

import argparse
import itertools
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from tqdm import tqdm

from tengen.apps.quiz.collection import FOLDER, HOLD, WIN, Problem
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.search.binding import bound
from tengen.search.info import Info
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.openings import candidate_turn, image_keys
from tests.solver.suites import go

QUICK, PROOF, THOROUGH = 4_000, 20_000, 100_000  # positions: of a first look, for one turn, for many turns
CONFIRMING = 4  # times as many
HASH_MB = 4
PLAYERS = 4, 6, 8, 10, 12  # levels
OPENING = 2, 8  # random turns
LONGEST = 400  # turns of a game
LATEST = 40  # turns before the end of a game from which positions are taken
APART = 8  # turns between two puzzles of a game
PER_GAME = 2
LEAST_CHOICE = 3  # other turns
MANY = 40  # other turns, which are searched together
MOST_ASKED = 4  # turns of a puzzle
MISSING = 1, 5, 10, 15  # levels whose turns grade a puzzle
SEED = 1  # of what these levels choose
LONG = 200  # characters of a position, of which the turns that lead to it are written instead
EASY, SHORT, HOLDS = 0.15, 0.2, 0.4  # shares, at most: that no level misses, that win at once, that hold
FIGHTS = {"go": go}


@dataclass(frozen=True)
class Only:
    """The only turn that is right, what it does, and how the game goes on."""

    turn: str
    goal: str
    length: int  # turns of the side to move until it has won; 0 where it only holds
    reply: str = ""  # empty at the end of the game


class Finder:
    """Searches positions for puzzles, with so many times the usual effort."""

    def __init__(self, effort: int = 1) -> None:
        self._worker, self._effort = Worker(hash_mb=HASH_MB * effort), effort

    def _search(self, position: Position, nodes: int, **limits: int | tuple[str, ...]) -> tuple[Info, ...]:
        """Return the lines of a search that knows what was found in this position before."""
        return self._worker.search(position, Limit(nodes=nodes * self._effort, **limits)).lines

    def only(self, position: Position, holds: bool = True) -> Only | None:
        """Return the only turn that is right; None if there are several or none, or it is not proven."""
        self._worker.new_game()
        (best, *_) = self._search(position, QUICK)
        first, *more = self._search(position, QUICK, multipv=2)
        won, second = turns_to_win(best) or 0, turns_to_win(more[0]) or 0 if more else 0
        exact = best.score.margin is not None
        if not best.pv or won < 0 or (won == 0 and not (exact or (holds and second < 0))):
            return None
        turn = best.pv[0] if won > 0 or exact else first.pv[0]
        right = after(position, turn)
        if (
            won > 0
            and second > 0
            and any(after(position, line.pv[0]).key != right.key for line in (first, more[0]))
        ):
            return None
        others = {after(position, other).key: other for other in position.turns()}
        others.pop(right.key, None)
        if len(others) < LEAST_CHOICE:
            return None
        results = self._results(position, list(others.values()))
        won, reply = self._result(position, turn)
        if max(result or 0 for result in results) > 0 or (None in results and (exact or won is None)):
            return None
        if won is not None and won > 0:
            return Only(turn, WIN, (won + 1) // 2, reply)
        lost = all(result is not None and result < 0 for result in results)
        return Only(turn, HOLD, 0) if lost and won in (None, 0) else None

    def _result(self, position: Position, turn: str) -> tuple[int | None, str]:
        """Return in how many turns the side to move is proven to win by a turn, and the reply.

        The number is negative for a loss, 0 for a draw, None where nothing is proven.
        """
        child = after(position, turn)
        if child.outcome() != Outcome.ONGOING:
            winner = child.winner()
            return 0 if winner == "draw" else 1 if winner == position.side else -1, ""
        line = self._search(child, PROOF)[0]
        turns = turns_to_win(line)
        if turns is None:
            return 0 if line.score.margin == 0 else None, ""
        won = turns > 0 if child.side_to_move == position.side_to_move else turns < 0
        return (abs(turns) + 1) * (1 if won else -1), line.pv[0] if line.pv else ""

    def _results(self, position: Position, others: list[str]) -> list[int | None]:
        """Return the number of `_result` for each of other turns, or if they are many for the best one."""
        if len(others) > MANY:
            return [turns_to_win(self._search(position, THOROUGH, searchmoves=tuple(others))[0])]
        found = list[int | None]()
        for other in others:
            found.append(self._result(position, other)[0])
            if (found[-1] or 0) > 0:
                break
        return found

    def problem(self, position: Position, holds: bool = True) -> Problem | None:
        """Return the puzzle of a position, not graded yet; None if it is none."""
        text = position.text()
        opening = (text,) if len(text) < LONG else position.turns_played
        found = Problem(0, str(position.spec), opening, HOLD, 0, (), 0)
        position = found.position()  # with the history that people will see
        first = only = self.only(position, holds)
        if first is None or only is None:
            return None
        line = [only.turn]
        while only.goal == WIN and only.reply and len(line) < 2 * MOST_ASKED - 1:
            reply = only.reply
            position.push(only.turn)
            position.push(reply)
            if (
                position.outcome() != Outcome.ONGOING
                or position.side_to_move != found.position().side_to_move
            ):
                break
            only = self.only(position, holds=False)
            if only is None or only.goal != WIN:
                break
            line += [reply, only.turn]
        return replace(found, goal=first.goal, length=first.length, line=tuple(line))


def after(position: Position, turn: str) -> Position:
    """Return the position after a turn."""
    position = position.copy()
    position.push(turn)
    return position


def turns_to_win(line: Info) -> int | None:
    """Return in how many turns a line is proven to win; negative for a loss, None where neither is proven."""
    turns = line.score.turns_to_win
    return None if turns and line.bound == ("upper" if turns > 0 else "lower") else turns


def confirmed(problem: Problem, finder: Finder) -> Problem | None:
    """Return a puzzle as its first turn is found again; None if it is not the only one that is right."""
    position = problem.position()
    if problem.spec.partition(",")[0] in FIGHTS:
        case = FIGHTS[problem.spec.partition(",")[0]].find_case(position)
        return problem if case and case.moves == {problem.line[0]} else None
    only = finder.only(position)
    if only is None or after(position, only.turn).key != after(position, problem.line[0]).key:
        return None
    return replace(problem, goal=only.goal, length=only.length)


def surely_confirmed(problem: Problem, quick: Finder, thorough: Finder) -> Problem | None:
    """Return a puzzle as the thorough search finds it again, unless the quick one takes longer to win."""
    found = confirmed(problem, thorough)
    at_first = confirmed(problem, quick) if found else None
    if found and at_first and at_first.goal == found.goal and at_first.length > found.length:
        return None
    return found


def missed(problem: Problem) -> int:
    """Return how many of the levels `MISSING` do not find the turn."""
    position = problem.position()
    right = after(position, problem.line[0]).key
    workers = (Worker(hash_mb=HASH_MB, level=level, level_seed=SEED) for level in MISSING)
    turns = [worker.search(position, Limit()).turn for worker in workers]
    return sum(after(position, turn).key != right for turn in turns)


def play(spec: str, generator: random.Random) -> list[Position]:
    """Return the positions of a game between two levels."""
    position, positions = Position.start(spec), list[Position]()
    players = [
        Worker(hash_mb=HASH_MB, level=generator.choice(PLAYERS), level_seed=generator.randrange(1, 10**9))
        for _ in range(2)
    ]
    actions = np.zeros(bound(position.spec.game).MAX_ACTIONS, np.int32)
    opening = generator.randint(*OPENING)
    while position.outcome() == Outcome.ONGOING and len(positions) < LONGEST:
        positions.append(position.copy())
        if len(positions) <= opening:
            position.push(position.format(tuple(candidate_turn(position, generator, actions))))
        else:
            position.push(players[position.side_to_move].search(position, Limit()).turn)
    return positions


def of_games(spec: str, seed: int) -> Iterator[Problem]:
    """Yield the puzzles of games, for ever, not graded yet."""
    finder = Finder()
    for number in itertools.count():
        taken, wait = 0, 0
        for position in play(spec, random.Random(f"{spec} {seed} {number}"))[-LATEST:]:
            wait -= 1
            if wait < 0 and taken < PER_GAME and (found := finder.problem(position)):
                taken, wait = taken + 1, APART
                yield found


def of_fights(game: str, seed: int) -> Iterator[Problem]:
    """Yield the cases of a suite, and more of its kind, that one first turn decides; not graded yet."""
    suite = FIGHTS[game]
    for case in itertools.chain(suite.cases(), (case for case, _ in suite.found(seed))):
        if len(case.moves) == 1:
            yield Problem(0, case.spec, (case.text,), WIN, 0, tuple(case.moves), 0)


def is_wanted(found: Problem, made: list[Problem], count: int) -> bool:
    """Return whether there are not too many puzzles like this one."""
    shares = {
        EASY: lambda each: not each.missed,
        SHORT: lambda each: each.length == 1,
        HOLDS: lambda each: each.goal == HOLD,
    }
    return all(sum(map(like, made)) < share * count for share, like in shares.items() if like(found))


def make(game: str, count: int, seed: int, made: list[Problem]) -> Iterator[Problem]:
    """Yield new puzzles of a game, graded, until there are `count`."""
    seen = {key for problem in made for key in image_keys(problem.position())}
    for found in of_fights(game, seed) if game in FIGHTS else of_games(game, seed):
        if len(made) >= count:
            return
        keys = image_keys(found.position())
        if not seen & keys and is_wanted(replace(found, missed=1), made, count):
            found = replace(found, missed=missed(found))
            if is_wanted(found, made, count):
                seen |= keys
                made.append(found)
                yield found


def main() -> None:
    """Find puzzles, or confirm those that there are."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=200, help="puzzles of the file (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--confirm", action="store_true", help="look at all puzzles again, and sort them")
    arguments = parser.parse_args()
    path = FOLDER / f"{arguments.game}.txt"
    path.touch()
    made = [Problem.parse(line) for line in path.read_text("utf-8").splitlines()]
    if arguments.confirm:
        finders = Finder(), Finder(CONFIRMING)
        found = [surely_confirmed(problem, *finders) for problem in tqdm(made, disable=None)]
        kept = [problem for problem in found if problem]
        kept.sort(key=lambda problem: (problem.missed, problem.length, len(problem.line), problem.text()))
        path.write_text("".join(f"{problem.text()}\n" for problem in kept), "utf-8")
        sys.stdout.write(f"{path}: {len(kept)} of {len(made)} puzzles confirmed\n")
        return
    seed = arguments.seed + len(made)
    with path.open("a", encoding="utf-8") as file, tqdm(total=arguments.count, disable=None) as bar:
        bar.update(len(made))
        for problem in make(arguments.game, arguments.count, seed, made):
            file.write(f"{problem.text()}\n")
            file.flush()
            bar.update()


if __name__ == "__main__":
    main()
