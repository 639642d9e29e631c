"""Plays one game of a match under our rules, whatever the players do."""

from __future__ import annotations

import random

from tengen.engine.errors import IllegalTurnError, NotationError
from tengen.engine.game import CHALLENGER, OWNER, GameSpec, Outcome
from tengen.engine.play.position import Position
from tengen.engine.play.trials import RESULT
from tengen.tuning.match.adjudicator import Adjudicator
from tengen.tuning.match.clocks import GameClock
from tengen.tuning.match.records import REFEREE, FinishedGame
from tengen.tuning.match.scores import ScoreJudge
from tengen.tuning.match.settings import MatchSettings
from tengen.tuning.opening_lines import Opening, start_and_turns
from tengen.tuning.players.base import EndReason, Player, PlayerFailure, SearchReport

MAX_DETAIL_LENGTH = 300  # characters
RESULT_LETTERS = {
    EndReason.RESIGNATION: "R",
    EndReason.TIME: "T",
    EndReason.ADJUDICATION: "",
}  # in results, as SGF writes them
FAULT_LETTER = "F"
REFEREE_RESULTS = tuple(f"{RESULT}-{winner}" for winner in (CHALLENGER, OWNER))


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
    first_side = number % 2
    start, played = start_and_turns(opening)
    position = Position(settings.game, start)
    for turn in played:
        position.push(turn)
    referee = random.Random(f"{settings.seed} {number}")
    seconds: list[float] = []
    reports: list[str] = []
    sides: list[str] = []
    judge = ScoreJudge(settings.resign, settings.draw)
    outcome, reason, detail = Outcome.ONGOING, EndReason.RULES, ""
    try:
        for index, player in enumerate(players):
            loser = index ^ first_side
            player.set_start(start)
            player.new_game((settings.seed << 32) + 2 * number + index)
        if adjudicator:
            adjudicator.new_game()
        pairing = settings.pairing(number)
        clock = GameClock(settings, pairing if first_side == 0 else pairing[::-1])
        while not (ending := _ending(settings, position, adjudicator)):
            if position.awaits_result:
                position.push(referee.choice(REFEREE_RESULTS))
                seconds.append(0.0)
                reports.append(str(SearchReport()))
                sides.append(REFEREE)
                continue
            loser = position.side_to_move
            player = players[loser ^ first_side]
            seconds.append(_play_turn(position, player, clock))
            reports.append(str(player.report or SearchReport()))
            sides.append(str(loser))
            judge.note(loser, player.report)
            if position.outcome() == Outcome.ONGOING and (verdict := judge.verdict(loser)):
                ending = verdict[0], EndReason.ADJUDICATION, verdict[1]
                break
        outcome, reason, detail = ending
    except PlayerFailure as failure:
        outcome = Outcome.SECOND_WINS if loser == 0 else Outcome.FIRST_WINS
        reason, detail = failure.reason, _one_line(failure.detail)
    turns = tuple(position.turns_played[len(played) :])
    result = position.result() if reason == EndReason.RULES else _result(settings.game, outcome, reason)
    times = tuple(round(second, 6) for second in seconds)
    return FinishedGame(
        number,
        first_side,
        opening,
        turns,
        times,
        outcome,
        result,
        reason,
        detail,
        tuple(reports),
        "".join(sides),
    )


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


def _result(game: GameSpec, outcome: Outcome, reason: EndReason) -> str:
    """Return the result of a game that did not end by the rules."""
    if outcome == Outcome.DRAW:
        return "0"
    letter = game.game.letters[outcome - Outcome.FIRST_WINS].upper()
    return f"{letter}+{RESULT_LETTERS.get(reason, FAULT_LETTER)}"


def _one_line(detail: str) -> str:
    """Return `detail` in one line, shortened if an engine's message is very long."""
    words = " ".join(detail.split())
    return words if len(words) <= MAX_DETAIL_LENGTH else words[: MAX_DETAIL_LENGTH - 3] + "..."
