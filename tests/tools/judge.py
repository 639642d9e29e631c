"""Dead stones at the end of Go, judged by tengen and by GNU Go: ``python -m tests.tools.judge [FILE...]``.

The final positions of ``tests/rules/go/life`` are judged, or those of some of its files. Whatever tengen or
GNU Go sees otherwise than the file is drawn, and counted at the end. GNU Go is left out where it is missing.
"""

import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self

from tqdm import tqdm

from tengen.engine.board.grids import vertex
from tengen.engine.go.agreement import agreed_score
from tengen.engine.go.state import HUNDREDTHS, coordinates
from tengen.engine.play.position import Position
from tests import command_line
from tests.reference.go.life import Board, TooLargeError
from tests.reference.go.rules import TERRITORY_RULES
from tests.reference.words import COLUMNS
from tests.rules.go.life.positions import FOLDER, FinalPosition, diagram, read_positions

GNUGO_PATH = "/usr/games"
SGF_LETTERS = "abcdefghijklmnopqrstuvwxy"


@dataclass(frozen=True)
class Judgement:
    """What a program says about a final position."""

    program: str
    dead: frozenset[str]  # vertices of stones
    unsure: frozenset[str]
    margin: Fraction  # Black's points less White's, komi included


def judge_by_tengen(final: FinalPosition) -> Judgement:
    """Return what tengen says."""
    score = agreed_score(Position.parse(final.spec, final.text).state)
    dead, unsure = (
        frozenset(vertex(*coordinates(p)) for p in points) for points in (score.dead, score.unsure)
    )
    return Judgement("tengen", dead, unsure, Fraction(score.margin, HUNDREDTHS))


class GnuGo:
    """A process of GNU Go; use it in a ``with`` statement."""

    def __init__(self, command: str, rules: str) -> None:
        scoring = "japanese" if rules in TERRITORY_RULES else "chinese"
        self._process = subprocess.Popen(
            [command, "--mode", "gtp", f"--{scoring}-rules", "--seed", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def ask(self, command: str) -> str:
        """Send a command and return the reply.

        `ValueError` is raised when GNU Go replies by an error.
        """
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines = list(iter(self._process.stdout.readline, "\n"))
        reply = " ".join(line.strip() for line in lines)
        if not reply.startswith("="):
            raise ValueError(f"expected GNU Go to obey {command!r}, got {reply!r}")
        return reply[1:].strip()

    def judge(self, final: FinalPosition) -> Judgement:
        """Return what GNU Go says about a board."""
        file = Path(self._folder.name) / "final.sgf"
        file.write_text(sgf(final))
        self.ask(f"loadsgf {file}")
        dead = frozenset(self.ask("final_status_list dead").split())
        return Judgement("GNU Go", dead, frozenset(), final.board.score(dead))


def sgf(final: FinalPosition) -> str:
    """Return a record of the board alone."""
    board = final.board
    placed: dict[str, list[str]] = {"X": [], "O": []}
    for point, stone in board.stones.items():
        letters = SGF_LETTERS[COLUMNS.index(point[0])] + SGF_LETTERS[board.size - int(point[1:])]
        placed[stone].append(f"[{letters}]")
    stones = "".join(
        f"{key}{''.join(placed[stone])}" for key, stone in (("AB", "X"), ("AW", "O")) if placed[stone]
    )
    return f"(;GM[1]FF[4]SZ[{board.size}]KM[{float(board.komi):g}]{stones}PL[{board.side.upper()}])"


def judge(final: FinalPosition, gnugo: GnuGo | None) -> Iterator[Judgement]:
    """Yield the judgements of all programs."""
    yield judge_by_tengen(final)
    if gnugo:
        yield gnugo.judge(final)


def fault(final: FinalPosition, judgement: Judgement) -> str:
    """Say how a judgement differs from the truth; empty if it does not."""
    settled = final.board.stones.keys() - final.unsure
    if judgement.unsure & settled:
        return "unsure" if judgement.margin == final.margin else "unsure, wrong margin"
    wrong = (judgement.dead ^ final.dead) & settled
    if not wrong:
        if judgement.margin != final.margin and not final.unsure:
            return "wrong margin"
        surprised = judgement.program == "tengen" and not final.unsettled <= judgement.unsure
        return "sure of what is unsettled" if surprised else ""
    winners = {(margin > 0) - (margin < 0) for margin in (judgement.margin, final.margin)}
    return "wrong stones" if len(winners) == 1 else "wrong winner"


def report(final: FinalPosition, judgement: Judgement, what: str) -> str:
    """Return a drawing of the board, and what is wrong."""
    lines = [
        f"{final}: {what} by {judgement.program}",
        f"{final.spec}, margin {float(final.margin):+g}, {judgement.program} {float(judgement.margin):+g}",
        diagram(final, final.dead, judgement.dead ^ final.dead | judgement.unsure),
        "(lower case: dead; in brackets: what is judged otherwise, or not with certainty)",
    ]
    return "\n".join([*lines, *filter(None, (final.verdict, final.by_hand))])


def prove(finals: Iterable[FinalPosition]) -> None:
    """Print where brute force does not confirm what the files say by it."""
    for final in tqdm(finals, desc="brute force", disable=None, leave=False):
        board = Board(final.board, final.safe)
        for key, expected in final.brute_force.items():
            try:
                found: str = board.status(key, *final.brute_force)
            except TooLargeError as error:
                found = str(error)
            if found != expected:
                print(f"{final}: expected {key} {expected}, got {found}")


def main() -> None:
    """Judge the positions, draw the disagreements, and count."""
    parser = command_line(__doc__)
    add = parser.add_argument
    names = sorted(path.name for path in FOLDER.glob("*.txt"))
    add("files", metavar="FILE", nargs="*", default=names, help=" ".join(names))
    add("--name", default="", help="only positions whose name contains this")
    add("--tengen", action="store_true", help="without GNU Go")
    add("--brute-force", action="store_true", help="prove again what the files say by brute force")
    arguments = parser.parse_args()
    command = shutil.which("gnugo") or shutil.which("gnugo", path=GNUGO_PATH)
    faults: Counter[tuple[str, str]] = Counter()
    finals = [
        each for name in arguments.files for each in read_positions(name) if arguments.name in each.name
    ]
    if arguments.brute_force:
        prove(finals)
        return
    for rules in sorted({final.board.rules for final in finals}):
        chosen = [final for final in finals if final.board.rules == rules]
        gnugo = GnuGo(command, rules) if command and not arguments.tengen else None
        for final in tqdm(chosen, desc=rules, disable=None, leave=False):
            for judgement in judge(final, gnugo):
                what = fault(final, judgement)
                faults[judgement.program, what or "right"] += 1
                if what:
                    print(report(final, judgement, what), end="\n\n", flush=True)
        if gnugo:
            gnugo.__exit__(None, None, None)
    print(f"{len(finals)} positions")
    for (program, what), count in sorted(faults.items()):
        print(f"{program:<8} {what:<26} {count:>4}")


if __name__ == "__main__":
    main()
