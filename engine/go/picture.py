"""The Go board in plain text and as a drawing."""

from collections.abc import Collection
from typing import Any

from tengen.engine.board import goban
from tengen.engine.board.picture import Picture, Shape
from tengen.engine.game import Outcome
from tengen.engine.go.agreement import AgreedScore, agreed_score, counted
from tengen.engine.go.rules import outcome, stones_of
from tengen.engine.go.state import EMPTY, NOWHERE, PASS, coordinates, name_of, star_points
from tengen.engine.go.text import NAMES, points_text

LARGE = 15  # boards from this size on have nine stars, if there is a middle


def caption(s: Any) -> str:
    """Return the side to move, or the result without dead stones."""
    if outcome(s) == Outcome.ONGOING:
        passed = f", {NAMES[1 - s.side_to_move]} has passed" if s.passes else ""
        return f"{NAMES[s.side_to_move]} to move{passed}"
    margin = agreed_score(s).margin
    return f"{NAMES[margin < 0]} has won by {points_text(abs(margin))}" if margin else "Draw"


def note(s: Any) -> str:
    """Return the prisoners, the komi, and at the end the chains whose status is not certain."""
    black, white = s.board.prisoners
    prisoners = f"prisoners: Black {black}, White {white}; komi {points_text(int(s.komi))}"
    unsure = agreed_score(s).unsure if outcome(s) != Outcome.ONGOING else frozenset()
    first = {int(s.board.chain[p]): p for p in sorted(unsure, reverse=True)}
    names = ", ".join(map(name_of, sorted(first.values())))
    return f"{prisoners}; life or death not certain: {names}" if names else prisoners


def board(s: Any) -> str:
    """Return the board in plain text: rows from the top, ``X`` black, ``O`` white, ``(X)`` the last stone."""
    size = int(s.board.width)
    lines = goban.diagram(stones_of(s), size, marked_points(size), _last(s))
    return "\n".join([*lines, f"{caption(s)}; {note(s)}"])


def draw(s: Any) -> Picture:
    """Return the board as a drawing; at the end with the owners of empty points and dead stones."""
    size = int(s.board.width)
    title = f"Go, {size} by {size}: {caption(s)}; {note(s)}"
    return goban.draw(title, stones_of(s), size, marked_points(size), caption(s), note(s), _marks(s))


def draw_counted(s: Any, dead: Collection[str]) -> Picture:
    """Return the board at the end as a drawing, with the owners if the stones on these vertices are dead."""
    size, score = int(s.board.width), counted(s, dead)
    marks = [goban.square(*place, size, colour) for place, colour in _owned(s, score)]
    won = f"{NAMES[score.margin < 0]} wins by {points_text(abs(score.margin))}" if score.margin else "Draw"
    title = f"Go, {size} by {size}: {won} if {len(score.dead)} stones are dead"
    return goban.draw(title, stones_of(s), size, marked_points(size), won, note(s), marks)


def marked_points(size: int) -> set[tuple[int, int]]:
    """Return the points that are marked with a dot: some of those for handicap stones."""
    most = 9 if size >= LARGE else 5
    return set(next(filter(None, (star_points(size, number) for number in (most, 4))), []))


def _last(s: Any) -> tuple[int, int] | None:
    """Return where the last stone was played; None after a pass, or before the first."""
    action = int(s.last_actions[0])
    return coordinates(action) if action != PASS else None


def _marks(s: Any) -> list[Shape]:
    """Return the marks of the last stone, of the ko point, and of territory at the end."""
    size = int(s.board.width)
    marks: list[Shape] = []
    if last := _last(s):
        marks.append(goban.ring(*last, size, stones_of(s)[last]))
    if s.board.ko != NOWHERE:
        marks.append(goban.square(*coordinates(int(s.board.ko)), size))
    if outcome(s) != Outcome.ONGOING:
        marks += [goban.square(*place, size, colour) for place, colour in _owned(s, agreed_score(s))]
    return marks


def _owned(s: Any, score: AgreedScore) -> list[tuple[tuple[int, int], int]]:
    """Return the empty points and dead stones that count for a side, with its colour."""
    return [
        (coordinates(p), goban.BLACK if owner > 0 else goban.WHITE)
        for p, owner in score.owner.items()
        if s.board.stones[p] == EMPTY or p in score.dead
    ]
