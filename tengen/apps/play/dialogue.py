"""A game between a person and the engine: whose turn it is, what is said, and what is kept."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.apps.language import say, translate
from tengen.apps.play.commands import COMMANDS, IN_STEPS, judged, turns_from
from tengen.apps.play.kept import KeptGame
from tengen.apps.play.turn_entry import BACK, CANCEL, StepError, TurnEntry
from tengen.apps.review.searches import search
from tengen.apps.terminal import Ask, Style, board_text
from tengen.engine.errors import IllegalTurnError, TengenError, nearest
from tengen.engine.notation import shown, typed
from tengen.engine.play.position import Position
from tengen.engine.play.steps import effects
from tengen.engine.rulebook import reference
from tengen.protocol.interrupts import stop_on_sigint
from tengen.protocol.output import print_notice
from tengen.protocol.session import Session
from tengen.search.info import Result
from tengen.search.levels import next_level
from tengen.search.limits.limit import Limit

if TYPE_CHECKING:
    from tengen.tuning.players.specs import Opponent

PASS = "pass"
RESIGNED = "R"  # in results, as SGF has it
OVER = "over"  # the prompt after the end
FEW = 6  # places that are named


def before_last_choice(position: Position, side: int) -> Position | None:
    """Return the position before the last turn that the person chose: no forced pass, no draw of lots."""
    twin = position.copy()
    while twin.turns_played:
        turn = twin.pop()
        forced = turn == PASS and twin.turns() == [PASS]
        if twin.awaits_result or (twin.side_to_move == side and not twin.in_trial and not forced):
            return twin
    return None


class InteractiveGame:
    """A game of a person with the engine, or with another opponent, whose turns have these `limits`."""

    def __init__(
        self,
        kept: KeptGame,
        session: Session,
        limits: Limit,
        style: Style | None = None,
        opponent: Opponent | None = None,
    ) -> None:
        self.kept = kept
        self.opponent = opponent
        self.position = kept.position()
        self.side = kept.side
        self.session = session
        self.limits = limits
        self.style = style or Style()
        self.following: KeptGame | None = None  # the game that the person wants to play next
        self._ask: Ask = input
        self._last_challenge = self.position.challenge  # the state that was explained last
        self._resigned = kept.result.endswith(RESIGNED)
        self._leaving = False
        self._announced = False  # whether the end has been announced
        self._unkept = False  # whether the file lacks the last turn

    # ------------------------------------------------------------------------------------------ what it is

    @property
    def sides(self) -> tuple[str, str]:
        """What people call the sides."""
        return self.position.spec.game.titles

    @property
    def mover(self) -> str:
        """What people call the side to move."""
        return self.sides[self.position.side_to_move]

    @property
    def over(self) -> bool:
        """Whether the game is over or resigned."""
        return self._resigned or bool(self.position.winner())

    @property
    def result(self) -> str:
        """The result as in SGF; empty while the game goes on."""
        if self._resigned:
            return f"{self.position.spec.game.letters[1 - self.side].upper()}+{RESIGNED}"
        return self.position.result() if self.position.winner() else ""

    # ---------------------------------------------------------------------------------------- the dialogue

    def play(self, ask: Ask) -> None:
        """Play until the person leaves; `ask` takes a prompt and returns an answer."""
        self._ask = ask
        level = None if self.kept.level is None else f"level {self.kept.level}"
        other = self.opponent.name if self.opponent else level
        against = f" against {other}" if other else ""
        say(f"You play {self.sides[self.side]}{against}. Enter help for other commands.")
        try:
            while not self._leaving:
                self._go_on()
        except EOFError:  # the input has ended
            if sys.stdin.isatty() or not self.over:
                print()

    def _go_on(self) -> None:
        """Let whoever is next act."""
        if self.over:
            self._after_the_end()
        elif self.position.awaits_result:
            self._person("result")
        elif self.position.in_trial:
            self._draw()
        elif self.position.side_to_move == self.side:
            self._person(self.mover)
        else:
            self._engine()

    def leave(self, following: KeptGame | None = None) -> None:
        """Leave the game, for another one if there is one."""
        self.following = following
        self._leaving = True

    def play_turn(self, turn: str) -> None:
        """Play a turn for whoever is next, and keep the game."""
        self.position.push(turn)
        self.keep()

    def keep(self) -> None:
        """Write the game to its file; if that fails, or somebody else has gone on with it, say so."""
        failed, before = self._unkept, self.kept.path
        try:
            late = self.kept.write(self.position, self.result)
        except (OSError, TengenError) as error:
            self._unkept = True
            if not failed:
                reason = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
                said = f"the game is not kept: {reason} (tried again after every turn; save FILE)"
                print_notice(translate(said))
            return
        self._unkept = failed and not self.kept.path.exists()  # nothing was written: all turns are undone
        if late:
            said = f"somebody else has gone on with {before.stem}: this game is {self.kept.path.stem} now"
            print_notice(translate(said))
        elif failed and not self._unkept:
            print_notice(translate(f"the game is kept again in {self.kept.path}"))

    @property
    def on_disk(self) -> Path | None:
        """The file that has all turns of the game; None if none has."""
        return self.kept.path if self.kept.path.exists() and not self._unkept else None

    def say(self, text: str) -> None:
        """Print a text in the person's language, with turns as people write them."""
        print(shown(self.position.spec, translate(text)), flush=True)

    def show_board(self) -> None:
        """Show the board, with the last turn marked, and the state of a challenge."""
        self._last_challenge = self.position.challenge
        before = None
        if self.position.turns_played:
            before = self.position.copy()
            before.pop()
        print(f"\n{board_text(self.position, self.style, before)}\n", flush=True)

    # ---------------------------------------------------------------------------------------------- the end

    def _after_the_end(self) -> None:
        """Say once how the game has ended; then ask what comes next."""
        if not self._announced:
            self._announced = True
            self._announce()
        answer = self._ask(f"{translate(OVER)}> ").strip()
        if not self._is_word(answer) and answer:
            say(f"the game is over: expected undo, review, new, level or quit{nearest(answer, COMMANDS)}")

    def _announce(self) -> None:
        titles = dict(zip(self.position.spec.game.sides, self.sides, strict=True))
        winner = self.sides[1 - self.side] if self._resigned else self.position.winner() or ""
        winner = titles.get(winner, winner)
        if self._resigned:
            say(f"{self.sides[self.side].capitalize()} resigns, {winner} wins.")
        else:
            self.show_board()
            reason = self.position.end_reason()
            draw = f"A draw: {reason}." if reason else "A draw."
            say(draw if winner == "draw" else f"{winner.capitalize()} wins, {self.position.result()}.")
        level = self.kept.level
        if level is not None and winner != "draw":
            won = winner == self.sides[self.side]
            if (offered := next_level(level, won)) != level:
                which = "next one up" if won else "next one down"
                say(f"Level {offered} is the {which}: level {offered} begins a game against it.")

    # ------------------------------------------------------------------------------------------- the engine

    def _engine(self) -> None:
        """Let the engine play a turn, after the state of a challenge is explained if it has changed."""
        if self.position.challenge != self._last_challenge:
            self._last_challenge = self.position.challenge
            self.say(self.position.explanation())
        side = self.mover
        if self.opponent and not self.position.awaits_answer:
            turn = played = self.opponent.turn(self.position, self.limits)
        else:
            result = self.search(self.limits)
            turn, played = result.turn, f"{judged(self.position, result)}, {result.seconds:.2f} s"
        done = effects(self.position, turn)
        self.play_turn(turn)
        if done.taken:
            named = ", ".join(done.taken[:FEW]) + (" ..." if len(done.taken) > FEW else "")
            played += ": " + translate(f"{named} {'is' if len(done.taken) == 1 else 'are'} {done.verb}")
        self.say(f"{side} plays {played}")

    def _draw(self) -> None:
        """Draw the lot of a challenge, and say what for and with which result."""
        self.say(self.position.explanation())
        (turn,) = self.position.turns()
        self.play_turn(turn)
        self._last_challenge = self.position.challenge
        self.say(self.position.explanation())

    def search(self, limits: Limit) -> Result:
        """Return the result of the engine's search within `limits`."""
        with stop_on_sigint(self.session):
            result = search(self.position, self.session, limits)
        if result.notice:
            print_notice(result.notice)
        return result

    # ------------------------------------------------------------------------------------------- the person

    def _person(self, prompt: str) -> None:
        """Let the person play a turn or leave; a forced pass is played automatically."""
        self.show_board()
        if self.position.turns() == [PASS]:
            say(f"{self.mover} can only pass")
            self.play_turn(PASS)
            return
        length = len(self.position.turns_played)
        while not self.over and not self._leaving and len(self.position.turns_played) == length:
            self._execute(self._ask(f"{translate(prompt)}> ").strip())

    def _execute(self, answer: str) -> None:
        """Execute an answer, or print the error in one line."""
        if self._is_word(answer) or not answer:
            return
        try:
            self.play_turn(typed(self.position.spec, answer))
        except TengenError as error:
            if steps := TurnEntry.begun(self.position, answer):
                self.enter_steps(steps)
                return
            found = turns_from(self.position, answer)
            begun = [turn for turn in found if not turn[len(answer) :][:1].isdigit()]  # h1 begins no h10
            if len(begun) == 1:
                self.say(f"you play {begun[0]}")
                self.play_turn(begun[0])
            elif begun:
                say(f"{len(begun):,} turns begin so: moves {answer} lists them")
            else:
                self.say(f"{error}{nearest(answer, COMMANDS)}{self._where_to_read(error)}")

    def _is_word(self, answer: str) -> bool:
        """Execute `answer` if it begins with a word that is no turn; return whether it does."""
        word, _, argument = answer.partition(" ")
        if word.lower() not in COMMANDS:
            return False
        try:
            COMMANDS[word.lower()].execute(self, argument.strip())
        except TengenError as error:
            print(error)
        return True

    def enter_steps(self, steps: TurnEntry) -> None:
        """Let the person finish a turn in steps, and play it; other words leave the steps first."""
        say(f"The turn is entered in steps: {BACK} takes a choice back, {CANCEL} leaves them.")
        while not steps.done:
            self.say(steps.menu(self.style.width))
            answer = self._ask(f"{steps.so_far} ...> ".lstrip()).strip()
            word = answer.partition(" ")[0].lower()
            if word in COMMANDS:
                self._is_word(answer)
                if word not in IN_STEPS:
                    return
            elif word == CANCEL or (word == BACK and not steps.back()):
                return
            elif answer and word != BACK:
                entered = typed(self.position.spec, answer)
                try:
                    steps.enter(entered)
                except StepError as error:
                    with contextlib.suppress(TengenError):  # it may be a complete turn
                        self.play_turn(entered)
                        return
                    self.say(str(error))
        self.say(f"you play {steps.turn}")
        self.play_turn(steps.turn)

    def _where_to_read(self, error: TengenError) -> str:
        """Return where the rule stands that refuses a turn."""
        if not isinstance(error, IllegalTurnError):
            return ""
        games = (self.position.game, self.position.spec.game)
        known = any(reference(game, error.rule) for game in games)
        return translate(f" (to read on: rules {error.rule})") if known else ""

    def undo(self) -> None:
        """Take back the last turn that the person chose, and all after it; a resignation first."""
        if self._resigned:
            self._resigned = False
        elif before := before_last_choice(self.position, self.side):
            self.position = before
        else:
            say("you have no turn to take back")
            return
        self._announced = False
        self.keep()

    def resign(self) -> None:
        """Resign, unless the game is over."""
        if self.over:
            say("the game is over")
            return
        self._resigned = True
        self.keep()
