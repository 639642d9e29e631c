"""Plays one game of a match under our rules, whatever the players do."""

from __future__ import annotations

import random
import time

from tengen.engine.errors import IllegalTurnError, NotationError
from tengen.engine.game import Outcome
from tengen.engine.games import CHALLENGER, OWNER
from tengen.engine.play.position import Position
from tengen.engine.play.trials import RESULT
from tengen.engine.spec import GameSpec
from tengen.search.info import Info
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.clocks import after_turn, seconds_left, start_clock
from tengen.tuning.match.records import REFEREE, FinishedGame
from tengen.tuning.match.scores import ScoreJudge
from tengen.tuning.match.settings import MatchSettings
from tengen.tuning.openings import Opening, start_and_turns
from tengen.tuning.players.base import EndReason, Notice, Player, PlayerFailure, SearchReport, TurnTime

MAX_DETAIL_LENGTH = 300  # characters
RESULT_LETTERS = {
    EndReason.RESIGNATION: "R",
    EndReason.TIME: "T",
    EndReason.ADJUDICATION: "",
}  # in results, as SGF writes them
FAULT_LETTER = "F"
REFEREE_RESULTS = tuple(f"{RESULT}-{winner}" for winner in (CHALLENGER, OWNER))
UNTIMED_TIMEOUT = 600.0  # seconds for a turn without a limit of wall-clock time
HASH_MB = 16


def play_game(
    settings: MatchSettings,
    number: int,
    opening: Opening,
    players: tuple[Player, Player],
    adjudicator: Adjudicator | None = None,
) -> FinishedGame:
    """Play one game of a match. The result of a challenge outside is drawn, at even chances.

    Parameters
    ----------
    settings : MatchSettings
    number : int
        Number of the game. The pairing's first player has the first side in games with even numbers.
    opening : Opening
    players : tuple of Player
        The pairing's first and second player, started.
    adjudicator : Adjudicator, optional
        Ends the game once its outcome is proven; its time is not charged to either side.

    Returns
    -------
    FinishedGame
        If a player fails, the failure is the game's `reason`.
    """
    game = _Game(settings, number, opening, players, adjudicator)
    try:
        outcome, reason, detail = game.play()
    except PlayerFailure as failure:
        outcome = Outcome.SECOND_WINS if game.asked == 0 else Outcome.FIRST_WINS
        reason, detail = failure.reason, " ".join(failure.detail.split())
        if len(detail) > MAX_DETAIL_LENGTH:
            detail = detail[: MAX_DETAIL_LENGTH - 3] + "..."
    position = game.position
    if reason == EndReason.RULES:
        result = position.result()
    elif outcome == Outcome.DRAW:
        result = "0"
    else:
        letter = settings.game.game.letters[outcome - Outcome.FIRST_WINS].upper()
        result = f"{letter}+{RESULT_LETTERS.get(reason, FAULT_LETTER)}"
    return FinishedGame(
        number=number,
        first_side=game.first_side,
        opening=opening,
        turns=tuple(position.turns_played[game.opening_length :]),
        seconds=tuple(round(second, 6) for second in game.seconds),
        outcome=outcome,
        result=result,
        reason=reason,
        detail=detail,
        reports=tuple(game.reports),
        sides="".join(game.sides),
    )


class _Game:
    """A game that is being played; for the parameters see `play_game`.

    Attributes
    ----------
    position : Position
    first_side : int
        The side of the pairing's first player.
    opening_length : int
        Number of turns that were played before the players were asked.
    asked : int
        The side whose player was asked last.
    seconds, reports, sides : list
        Of all turns after the opening, see `FinishedGame`.
    """

    def __init__(
        self,
        settings: MatchSettings,
        number: int,
        opening: Opening,
        players: tuple[Player, Player],
        adjudicator: Adjudicator | None,
    ) -> None:
        self._settings, self._number, self._players = settings, number, players
        self._adjudicator = adjudicator
        self.first_side = self.asked = number % 2
        self._start, played = start_and_turns(opening)
        self.position, self.opening_length = Position(settings.game, self._start), len(played)
        for turn in played:
            self.position.push(turn)
        self._referee = random.Random(f"{settings.seed} {number}")
        self._judge = ScoreJudge(settings.resign, settings.draw)
        self.seconds: list[float] = []
        self.reports: list[str] = []
        self.sides: list[str] = []

    def play(self) -> tuple[Outcome, EndReason, str]:
        """Play the game, and return how it has ended.

        Raises
        ------
        PlayerFailure
            If the player of the side that was `asked` fails.
        """
        settings = self._settings
        for index, player in enumerate(self._players):
            self.asked = index ^ self.first_side
            player.set_start(self._start)
            player.new_game((settings.seed << 32) + 2 * self._number + index)
        if self._adjudicator:
            self._adjudicator.new_game()
        pairing = settings.pairing(self._number)
        clock = GameClock(settings, pairing if self.first_side == 0 else pairing[::-1])
        while not (ending := _ending(settings, self.position, self._adjudicator)):
            if self.position.awaits_result:
                self.position.push(self._referee.choice(REFEREE_RESULTS))
                self._note(0.0, None, REFEREE)
                continue
            self.asked = side = self.position.side_to_move
            player = self._players[side ^ self.first_side]
            self._note(_play_turn(self.position, player, clock), player.report, str(side))
            self._judge.note(side, player.report)
            if self.position.outcome() == Outcome.ONGOING and (verdict := self._judge.verdict(side)):
                return verdict[0], EndReason.ADJUDICATION, verdict[1]
        return ending

    def _note(self, seconds: float, report: SearchReport | None, by: str) -> None:
        self.seconds.append(seconds)
        self.reports.append(str(report or SearchReport()))
        self.sides.append(by)


