"""The searches of a review: what a position is worth, and what the turn played costs.

The values of two positions, one turn apart, come from two searches. Each of them overrates the side that it
looks for a turn of, so that their difference says little. The loss of a turn is therefore found in one more
search, in which the engine's turn and the turn played are the only ones at the root. See docs/review.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.engine.challenge import ChallengeGame
from tengen.engine.errors import TengenError
from tengen.engine.game import Outcome
from tengen.protocol.common.output import print_notice
from tengen.protocol.review.assessment import Assessment, Comparison, ReviewPosition
from tengen.search.info import Info, Score
from tengen.search.limits import Limits

if TYPE_CHECKING:
    from tengen.engine.position import Position
    from tengen.protocol.common.session import Session
    from tengen.search.info import Result

POLL_INTERVAL = 0.1  # seconds: on some systems a signal is not handled while the main thread waits
Z = 1.96  # standard deviations in an error bar
MIN_VARIANCE = 0.01  # of the result of a simulation, even where all of them agree
ITERATIONS = 3  # last iterations that tell how much a loss varies


class ReviewError(TengenError):
    """A position could not be searched."""


def assess(entry: ReviewPosition, session: Session, limits: Limits) -> Assessment:
    """Search a position, and compare the turn played with the best; before a trial, what it may lead to."""
    if isinstance(entry.position, ChallengeGame) and entry.position.trial:
        return assess_trial(entry.position, entry.number, session, limits)
    found = assess_position(entry.position, entry.number, session, limits)
    if entry.played in ("", found.best) or entry.position.active is None:
        return found
    compared = compare(entry.position, found.best, entry.played, session, limits)
    return replace(found, compared=compared)


def assess_position(position: Position, number: int, session: Session, limits: Limits) -> Assessment:
    """Search the position after turn `number`; if the limits are too small for any result, to depth 1."""
    if session.uses_mcts(position.foreground.spec.game):
        limits = replace(limits, multipv=2)  # without the dynamic komi, which shifts values
    result = search(position, session, limits)
    if not result.lines:
        result = search(position, session, Limits(depth=1))
    if not result.lines:
        raise ReviewError(f"position after turn {number}: {result.notice}")
    return Assessment.of_search(result.lines[0], result.nodes, position.foreground.scale)


def assess_trial(contest: ChallengeGame, number: int, session: Session, limits: Limits) -> Assessment:
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


def compare(
    position: Position, best: str, played: str, session: Session, limits: Limits
) -> Comparison | None:
    """Return the values of two turns, found with equal effort; None if the limits are too small for both.

    Parameters
    ----------
    position : Position
    best, played : str
        Different legal turns, canonical.
    session : Session
    limits : Limits
        For both together.
    """
    if session.uses_mcts(position.foreground.spec.game):
        return _compare_simulations(position, best, played, session, limits)
    return _compare_iterations(position, best, played, session, limits)


def _compare_simulations(
    position: Position, best: str, played: str, session: Session, limits: Limits
) -> Comparison | None:
    """Compare by two trees, each with one turn at its root; the error is that of a sample of games."""
    half = replace(
        limits,
        nodes=limits.nodes and max(1, limits.nodes // 2),
        movetime=limits.movetime and limits.movetime / 2,
        multipv=2,  # without the dynamic komi
    )
    scale = position.foreground.scale
    rates, variance = [], 0.0
    for turn in (best, played):
        lines = search(position, session, replace(half, searchmoves=(turn,))).lines
        if not lines:
            return None
        rate = lines[0].win_rate(scale)
        rates.append(rate)
        if not lines[0].score.proven:
            variance += max(rate * (1 - rate), MIN_VARIANCE) / max(1, lines[0].visits or 0)
    return Comparison(rates[0], rates[1], min(1.0, Z * math.sqrt(variance)))


def _compare_iterations(
    position: Position, best: str, played: str, session: Session, limits: Limits
) -> Comparison | None:
    """Compare by one search of two turns; the error is how much their distance varies over iterations."""
    scale = position.foreground.scale
    rates: dict[int, dict[str, float]] = {}  # by depth and turn

    def note(info: Info) -> None:
        if not info.bound:
            rates.setdefault(info.depth, {})[info.pv[0]] = info.win_rate(scale)

    result = search(position, session, replace(limits, multipv=2, searchmoves=(best, played)), note)
    final = {info.pv[0]: info for info in result.lines}
    if len(final) < 2:
        return None
    found = [final[turn].win_rate(scale) for turn in (best, played)]
    proven = {turn: info.win_rate(scale) for turn, info in final.items() if info.score.proven}
    if len(proven) == 2:
        return Comparison(found[0], found[1], 0.0)
    whole = [{**known, **proven} for _, known in sorted(rates.items()) if len(known) == 2]
    losses = [known[best] - known[played] for known in whole[-ITERATIONS:]]
    error = max(abs(found[0] - found[1] - loss) for loss in losses) if len(losses) > 1 else 1.0
    return Comparison(found[0], found[1], min(1.0, error))


def search(
    position: Position, session: Session, limits: Limits, on_info: Callable[[Info], None] | None = None
) -> Result:
    """Return the result of a search; raise KeyboardInterrupt if it was interrupted."""
    session.go(position, limits, on_info, on_notice=print_notice)
    while (result := session.wait(POLL_INTERVAL)) is None:
        pass
    if session.interrupted:
        raise KeyboardInterrupt
    return result
