"""The searches of a review: what a position is worth, and what the turn played costs.

The values of two positions, one turn apart, come from two searches. Each of them overrates the side that it
looks for a turn of, so that their difference says little. The loss of a turn is therefore found by one more
search: with simulations one after the engine's turn, as the next position is searched; otherwise one in which
that turn and the turn played are the only ones at the root. See docs/review.md.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from tengen.apps.review.assessment import (
    Assessment,
    Comparison,
    Estimate,
    JudgedMove,
    ReviewPosition,
    Verdict,
    tells_value,
)
from tengen.engine.errors import TengenError
from tengen.engine.game import Outcome
from tengen.engine.play.challenge import ChallengeGame
from tengen.engine.play.position import Position
from tengen.protocol.output import print_notice
from tengen.protocol.session import Session
from tengen.search.info import Info, Result, Score
from tengen.search.limits.limit import MAX_MULTIPV, Limit

POLL_INTERVAL = 0.1  # seconds: on some systems a signal is not handled while the main thread waits
Z = 1.96  # standard deviations in an error bar
MIN_VARIANCE = 0.01  # of the result of a simulation, even where all of them agree
SYSTEMATIC_ERROR, LARGE_SEARCH = 0.05, 8_000  # of a mean, up to so many simulations; then it becomes less
ITERATIONS = 3  # last iterations that tell how much a loss varies


def assess(
    entry: ReviewPosition, following: ReviewPosition | None, session: Session, limits: Limit
) -> Assessment:
    """Search a position, and compare the turn played with the best; before a trial, what it may lead to.

    `following` is the position after the turn played, which is assessed next. Nothing is left of the searches
    of other positions, so that a review that is resumed finds the same.
    """
    session.clear_search()
    if isinstance(entry.position, ChallengeGame) and entry.position.in_trial:
        return assess_trial(entry.position, entry.number, session, limits)
    found = assess_position(entry.position, entry.number, session, limits)
    if entry.played in ("", found.best) or entry.position.awaits_answer:
        return found
    by_simulations = session.uses_mcts(entry.position.game)
    if by_simulations and following and tells_value(entry, following):
        return replace(found, compared=_estimate(entry.position, found.best, session, limits))
    return replace(found, compared=compare(entry.position, found.best, entry.played, session, limits))


def assess_position(position: Position, number: int, session: Session, limits: Limit) -> Assessment:
    """Search the position after turn `number`; if the limits are too small for any result, to depth 1."""
    by_simulations = session.uses_mcts(position.game)
    if by_simulations:
        limits = replace(limits, multipv=MAX_MULTIPV)  # also without the dynamic komi, which shifts values
    result = search(position, session, limits)
    if not result.lines:
        result = search(position, session, Limit(depth=1))
    if not result.lines:
        raise TengenError(f"position after turn {number}: {result.notice}")
    scale = position.scale
    best = result.lines[0]
    found = Assessment(best.win_rate(scale), best.score, best.lead, best.pv, best.depth, result.nodes)
    return replace(found, mean=_mean(result.lines, scale)) if by_simulations else found


def checked(move: JudgedMove, session: Session, limits: Limit) -> JudgedMove:
    """Return the turn, compared with the best one again if simulations leave its mark in doubt."""
    first = move.comparison
    if first is None or not move.is_doubtful:
        return move
    twice = replace(limits, nodes=limits.nodes and 2 * limits.nodes, time=limits.time and 2 * limits.time)
    again = compare(move.before.position, move.before_value.best, move.before.played, session, twice)
    if again is None:
        return move
    mean = Comparison(
        (first.best + again.best) / 2, (first.played + again.played) / 2, min(first.error, again.error)
    )
    return replace(move, after_value=replace(move.after_value, checked=mean))


def assess_trial(contest: ChallengeGame, number: int, session: Session, limits: Limit) -> Assessment:
    """Return the value of the position before a trial: the mean over its results, by their chances."""
    assert contest.trial
    told = session.option("ChallengeChance") / 100
    chance = told if contest.trial.chance is None else contest.trial.chance
    rate, depth, nodes = 0.0, 0, 0
    for won, weight in ((True, chance), (False, 1 - chance)):
        position = contest.judged(won)
        over = position.outcome() != Outcome.ONGOING
        found = (
            Assessment.of_end(position, points=False)
            if over
            else assess_position(position, number, session, limits)
        )
        same_side = position.side_to_move == contest.side_to_move
        rate += weight * (found.rate if same_side else 1 - found.rate)
        depth, nodes = max(depth, found.depth), nodes + found.nodes
    return Assessment(rate, Score.of_rate(rate, contest.scale), depth=depth, nodes=nodes)


# --------------------------------------------------------------------------------------- the cost of a turn


def judge_answer(move: JudgedMove, answer: str, session: Session, limits: Limit) -> Verdict:
    """Return what a turn in place of a mistake is worth, compared with the best one as the mistake was."""
    before, best, loss = move.before, move.before_value.best, 0.0
    turn = before.position.copy().push(answer, before.mover)
    if turn == before.played:
        loss = move.loss or 0.0
    elif turn != best:
        session.ensure_compiled(print_notice)
        session.clear_search()
        found = compare(before.position, best, turn, session, limits)
        loss = 0.0 if found is None else max(0.0, found.best - found.played)
    return Verdict(turn, best, loss)


def compare(position: Position, best: str, played: str, session: Session, limits: Limit) -> Comparison | None:
    """Return the values of two turns, found with equal effort; None if the limits are too small for both."""
    if not session.uses_mcts(position.game):
        return _compare_iterations(position, best, played, session, limits)
    nodes, seconds = limits.nodes and max(1, limits.nodes // 2), limits.time and limits.time / 2
    half = replace(limits, nodes=nodes, time=seconds)  # for each of two trees, with one turn at its root
    first, second = (_estimate(position, turn, session, half) for turn in (best, played))
    if first is None or second is None:
        return None
    return Comparison(first.rate, second.rate, min(1.0, math.hypot(first.error, second.error)))


def _estimate(position: Position, turn: str, session: Session, limits: Limit) -> Estimate | None:
    """Return the value of a turn for the side that plays it, by simulations of it alone; None without any."""
    alone = replace(limits, multipv=2, searchmoves=(turn,))  # two: without the dynamic komi
    return _mean(search(position, session, alone).lines, position.scale)


def _mean(lines: Sequence[Info], scale: float) -> Estimate | None:
    """Return the mean of all simulations of `lines`; the error is at least that of searches of this size."""
    if lines and lines[0].score.is_proven:
        return Estimate(lines[0].win_rate(scale), 0.0)
    visits = sum(line.visits or 0 for line in lines)
    if not visits:
        return None
    rate = sum(line.win_rate(scale) * (line.visits or 0) for line in lines) / visits
    sampling = Z * math.sqrt(max(rate * (1 - rate), MIN_VARIANCE) / visits)
    systematic = SYSTEMATIC_ERROR * min(1.0, math.sqrt(LARGE_SEARCH / visits))
    return Estimate(rate, min(1.0, max(sampling, systematic)))


def _compare_iterations(
    position: Position, best: str, played: str, session: Session, limits: Limit
) -> Comparison | None:
    """Compare by one search of two turns; the error is how much their distance varies over iterations."""
    scale = position.scale
    rates: dict[int, dict[str, float]] = {}  # by depth and turn

    def note(info: Info) -> None:
        if not info.bound:
            rates.setdefault(info.depth, {})[info.pv[0]] = info.win_rate(scale)

    result = search(position, session, replace(limits, multipv=2, searchmoves=(best, played)), note)
    final = {info.pv[0]: info for info in result.lines}
    if len(final) < 2:
        return None
    found = [final[turn].win_rate(scale) for turn in (best, played)]
    proven = {turn: info.win_rate(scale) for turn, info in final.items() if info.score.is_proven}
    if len(proven) == 2:
        return Comparison(found[0], found[1], 0.0)
    whole = [{**known, **proven} for _, known in sorted(rates.items()) if len(known) == 2]
    losses = [known[best] - known[played] for known in whole[-ITERATIONS:]]
    error = max(abs(found[0] - found[1] - loss) for loss in losses) if len(losses) > 1 else 1.0
    return Comparison(found[0], found[1], min(1.0, error))


def search(
    position: Position, session: Session, limits: Limit, on_info: Callable[[Info], None] | None = None
) -> Result:
    """Return the result of a search; raise KeyboardInterrupt if it was interrupted."""
    session.go(position, limits, on_info, on_notice=print_notice)
    while (result := session.wait(POLL_INTERVAL)) is None:
        pass
    if session.interrupted:
        raise KeyboardInterrupt
    return result
