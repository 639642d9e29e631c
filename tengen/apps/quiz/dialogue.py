"""The dialogue of a quiz: a board, a mistake, answers until one is right or the solution is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from tengen.apps.quiz.progress import Progress, Standing
from tengen.apps.quiz.puzzle import Puzzle, Sessions
from tengen.apps.review.puzzles import Verdict, verdict
from tengen.apps.review.reasons import reasons
from tengen.apps.review.searches import compare
from tengen.apps.terminal.boards import board_text
from tengen.apps.terminal.style import Style
from tengen.engine.errors import TengenError, nearest
from tengen.protocol.interrupts import stop_on_sigint

SHOWN_TURNS = 6  # of a solution
SHOW, SKIP, QUIT, HELP = "show", "skip", "quit", "help"
WORDS = {
    SHOW: "show the solution; the puzzle is asked again",
    SKIP: "go on to the next puzzle; this one stays as it is",
    QUIT: "end the quiz; answers are kept",
    HELP: "show these words",
}


class Quiz:
    """Asks puzzles.

    Parameters
    ----------
    puzzles : sequence of Puzzle
    progress : Progress
        Keeps every answer at once.
    sessions : Sessions
        Judge the answers.
    style : Style
        What the terminal can show.
    today : date

    Attributes
    ----------
    asked, right : int
        Puzzles answered or shown, and those answered rightly at once.
    """

    def __init__(
        self, puzzles: Sequence[Puzzle], progress: Progress, sessions: Sessions, style: Style, today: date
    ) -> None:
        self.asked = self.right = 0
        self._puzzles, self._progress, self._sessions = puzzles, progress, sessions
        self._style, self._today = style, today

    def run(self, ask: Callable[[str], str]) -> None:
        """Ask all puzzles, until the person leaves; `ask` takes a prompt and returns an answer.

        Raises
        ------
        EOFError, KeyboardInterrupt
            As `ask` does.
        """
        for number, puzzle in enumerate(self._puzzles, 1):
            if not self._ask_one(number, puzzle, ask):
                return

    def _ask_one(self, number: int, puzzle: Puzzle, ask: Callable[[str], str]) -> bool:
        """Ask a puzzle; return whether the person wants another one."""
        self._show(number, puzzle)
        first = True  # the first answer is what counts
        while True:
            answer = ask(f"{puzzle.side}> ").strip()
            if answer == QUIT:
                return False
            if answer == SKIP:
                return True
            if answer == SHOW:
                if first:
                    self._note(puzzle, right=False)
                self._solve(puzzle)
                return True
            if answer in ("", HELP):
                print("Enter a turn, or one of:\n" + "\n".join(f"  {w:<5} {t}" for w, t in WORDS.items()))
                continue
            try:
                found = self._judge(puzzle, answer)
            except TengenError as error:
                print(f"{error}{nearest(answer, WORDS)}")
                continue
            if first:
                self._note(puzzle, found.right)
                first = False
            print(_said(found))
            if found.right:
                self._solve(puzzle)
                return True

    def _show(self, number: int, puzzle: Puzzle) -> None:
        """Show the position of a puzzle and what is asked."""
        before = puzzle.move.before
        print(f"\n{number} of {len(self._puzzles)}: {puzzle.file.name}, turn {puzzle.move.number}\n")
        print(board_text(before.position, self._style))
        lost = f"{100 * (puzzle.move.loss or 0):.0f}%"
        print(f"\n{before.played} was a mistake here: it lost {lost}. Find a better turn for {puzzle.side}.")

    def _judge(self, puzzle: Puzzle, answer: str) -> Verdict:
        """Return the verdict on an answer, after a search that compares it with the best turn."""
        before, known = puzzle.move.before, puzzle.move.before_value
        turn = before.position.copy().push(answer, before.mover)
        if turn == known.best:
            return verdict(known, turn, 0.0)
        if turn == before.played:
            return verdict(known, turn, puzzle.move.loss or 0.0)
        session = self._sessions.of(puzzle.spec)
        with stop_on_sigint(session):
            found = compare(before.position, known.best, turn, session, puzzle.limits)
        return verdict(known, turn, 0.0 if found is None else found.best - found.played)

    def _note(self, puzzle: Puzzle, right: bool) -> None:
        """Keep an answer."""
        self.asked += 1
        self.right += right
        self._progress.note(puzzle.name, right, self._today)

    def _solve(self, puzzle: Puzzle) -> None:
        """Show the solution, why the mistake loses, and when the puzzle is asked again."""
        move = puzzle.move
        print(f"The best turn: {' '.join(move.before_value.pv[:SHOWN_TURNS])}")
        for reason in reasons(move):
            print(f"{move.before.played}: {reason.text}")
        standing = self._progress.standing(puzzle.name)
        print(f"Asked again {due_text(standing, self._today)}.")


def _said(found: Verdict) -> str:
    """Return a verdict in words."""
    if not found.right:
        return f"{found.turn} loses {100 * found.loss:.0f}%. Try again, or {SHOW}."
    return f"{found.turn} is right." if found.turn == found.best else f"{found.turn} is good, too."


def due_text(standing: Standing | None, today: date) -> str:
    """Return when a puzzle is asked again, in words."""
    days = (standing.due - today).days if standing else 0
    if days <= 0:
        return "the next time"
    return "tomorrow" if days == 1 else f"in {days} days"
