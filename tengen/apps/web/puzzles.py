"""Puzzles of the collection on a page, with the progress that `tengen quiz` keeps."""

from datetime import date
from typing import Any

from tengen.apps.quiz import collection
from tengen.apps.quiz.dialogue import Attempt
from tengen.apps.quiz.progress import Progress
from tengen.engine import games
from tengen.engine.notation import shown, typed
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.protocol.errors import CommandError
from tengen.protocol.fields import Fields


class AskedPuzzle:
    """A puzzle that a page shows: that of the day, one by its number, a task after lessons, or a due one."""

    def __init__(self, message: Fields) -> None:
        today, kind = date.today(), message.text("kind") or ""
        of_day = collection.of_day(today)
        if message.values.get("daily"):
            problem = of_day
        elif "number" in message:
            found = collection.problems(kind)
            problem = found[(message.integer("number", 1, len(found)) or 1) - 1]
        elif "task" in message:
            found = collection.tasks(kind)
            problem = found[(message.integer("task", 1, len(found)) or 1) - 1]
        else:
            progress = Progress()
            ordered = collection.in_order(kind, progress, today)
            due = [each for each in ordered if progress.is_due(each.name, today)]
            if not due:
                raise CommandError(f"all puzzles of {games.find(kind).title} are solved for today")
            problem = due[0]
        self.problem, self._daily = problem, problem == of_day and "task" not in message
        self._attempt = Attempt(problem, Progress())

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return GameSpec.parse(self.problem.spec)

    @property
    def left(self) -> list[str]:
        """The turns that are asked, with the replies between them, as far as they have not been played."""
        return self._attempt.left

    def report(self) -> dict[str, Any]:
        """Return what a page shows of it."""
        problem = self.problem
        return {
            "kind": self.spec.game.name,
            "number": problem.number,
            "heading": problem.heading,
            "daily": self._daily,
            "question": problem.question,
            "tasks": collection.TASKS,
            "hints": shown(self.spec, list(problem.hints())),
            "streak": Progress().streak(date.today()) if self._daily else 0,
        }

    def judge(self, position: Position, turn: str) -> tuple[list[str], dict[str, Any]]:
        """Return the turns to play after an answer, with the reply, and what a page is told.

        Without an answer these are all that are left, and the puzzle counts as not solved.
        """
        if not self.left:
            raise CommandError("this puzzle is done")
        if position.key != self._attempt.position.key:
            raise CommandError("this is an earlier position: go to the last one")
        today = date.today()
        right, said, played = self._attempt.answer(typed(self.spec, turn), today)
        progress = Progress()
        if self._attempt.solved and self._daily:
            progress.note_day(today)
        solution = self.problem.solution() if not self.left else []
        streak = progress.streak(today) if self._daily else 0
        told = shown(self.spec, {"said": said, "solution": solution})
        return played, {"right": right, "streak": streak, **told}
