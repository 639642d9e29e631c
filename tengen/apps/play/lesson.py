"""Lessons in the terminal: the rules of a game, one after another, with turns to try out."""

from datetime import date

from tengen.apps.language import say, spoken, translate
from tengen.apps.lessons import MOVING, Lesson, lessons
from tengen.apps.quiz import collection
from tengen.apps.quiz.dialogue import Quiz
from tengen.apps.quiz.progress import Progress
from tengen.apps.terminal import Ask, Style, blocks, board_text, chosen, page
from tengen.engine.errors import OptionError, TengenError, nearest, quoted
from tengen.engine.game import Game
from tengen.engine.notation import shown, typed
from tengen.engine.play.position import Position
from tengen.engine.rulebook import Block, ExampleTurn, Kind, Verdict, rulebook

NEXT, BACK, SHOW, RULES, HELP, QUIT = "next", "back", "show", "rules", "help", "quit"
WORDS = {
    NEXT: "go on to the next lesson",
    BACK: "go back to the one before",
    SHOW: "play the next turn that is asked for",
    RULES: "show all rules; rules D-5 one of them",
    HELP: "show these words",
    QUIT: "leave the lessons",
}


def teach(game: Game, first: str, ask: Ask, style: Style) -> None:
    """Go through the lessons of a game and its tasks from lesson `first` on, until the person leaves."""
    found = lessons(game, spoken())
    if not first.isdecimal() or len(first) > 3 or not 1 <= int(first) <= len(found):
        expected = f"expected the name of a game, or a number from 1 to {len(found)}"
        raise OptionError(f"--lesson: {expected}, got {quoted(first)}")
    number = int(first) - 1
    while number < len(found):
        print(style.bold(translate(f"Lesson {number + 1} of {len(found)}: {found[number].heading}")) + "\n")
        answer = _Lesson(found[number], ask, style).run()
        if answer == QUIT:
            return
        number = max(0, number - 1) if answer == BACK else number + 1
    say("That was the last lesson.")
    if game.name in collection.games():
        Quiz(collection.tasks(game.name), Progress(), style, date.today(), tasks=True).run(ask)
        print()
    say(f"To begin a game:\n  tengen play --game {game.name} --level 1")


class _Lesson:
    """A lesson that a person goes through."""

    def __init__(self, lesson: Lesson, ask: Ask, style: Style) -> None:
        self._lesson, self._ask, self._style = lesson, ask, style
        self._position = Position(lesson.spec, lesson.position)
        self._done: set[int] = set()

    @property
    def _open(self) -> dict[int, ExampleTurn]:
        """The turns that are still asked for, by number."""
        now = self._lesson.tasks(self._done).items()
        return {n: turn for n, turn in now if turn.verdict != Verdict.REFUSED and n not in self._done}

    def run(self) -> str:
        """Ask for turns until the person goes on (`NEXT`), `BACK`, or leaves (`QUIT`)."""
        texts = [Block(Kind.PARAGRAPH, text) for text in self._lesson.texts]
        print("\n\n".join(blocks(texts, self._style)))
        self._show()
        while True:
            answer = self._ask(f"{translate('turn')}> " if self._open else f"{NEXT}> ").strip()
            word, _, argument = answer.partition(" ")
            if word.lower() in (NEXT, BACK, QUIT):
                return word.lower()
            if not answer and not self._open:
                return NEXT
            if word.lower() == RULES:
                try:
                    sections = chosen(rulebook(self._position.game, spoken()), argument.strip() or None)
                    print(page(*sections, self._style))
                except OptionError as error:
                    print(error)
            elif not answer or word.lower() == HELP:
                say("Enter a turn, or one of:")
                print("\n".join(f"  {word:<5} {translate(summary)}" for word, summary in WORDS.items()))
            elif word.lower() != SHOW:
                self._try(answer)
            elif self._open:
                self._try(next(iter(self._open.values())).turn)

    def _show(self) -> None:
        """Show the board, and what to try."""
        spec = self._position.spec
        print(f"\n{board_text(self._position, self._style)}\n")
        if self._open:
            say("Try it on the board:")
        for turn in self._lesson.tasks(self._done).values():
            print(shown(spec, f"  {turn.turn}  {translate(turn.said)}".rstrip()))

    def _try(self, answer: str) -> None:
        """Say what the rules make of a turn; one that moves the game on is played."""
        spec = self._position.spec
        try:
            played = self._position.copy().push(typed(spec, answer))
        except TengenError as error:
            print(f"{shown(spec, str(error))}{nearest(answer, WORDS)}")
            return
        for number, turn in self._open.items():
            if self._position.copy().push(typed(spec, turn.turn)) == played:
                self._done.add(number)
                break
        else:
            say(f"{shown(spec, played)} is legal, too.")
            return
        print(shown(spec, translate(f"{turn.turn}: right{turn.reason and f', {turn.reason}'}.")))
        if turn.verdict in MOVING:
            self._position.push(played)
            self._show()
        if not self._open:
            say(f"Well done. Press Enter for what comes next, or {BACK} or {QUIT}.")
