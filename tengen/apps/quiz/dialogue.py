"""What answers to a puzzle do, and the dialogue that asks puzzles in the terminal."""

from collections.abc import Sequence
from datetime import date

from tengen.apps.language import say, translate
from tengen.apps.quiz.collection import Problem
from tengen.apps.quiz.mistakes import Mistake
from tengen.apps.quiz.progress import Progress, Standing
from tengen.apps.terminal import Ask, Style, board_text
from tengen.engine.errors import TengenError, nearest
from tengen.engine.notation import shown, typed

HINT, SHOW, SKIP, QUIT, HELP = "hint", "show", "skip", "quit", "help"
WORDS = {
    HINT: "where to look; asked again, how the turn begins",
    SHOW: "show the solution; the puzzle is asked again",
    SKIP: "go on to the next puzzle; this one stays as it is",
    QUIT: "end the quiz; answers are kept",
    HELP: "show these words",
}
Puzzle = Mistake | Problem


class Attempt:
    """A puzzle that is being answered; the first answer is what counts."""

    def __init__(self, puzzle: Puzzle, progress: Progress) -> None:
        self.puzzle, self.position, self.left = puzzle, puzzle.position(), list(puzzle.line)
        self.first: bool | None = None  # whether the first answer was right; None before it
        self.solved = False  # whether all turns were found in the end
        self._progress = progress

    def answer(self, turn: str, today: date) -> tuple[bool, str, list[str]]:
        """Return whether a turn is right, what is said of it, and what is played, with the reply.

        An empty one asks to be told: all turns that are left are played, and the puzzle is not solved.
        """
        right, said = self.puzzle.judge(self.position, turn, self.left[0]) if turn else (False, "")
        if self.first is None:
            self._progress.note(self.puzzle.name, right, today)
            self.first = right
        count = 2 if right else 0 if turn else len(self.left)
        played, self.left = self.left[:count], self.left[count:]
        for each in played:
            self.position.push(each)
        self.solved = right and not self.left
        return right, said, played


class Quiz:
    """Asks puzzles, or the `tasks` after lessons."""

    def __init__(
        self, puzzles: Sequence[Puzzle], progress: Progress, style: Style, today: date, tasks: bool = False
    ) -> None:
        self.attempts: list[Attempt] = []
        self._puzzles, self._progress, self._tasks = puzzles, progress, tasks
        self._style, self._today = style, today

    def run(self, ask: Ask) -> None:
        """Ask all puzzles, until the person leaves."""
        for number, puzzle in enumerate(self._puzzles, 1):
            if not self._ask_one(number, puzzle, ask):
                return

    def _ask_one(self, number: int, puzzle: Puzzle, ask: Ask) -> bool:
        """Ask a puzzle; return whether the person wants another one."""
        attempt, hints = Attempt(puzzle, self._progress), list(puzzle.hints())
        position = attempt.position
        self.attempts.append(attempt)

        def tell(text: str) -> None:
            print(shown(position.spec, translate(text)))

        print()
        head = f"{number} of {len(self._puzzles)}"
        say(f"Task {head}" if self._tasks else f"{head}: {puzzle.heading}")
        print(f"\n{board_text(position, self._style)}\n")
        tell(puzzle.question)
        while attempt.left:
            answer = ask(f"{translate(puzzle.side)}> ").strip()
            if answer == QUIT:
                return False
            if answer == SKIP:
                return True
            if answer == SHOW:
                attempt.answer("", self._today)
                break
            if answer == HINT:
                tell(hints.pop(0) if hints else f"There are no more hints: try a turn, or {SHOW}.")
                continue
            if answer in ("", HELP):
                say("Enter a turn, or one of:")
                print("\n".join(f"  {word:<5} {translate(summary)}" for word, summary in WORDS.items()))
                continue
            try:
                right, said, played = attempt.answer(typed(position.spec, answer), self._today)
            except TengenError as error:
                tell(f"{error}{nearest(answer, WORDS)}")
                continue
            tell(said if right else f"{said} Try again, or {SHOW}.")
            if right and attempt.left:
                hints.clear()
                print(f"\n{board_text(position, self._style)}\n")
                tell(f"{played[-1]} is the reply. Go on for {puzzle.side}.")
        standing = self._progress.standing(puzzle.name)
        for line in [*puzzle.solution(), f"Asked again {due_text(standing, self._today)}."]:
            tell(line)
        return True


def due_text(standing: Standing | None, today: date) -> str:
    """Return when a puzzle is asked again, in words."""
    days = (standing.due - today).days if standing else 0
    if days <= 0:
        return "the next time"
    return "tomorrow" if days == 1 else f"in {days} days"
