"""One game of a match: our rules as the judge, whatever the players do."""

from __future__ import annotations

import time

from tengen.engine.challenge import begin
from tengen.engine.errors import IllegalTurnError, NotationError
from tengen.engine.game import GameSpec, Outcome
from tengen.engine.position import Position
from tengen.search.limits import Clock
from tengen.tuning.match.openings import Opening
from tengen.tuning.match.records import FinishedGame
from tengen.tuning.match.referee import Adjudicator
from tengen.tuning.match.settings import MatchSettings
from tengen.tuning.players.base import EndReason, Player, PlayerFailure, TurnTime

UNTIMED_TIMEOUT = 600.0  # seconds for a turn that no time limit ends
MAX_DETAIL_LENGTH = 300  # characters
RESULT_LETTERS = {
    EndReason.RESIGNATION: "R",
    EndReason.TIME: "T",
    EndReason.ADJUDICATION: "",
}  # as SGF has them
FAULT_LETTER = "F"


class GameClock:
    """Both sides' time in one game."""

    def __init__(self, settings: MatchSettings) -> None:
        self._settings = settings
        self._clocks = [settings.clock, settings.clock]

    def allowance(self, side: int) -> TurnTime:
        """Return what `side` may use for its next turn."""
        first, second = self._clocks
        clocks = (first, second) if first and second else None
        return TurnTime(self._settings.turn_limits(self._clocks[side]), clocks, self._deadline_seconds(side))

    def _deadline_seconds(self, side: int) -> float:
        """Return the seconds after which a turn of `side` is late."""
        clock, movetime = self._clocks[side], self._settings.limits.movetime
        bounds = [clock.remaining if clock else None, movetime]
        return min(
            (bound + self._settings.margin for bound in bounds if bound is not None), default=UNTIMED_TIMEOUT
        )

    def spend(self, side: int, seconds: float) -> None:
        """Take the time of a turn off the clock of `side`.

        Raises
        ------
        PlayerFailure
            When the turn came too late.
        """
        due = self._deadline_seconds(side)
        if seconds > due:
            raise PlayerFailure(EndReason.TIME, f"a turn after {seconds:.3f} s, due after {due:.3f} s")
        clock = self._clocks[side]
        if clock:
            left = max(0.0, clock.remaining - seconds) + clock.increment
            self._clocks[side] = Clock(left, clock.increment)


def play_game(
    settings: MatchSettings,
    number: int,
    opening: Opening,
    players: tuple[Player, Player],
    referee: Adjudicator | None = None,
) -> FinishedGame:
    """Play one game of a match.

    Parameters
    ----------
    settings : Settings
    number : int
        Of the game; the pairing's first player has the first side in even ones.
    opening : tuple of str
        Turns that are given.
    players : tuple of Player
        The pairing's first and second player, started.
    referee : Referee, optional
        Ends the game when it is decided; its time is on nobody's clock.

    Returns
    -------
    FinishedGame
        Whatever the players do: what they fail at is the game's reason.
    """
    first_side = number % 2
    position = begin(settings.game)
    for turn in opening:
        position.play(turn)
    seconds: list[float] = []
    outcome, reason, detail = Outcome.ONGOING, EndReason.RULES, ""
    try:
        for index, player in enumerate(players):
            loser = index ^ first_side
            player.new_game((settings.seed << 32) + 2 * number + index)
        if referee:
            referee.new_game()
        keeper = GameClock(settings)
        while not (ending := _ending(settings, position, referee)):
            loser = position.side_to_move
            seconds.append(_play_turn(position, players[loser ^ first_side], keeper))
        outcome, reason, detail = ending
    except PlayerFailure as failure:
        outcome = Outcome.SECOND_WINS if loser == 0 else Outcome.FIRST_WINS
        reason, detail = failure.reason, _one_line(failure.detail)
    turns = tuple(position.turns_played[len(opening) :])
    result = position.result() if reason == EndReason.RULES else _result(settings.game, outcome, reason)
    times = tuple(round(second, 6) for second in seconds)
    return FinishedGame(number, first_side, opening, turns, times, outcome, result, reason, detail)


def _ending(
    settings: MatchSettings, position: Position, referee: Adjudicator | None
) -> tuple[Outcome, EndReason, str] | None:
    """Return how the game has ended, by the rules, the match's limit or the referee; None if it goes on."""
    outcome = position.outcome()
    if outcome != Outcome.ONGOING:
        return outcome, EndReason.RULES, ""
    left = settings.longest - len(position.turns_played)
    if left <= 0:
        return Outcome.DRAW, EndReason.LENGTH, f"not over after {settings.longest} turns"
    verdict = referee.verdict(position) if referee else None
    if verdict is None or verdict[1] > left:
        return None
    outcome, turns = verdict
    sides = position.spec.game.sides
    what = "a draw" if outcome == Outcome.DRAW else f"{sides[outcome - Outcome.FIRST_WINS]} wins"
    return outcome, EndReason.ADJUDICATION, f"{what} in {turns}, proven"


def _play_turn(position: Position, player: Player, keeper: GameClock) -> float:
    """Have `player` play one turn in `position`; return the seconds it took."""
    side = position.side_to_move
    allowance = keeper.allowance(side)
    began = time.perf_counter()
    text = player.play(position, allowance)
    elapsed = time.perf_counter() - began
    keeper.spend(side, elapsed)
    try:
        position.play(text)
    except (IllegalTurnError, NotationError) as error:
        raise PlayerFailure(EndReason.ILLEGAL, str(error)) from None
    return elapsed


def _result(game: GameSpec, outcome: Outcome, reason: EndReason) -> str:
    """Return the result of a game that the rules have not decided."""
    if outcome == Outcome.DRAW:
        return "0"
    letter = game.game.letters[outcome - Outcome.FIRST_WINS].upper()
    return f"{letter}+{RESULT_LETTERS.get(reason, FAULT_LETTER)}"


def _one_line(detail: str) -> str:
    """Return `detail` fit for a table: a foreign program's words may be long."""
    words = " ".join(detail.split())
    return words if len(words) <= MAX_DETAIL_LENGTH else words[: MAX_DETAIL_LENGTH - 3] + "..."
