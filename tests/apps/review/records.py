"""Records to review, and where reviews are written."""

import re

from tengen.apps.review.assessment import Assessment
from tengen.apps.review.journal import POSITIONS
from tengen.search.info import Score
from tests.processes import eventually

EFFORT = ("--nodes", "3000")
BLUNDER = (
    "(;GM[4]SZ[7]RU[Freestyle]PB[A\\]]PW[B:C]C[club];B[dd];W[aa];B[de]C[see \\] \\\\]"
    ";W[ab];B[df];W[gg]WL[9];B[dc];W[ga])"
)
FINISHED = BLUNDER.replace("W[ga])", "W[ga];B[db])")
SETTINGS = {"record": "r", "time": 1.0, "nodes": None, POSITIONS: 3}
FOUND = Assessment(0.25, Score(-220), None, ("D4", "D5"), 3, 99)
ROW = re.compile(
    r" *(\d+) (\?!|\?\?|\? |  )?  (black|white)  (\w\d) +(\d+\.\d) +(\S.*?\S)"
    r"(?: +(\d+\.\d(?: ±\d+\.\d)?))?(?:  (\w\d))?"
)


def journal_of(path):
    return path.with_name(f"{path.stem}.analyzed.jsonl")


def annotated_of(path):
    return path.with_name(f"{path.stem}.analyzed.sgf")


def wait_for_lines(path, number: int) -> None:
    eventually(lambda: path.exists() and path.read_bytes().count(b"\n") >= number)
