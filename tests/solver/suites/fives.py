"""The suites of Gomoku (with Renju) and Gobang, confirmed by brute force."""

import contextlib
import sys
import time
from collections import Counter

from tqdm import tqdm

from tengen.engine.play.position import Position
from tests.solver import NO_WIN, Solver, Unfinished
from tests.solver.fives import PATIENCE, Board, Case, Force, cases


def solved(case: Case, force: Force) -> tuple[int | None, int]:
    """Return the plies of the win that the engine's solver finds, None for none, and the actions it tried.

    0 for a line that brute force does not confirm.
    """
    solver, turns = Solver(Position.parse(case.spec, case.text), PATIENCE), ()
    with contextlib.suppress(Unfinished):
        turns = solver.turns(0)
    if turns and not force.confirm_line(Board.parse(case.spec, case.text), turns):
        return 0, solver.tried
    return len(turns) or None, solver.tried


def confirm(game: str) -> bool:
    """Say what brute force and solver find in the suite; return whether both find what the suite says."""
    tried, seconds = Counter[str](), Counter[str]()
    wrong, suited = [], cases(game)
    forces = {spec: Force(spec) for spec in {case.spec for case in suited}}
    for case in tqdm(suited, unit="position", disable=not sys.stderr.isatty()):
        force = forces[case.spec]
        began = time.perf_counter()
        verdict = force.shortest_win(Board.parse(case.spec, case.text))
        between = time.perf_counter()
        plies, actions = solved(case, force)
        seconds += Counter(force=between - began, solver=time.perf_counter() - between)
        tried += Counter(force=verdict.tried, solver=actions)
        if verdict.plies != case.plies or (plies or 0) < (case.plies or 0) or bool(plies) != bool(case.plies):
            wrong.append(f"{case.line()}: brute force {verdict.plies}, solver {plies}\n")
    sys.stdout.write("".join(wrong))
    lengths = Counter(NO_WIN if case.plies is None else str(case.plies) for case in suited)
    sys.stdout.write(
        f"{game}: {len(suited)} positions by plies: "
        + ", ".join(f"{plies}: {number}" for plies, number in lengths.items())
        + f"; {len(wrong)} wrong; "
        f"brute force {tried['force']} positions in {seconds['force']:.1f} s, "
        f"solver with its lines confirmed {tried['solver']} actions in {seconds['solver']:.1f} s\n"
    )
    return not wrong