def _ending(
    settings: MatchSettings, position: Position, adjudicator: Adjudicator | None
) -> tuple[Outcome, EndReason, str] | None:
    """Return how the game has ended: by the rules, its length or the adjudicator; None if it has not."""
    outcome = position.outcome()
    if outcome != Outcome.ONGOING:
        return outcome, EndReason.RULES, position.end_reason()
    left = settings.max_turns - len(position.turns_played)
    if left <= 0:
        return Outcome.DRAW, EndReason.LENGTH, f"not over after {settings.max_turns} turns"
    verdict = adjudicator.verdict(position) if adjudicator else None
    if verdict is None or verdict[1] > left:
        return None
    outcome, turns = verdict
    sides = position.spec.game.sides
    what = "a draw" if outcome == Outcome.DRAW else f"{sides[outcome - Outcome.FIRST_WINS]} wins"
    return outcome, EndReason.ADJUDICATION, f"{what} in {turns}, proven"


def _play_turn(position: Position, player: Player, clock: GameClock) -> float:
    """Let `player` play one turn in `position`; return the seconds it took."""
    side = position.side_to_move
    turn_time = clock.turn_time(side)
    began = clock.now(player)
    text = player.play(position, turn_time)
    elapsed = clock.now(player) - began
    clock.spend(side, elapsed)
    try:
        position.push(text)
    except (IllegalTurnError, NotationError) as error:
        raise PlayerFailure(EndReason.ILLEGAL, str(error)) from None
    return elapsed


class GameClock:
    """The clocks of both sides in one game.

    Parameters
    ----------
    settings : MatchSettings
    players : tuple of int
        Numbers of the players of the first side and of the second.
    """

    def __init__(self, settings: MatchSettings, players: tuple[int, int]) -> None:
        self._settings = settings
        self._players = players
        self._controls = [settings.clock_of(player) for player in players]
        self._clocks = [control and start_clock(control) for control in self._controls]

    def turn_time(self, side: int) -> TurnTime:
        """Return the time and effort that `side` may use for its next turn."""
        first, second = self._clocks
        clocks = (first, second) if first and second else None
        timeout = UNTIMED_TIMEOUT if self._settings.cpu_time else self._deadline_seconds(side)
        limits = self._settings.turn_limits(self._players[side], self._clocks[side])
        return TurnTime(limits, clocks, timeout)

    def now(self, player: Player) -> float:
        """Return the time that the clock of `player` counts."""
        return player.processor_time() if self._settings.cpu_time else time.perf_counter()

    def _deadline_seconds(self, side: int) -> float:
        """Return the seconds after which a turn of `side` is late."""
        clock = self._clocks[side]
        movetime = self._settings.turn_limits(self._players[side], clock).time
        bounds = [seconds_left(clock) if clock else None, movetime]
        return min(
            (bound + self._settings.margin for bound in bounds if bound is not None), default=UNTIMED_TIMEOUT
        )

    def spend(self, side: int, seconds: float) -> None:
        """Subtract the time of a turn from the clock of `side`.

        Raises
        ------
        PlayerFailure
            If the turn came too late.
        """
        due = self._deadline_seconds(side)
        if seconds > due:
            counted = " of processor time" if self._settings.cpu_time else ""
            detail = f"a turn after {seconds:.3f} s{counted}, due after {due:.3f} s"
            raise PlayerFailure(EndReason.TIME, detail)
        clock, control = self._clocks[side], self._controls[side]
        if clock and control:
            self._clocks[side] = after_turn(clock, seconds, control)


class Adjudicator:
    """Looks for proven results by alpha-beta with one thread, so that its verdicts are reproducible.

    Parameters
    ----------
    spec : GameSpec
        A game without challenges that ends by its rules alone.
    nodes : int
        Positions to search after each turn.
    """

    def __init__(self, spec: GameSpec, nodes: int) -> None:
        self._spec = spec
        self._limits = Limit(nodes=nodes)
        self._worker = Worker(1, HASH_MB, "alphabeta")

    def start(self, on_notice: Notice | None = None) -> None:
        """Compile or load the search."""
        self._worker.warm_up(self._spec.game, on_notice)

    def new_game(self) -> None:
        """Forget earlier games."""
        self._worker.new_game()

    def verdict(self, position: Position) -> tuple[Outcome, int] | None:
        """Return the outcome of a game in progress and the turns until its end, if that is proven."""
        lines = self._worker.search(position, self._limits).lines
        if not lines or not proven(lines[0]):
            return None
        turns_to_win = lines[0].score.turns_to_win
        if turns_to_win is None:
            return Outcome.DRAW, len(lines[0].pv)
        winner = position.side_to_move if turns_to_win > 0 else 1 - position.side_to_move
        return Outcome(Outcome.FIRST_WINS + winner), abs(turns_to_win)

    def interrupt(self) -> None:
        """Stop a running search."""
        self._worker.stop()


def proven(line: Info) -> bool:
    """Return whether the best line of a search proves a result; a mere bound does not."""
    if line.score.turns_to_win is None:
        return line.score.margin is not None
    return line.bound != ("upper" if line.score.value > 0 else "lower")
