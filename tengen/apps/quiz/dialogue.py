"""The dialogue that asks puzzles in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tengen.apps.language import say, translate
from tengen.apps.quiz.collection import Problem
from tengen.apps.quiz.mistakes import Mistake
from tengen.apps.quiz.progress import Progress, Standing
from tengen.apps.terminal import Ask, Style, board_text
from tengen.engine.errors import TengenError, nearest
from tengen.engine.notation import shown, typed
from tengen.engine.play.position import Position

HINT, SHOW, SKIP, QUIT, HELP = "hint", "show", "skip", "quit", "help"
WORDS = {
    HINT: "where to look; asked again, how the turn begins",
    SHOW: "show the solution; the puzzle is asked again",
    SKIP: "go on to the next puzzle; this one stays as it is",
    QUIT: "end the quiz; answers are kept",
    HELP: "show these words",
}
Puzzle = Mistake | Problem


class Quiz:
    """Asks puzzles."""

    def __init__(self, puzzles: Sequence[Puzzle], progress: Progress, style: Style, today: date) -> None:
        self.asked = self.right = 0  # puzzles answered or shown, and those answered rightly at once
        self.solved = 0  # puzzles that were solved in the end
        self._puzzles, self._progress = puzzles, progress
        self._style, self._today = style, today

    def run(self, ask: Ask) -> None:
        """Ask all puzzles, until the person leaves."""
        for number, puzzle in enumerate(self._puzzles, 1):
            if not self._ask_one(number, puzzle, ask):
                return

    def _ask_one(self, number: int, puzzle: Puzzle, ask: Ask) -> bool:
        """Ask a puzzle; return whether the person wants another one."""
        position, left, hints = puzzle.position(), list(puzzle.line), list(puzzle.hints())

        def tell(text: str) -> None:
            print(shown(position.spec, translate(text)))

        print()
        say(f"{number} of {len(self._puzzles)}: {puzzle.heading}")
        print(f"\n{board_text(position, self._style)}\n")
        tell(puzzle.question)
        first = True  # the first answer is what counts
        while left:
            answer = ask(f"{translate(puzzle.side)}> ").strip()
            if answer == QUIT:
                return False
            if answer == SKIP:
                return True
            if answer == SHOW:
                if first:
                    self._note(puzzle, right=False)
                break
            if answer == HINT:
                tell(hints.pop(0) if hints else f"There are no more hints: try a turn, or {SHOW}.")
                continue
            if answer in ("", HELP):
                say("Enter a turn, or one of:")
                print("\n".join(f"  {word:<5} {translate(summary)}" for word, summary in WORDS.items()))
                continue
            try:
                right, said = puzzle.judge(position, typed(position.spec, answer), left[0])
            except TengenError as error:
                tell(f"{error}{nearest(answer, WORDS)}")
                continue
            if first:
                self._note(puzzle, right)
                first = False
            tell(said if right else f"{said} Try again, or {SHOW}.")
            if right and (reply := self._play_on(position, left)):
                hints.clear()
                print(f"\n{board_text(position, self._style)}\n")
                tell(f"{reply} is the reply. Go on for {puzzle.side}.")
        self.solved += not left
        standing = self._progress.standing(puzzle.name)
        for line in [*puzzle.solution(), f"Asked again {due_text(standing, self._today)}."]:
            tell(line)
        return True

    def _play_on(self, position: Position, left: list[str]) -> str:
        """Play the turn that was asked, and the reply, which is returned; empty if nothing more is asked."""
        turn = left.pop(0)
        if not left:
            return ""
        position.push(turn)
        return position.push(left.pop(0))

    def _note(self, puzzle: Puzzle, right: bool) -> None:
        """Keep an answer."""
        self.asked += 1
        self.right += right
        self._progress.note(puzzle.name, right, self._today)


def due_text(standing: Standing | None, today: date) -> str:
    """Return when a puzzle is asked again, in words."""
    days = (standing.due - today).days if standing else 0
    if days <= 0:
        return "the next time"
    return "tomorrow" if days == 1 else f"in {days} days"
