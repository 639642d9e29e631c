"""DVONN's endings, confirmed by brute force."""

import sys
import time
from collections import Counter

from tqdm import tqdm

from tests.solver.dvonn import Ending, Force, cases


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
