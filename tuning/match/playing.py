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
from tengen.tuning.match.settings import MatchSettings, ScoreRule
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

    The `players` are the pairing's first and second one, started; the first has the first side in games with
    an even `number`. The `adjudicator` ends the game once its outcome is proven; its time is not charged to
    either side. If a player fails, the failure is the reason of the game's end.
    """
    start, played = start_and_turns(opening)
    position, first_side = Position(settings.game, start), number % 2
    for turn in played:
        position.push(turn)
    notes: list[tuple[float, str, str]] = []  # of the turns that follow: seconds, report, who played it
    asked = first_side  # the side whose player was asked last
    try:
        for index, player in enumerate(players):
            asked = index ^ first_side
            player.new_game((settings.seed << 32) + 2 * number + index, start)
        if adjudicator:
            adjudicator.new_game()
        pairing = settings.pairing(number)
        clock = GameClock(settings, pairing if first_side == 0 else pairing[::-1])
        referee = random.Random(f"{settings.seed} {number}")
        judge = ScoreJudge(settings.resign, settings.draw)
        while not (ending := _ending(settings, position, judge.verdict(asked), adjudicator)):
            elapsed, report, by = 0.0, None, REFEREE
            if position.awaits_result:
                position.push(referee.choice(REFEREE_RESULTS))
            else:
                asked = position.side_to_move
                player = players[asked ^ first_side]
                elapsed, report, by = _play_turn(position, player, clock), player.report, str(asked)
                judge.note(asked, report)
            notes.append((round(elapsed, 6), str(report or SearchReport()), by))
        outcome, reason, detail = ending
    except PlayerFailure as failure:
        outcome, reason, detail = _forfeit(asked, failure)
    return FinishedGame(
        number=number,
        first_side=first_side,
        opening=opening,
        turns=tuple(position.turns_played[len(played) :]),
        seconds=tuple(seconds for seconds, _, _ in notes),
        outcome=outcome,
        result=_result(position, outcome, reason),
        reason=reason,
        detail=detail,
        reports=tuple(report for _, report, _ in notes),
        sides="".join(by for _, _, by in notes),
    )


def _forfeit(side: int, failure: PlayerFailure) -> tuple[Outcome, EndReason, str]:
    """Return how a game ends in which the player of `side` has failed."""
    detail = " ".join(failure.detail.split())
    if len(detail) > MAX_DETAIL_LENGTH:
        detail = detail[: MAX_DETAIL_LENGTH - 3] + "..."
    return Outcome.SECOND_WINS if side == 0 else Outcome.FIRST_WINS, failure.reason, detail


def _result(position: Position, outcome: Outcome, reason: EndReason) -> str:
    """Return the result of a game as GTP and SGF write it."""
    if reason == EndReason.RULES:
        return position.result()
    if outcome == Outcome.DRAW:
        return "0"
    letter = position.spec.game.letters[outcome - Outcome.FIRST_WINS].upper()
    return f"{letter}+{RESULT_LETTERS.get(reason, FAULT_LETTER)}"


def _ending(
    settings: MatchSettings,
    position: Position,
    agreed: tuple[Outcome, str] | None,
    adjudicator: Adjudicator | None,
) -> tuple[Outcome, EndReason, str] | None:
    """Return how the game has ended: by the rules, the players' scores, its length or the adjudicator.

    It is None while the game goes on; `agreed` is what `ScoreJudge.verdict` says.
    """
    outcome = position.outcome()
    if outcome != Outcome.ONGOING:
        return outcome, EndReason.RULES, position.end_reason()
    if agreed:
        return agreed[0], EndReason.ADJUDICATION, agreed[1]
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
    """The clocks of both sides in one game, whose `players` are given by their numbers."""

    def __init__(self, settings: MatchSettings, players: tuple[int, int]) -> None:
        self._settings, self._players = settings, players
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

        Raises PlayerFailure if the turn came too late.
        """
        due = self._deadline_seconds(side)
        if seconds > due:
            counted = " of processor time" if self._settings.cpu_time else ""
            detail = f"a turn after {seconds:.3f} s{counted}, due after {due:.3f} s"
            raise PlayerFailure(EndReason.TIME, detail)
        clock, control = self._clocks[side], self._controls[side]
        if clock and control:
            self._clocks[side] = after_turn(clock, seconds, control)


class ScoreJudge:
    """Follows the scores of one game.

    A side loses after so many scores of its own as `resign` says, unless the other side thinks that it is
    losing, too. The game is a draw after so many scores of both sides as `draw` says.
    """

    def __init__(self, resign: ScoreRule | None, draw: ScoreRule | None) -> None:
        self._resign, self._draw = resign, draw
        self._scores: tuple[list[int | None], list[int | None]] = ([], [])
        self._turns = 0

    def note(self, side: int, report: SearchReport | None) -> None:
        """Take note of what `side` has reported of its turn; None if it has said nothing."""
        self._turns += 1
        self._scores[side].append(None if report is None else report.score)

    def verdict(self, side: int) -> tuple[Outcome, str] | None:
        """Return the outcome and why, after a turn of `side`; None while the game goes on."""
        if (rule := self._resign) and self._turns >= rule.first:
            last, theirs = self._scores[side][-rule.turns :], self._scores[1 - side][-1:]
            hopeless = len(last) == rule.turns and all(s is not None and s <= -rule.score for s in last)
            if hopeless and not any(score is not None and score < 0 for score in theirs):
                outcome = Outcome.SECOND_WINS if side == 0 else Outcome.FIRST_WINS
                return outcome, f"{rule.turns} scores of {-rule.score / 100:g} or less"
        if (rule := self._draw) and self._turns >= rule.first:
            last = [score for scores in self._scores for score in scores[-rule.turns :]]
            if len(last) == 2 * rule.turns and all(s is not None and abs(s) <= rule.score for s in last):
                return Outcome.DRAW, f"{rule.turns} scores of both within {rule.score / 100:g}"
        return None


class Adjudicator:
    """Looks for proven results by alpha-beta with one thread, so that its verdicts are reproducible.

    The game must be one without challenges that ends by its rules alone. `nodes` is the number of positions
    to search after each turn.
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
