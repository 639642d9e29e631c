"""ZÈRTZ's suite, confirmed by brute force."""

import sys
import time
from collections import Counter

from tqdm import tqdm

from tests.solver import Solver
from tests.solver.zertz import MOST, cases, fewest_sacrifices


def confirm() -> bool:
    """Say what brute force and solver find in the suite; return whether both find what the suite says."""
    actions, seconds = Counter[str](), Counter[str]()
    wrong = []
    suite = cases()
    won = sum(case.sacrifices is not None for case in suite)
    for case in tqdm(suite, unit="position", disable=not sys.stderr.isatty()):
        began = time.perf_counter()
        by_force, tried = fewest_sacrifices(case.position())
        between = time.perf_counter()
        solver = Solver(case.position())
        solved = solver.fewest_offers(MOST)
        seconds += Counter(force=between - began, solver=time.perf_counter() - between)
        actions += Counter(force=tried, solver=solver.tried)
        if not case.sacrifices == by_force == solved:
            wrong.append(f"{case.line()}: brute force {by_force}, solver {solved}\n")
    sys.stdout.write("".join(wrong))
    sys.stdout.write(
        f"{len(suite)} positions, {won} of them won, {len(wrong)} wrong; "
        f"brute force {actions['force']} actions in {seconds['force']:.1f} s, "
        f"solver {actions['solver']} in {seconds['solver']:.1f} s\n"
    )
    return not wrong
