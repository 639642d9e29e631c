"""The ZÈRTZ board in plain text and as a drawing: columns a.. upright, their rings counted from below."""

import math
from collections.abc import Sequence
from typing import Any

import tengen.engine.board.picture as drawing
from tengen.engine.board.grids import Axial
from tengen.engine.board.picture import board as wooden_board
from tengen.engine.game import Outcome
from tengen.engine.zertz import GAME
from tengen.engine.zertz.rules import outcome
from tengen.engine.zertz.state import (
    BLACK,
    CAPTURE_STAGE,
    COLOURS,
    GOAL_OF_EACH,
    GOALS,
    GREY,
    NAMES,
    PASS_STAGE,
    PLACES,
    WHITE,
)
from tengen.engine.zertz.text import WORDS, colour_at, ring_text

POOL, PLAYERS = "Pool", GAME.titles
ENDS = {
    Outcome.FIRST_WINS: f"{PLAYERS[0]} has won",
    Outcome.SECOND_WINS: f"{PLAYERS[1]} has won",
    Outcome.DRAW: "Draw",
}
MUST = {CAPTURE_STAGE: ", must capture", PASS_STAGE: ", must pass"}

PITCH = 4  # characters between two columns of the plain text

CELL = 62  # pixels between two neighbours
RISE = CELL * math.sqrt(3) / 2  # between two columns
MARGIN = 58  # from the edges of the picture to the middles of the outer rings
PANEL = 226  # width of what stands beside the board
PANEL_HEIGHT, PANEL_GAP = 130, 18  # height of a frame in it, and what lies between two
INDENT, HEAD = 14, 36  # from the frame to the marbles
ROW_HEIGHT, ROW_WIDTH = 28, 146  # of the marbles of a colour
CAPTION = 30  # height of the caption
RING, RING_WIDTH = 22.5, 14  # radius of a ring's middle line, and how wide the ring is
MARBLE = 18.5  # radius of a marble
SMALL, SLOT = 9.5, 20  # radius of a marble beside the board, and the distance between two
NO_GOALS = (0, 0, 0)
RING_TONE, RING_LIGHT, RING_EDGE, RING_INK = "#57504a", "#857b71", "#332e2a", "#e2d9cd"
TONES = {
    WHITE: drawing.IVORY,
    GREY: drawing.Tone(drawing.Shade("#c3c6ca", "#6d7277"), "#45494d", "#45494d", "#16181a"),
    BLACK: drawing.EBONY,
}
assert (len(TONES), len(PLAYERS)) == (len(COLOURS), 2)


def caption(s: Any) -> str:
    """Return the side to move and what it must do, or the result."""
    after = " after a pass" if s.passes else ""
    to_move = f"{PLAYERS[s.side_to_move]} to move{after}{MUST.get(int(s.stage), '')}"
    return ENDS.get(Outcome(int(outcome(s))), to_move)


def _heights(board: int) -> dict[Axial, float]:
    """Return the height of each place above the middle of the board, in distances between neighbours."""
    heights = {(u, v): v - u / 2 for u, v in PLACES[board]}
    middle = (max(heights.values()) + min(heights.values())) / 2
    return {place: height - middle for place, height in heights.items()}


# ------------------------------------------------------------------------------------------------------- text


def board(s: Any) -> str:
    """Return the board in plain text: ``w g b`` marbles, ``.`` a vacant ring, blank where a ring is gone.

    Numbers of rings are beside the outer columns and above the others, letters below each column.
    """
    heights = _heights(s.board)
    places = {
        name: (place[0] - min(heights)[0] + 1, round(2 * heights[place]))
        for name, place in zip(NAMES[s.board], PLACES[s.board], strict=True)
    }
    last = max(places.values())[0]
    cells = {(x, height + 2): name[1:] for name, (x, height) in places.items() if 1 < x < last}
    cells |= {(x, height - 2): name[0] for name, (x, height) in places.items() if name[1:] == "1"}
    cells |= {
        (x - 1 if x == 1 else x + 1, height): name[1:]
        for name, (x, height) in places.items()
        if x in (1, last)
    }
    cells |= {place: ring_text(s, NAMES[s.board][name]).replace("-", "") for name, place in places.items()}
    rows = drawing.upright_columns(cells, PITCH)
    return "\n".join([*rows, "", *stock_lines(s), caption(s)])


def stock_lines(s: Any) -> list[str]:
    """Return lines with the marbles in the pool and those captured, and with the goals."""
    stocks = (POOL, s.pool), *zip(PLAYERS, s.captured, strict=True)
    counts = [f"{owner + ':':<10}{_counted(numbers)}" for owner, numbers in stocks]
    return [*counts, f"{'Goal:':<10}{_counted(GOALS[s.rules], ' or ')} or {GOAL_OF_EACH[s.rules]} of each"]


def _counted(numbers: Any, between: str = ", ") -> str:
    """Return numbers of marbles in words, such as ``1 white, 0 grey, 2 black``."""
    return between.join(f"{number} {word}" for number, word in zip(numbers, WORDS, strict=True))


# ---------------------------------------------------------------------------------------------------- drawing


def draw(s: Any) -> drawing.Picture:
    """Return the board as a drawing.

    White marbles have a dot, grey ones a bar, black ones a circle. Pool and captures are beside the board.
    Empty places show what a goal needs; a frame marks the goal with all colours.
    """
    places = _places(s.board)
    board_width, board_height = (max(place[axis] for place in places.values()) + MARGIN for axis in (0, 1))
    width, height = round(board_width) + PANEL, round(board_height) + CAPTION
    shapes = wooden_board(width, height)
    for name, index in NAMES[s.board].items():
        shapes += _ring(*places[name], name, ring_text(s, index))
    for name, index in NAMES[s.board].items():
        if (colour := colour_at(s, index)) is not None:
            shapes += drawing.piece_at(name, _marble(*places[name], MARBLE, colour))
    top = (board_height - 3 * PANEL_HEIGHT) / 2 - PANEL_GAP
    for title, stock, goals in (
        (PLAYERS[1], s.captured[1], GOALS[s.rules]),
        (POOL, s.pool, NO_GOALS),
        (PLAYERS[0], s.captured[0], GOALS[s.rules]),
    ):
        shapes += drawing.panel(board_width, top, width - PANEL_GAP, top + PANEL_HEIGHT, title)
        left, first = board_width + INDENT, top + HEAD
        if goals != NO_GOALS:
            right, bottom = left + GOAL_OF_EACH[s.rules] * SLOT + 2, first + len(COLOURS) * ROW_HEIGHT
            frame = drawing.rectangle(left - 2, first, right, bottom)
            shapes.append(drawing.Polygon(frame, "#fff4e650", f"{drawing.GROOVE}80", 1))
        shapes += _stock(left, first, stock, goals)
        if title == (PLAYERS[s.side_to_move] if not s.pool.any() else POOL):  # [Z-6]
            x, y = left + SLOT / 2, first + ROW_HEIGHT / 2
            marbles = [
                drawing.Place(c, x, y + row * ROW_HEIGHT, ROW_HEIGHT / 2) for row, c in enumerate(COLOURS)
            ]
        top += PANEL_HEIGHT + PANEL_GAP
    shapes.append(
        drawing.Text(width / 2, height - CAPTION / 2 - 8, caption(s), 18, drawing.INK, caption=True)
    )
    rings = [drawing.Place(name, x, y, CELL / 2) for name, (x, y) in places.items()]
    return drawing.Picture(width, height, f"ZÈRTZ: {caption(s)}", tuple(shapes), (*marbles, *rings))


def _places(board: int) -> dict[str, drawing.Point]:
    """Return the pixel of each place of a board, by name."""
    heights = _heights(board)
    (first, _), top = min(heights), max(heights.values())
    return {
        name: (MARGIN + (place[0] - first) * RISE, MARGIN + (top - heights[place]) * CELL)
        for name, place in zip(NAMES[board], PLACES[board], strict=True)
    }


def _ring(x: float, y: float, name: str, text: str) -> list[drawing.Shape]:
    """Return a ring with its name inside, or on its rim below a marble; a dot if the ring is gone."""
    if text == "-":
        return [drawing.Circle(x, y, 3, f"{drawing.GROOVE}66")]
    ring: list[drawing.Shape] = [
        drawing.Circle(x + 1.5, y + 3, RING, "", drawing.SHADOW, RING_WIDTH),
        drawing.Circle(x, y, RING, "", RING_EDGE, RING_WIDTH),
        drawing.Circle(x, y, RING, "", RING_TONE, RING_WIDTH - 2),
    ]
    if text == ".":
        return [
            *ring,
            drawing.Circle(x, y, RING + 1, "", RING_LIGHT, 1.6),
            drawing.Text(x, y, name, 13, drawing.FAINT_INK),
        ]
    return [*ring, drawing.Text(x, y + MARBLE + 4.8, name, 9.5, RING_INK)]


def _marble(x: float, y: float, radius: float, colour: int) -> list[drawing.Shape]:
    """Return a marble with the mark of its colour."""
    tone = TONES[colour]
    marks: dict[int, drawing.Shape] = {
        WHITE: drawing.Circle(x, y, 0.16 * radius, tone.ink),
        GREY: drawing.Polyline(((x - 0.42 * radius, y), (x + 0.42 * radius, y)), tone.ink, 0.2 * radius),
        BLACK: drawing.Circle(x, y, 0.38 * radius, "", tone.ink, 0.13 * radius),
    }
    return [*drawing.disc(x, y, radius, tone.shade, tone.raised_rim), marks[colour]]


def _stock(left: float, top: float, stock: Sequence[int], goals: Sequence[int]) -> list[drawing.Shape]:
    """Return marbles in one row for each colour, with places for the goal, and their numbers."""
    shapes: list[drawing.Shape] = []
    for colour, (number, goal) in enumerate(zip(stock, goals, strict=True)):
        y = top + (colour + 0.5) * ROW_HEIGHT
        slots = max(int(number), goal)
        pitch = min(SLOT, ROW_WIDTH / max(1, slots))
        for slot in range(slots):
            x = left + SLOT / 2 + slot * pitch
            shapes += (
                _marble(x, y, SMALL, colour)
                if slot < number
                else [drawing.Circle(x, y, SMALL - 1, "", f"{drawing.GROOVE}99")]
            )
        shapes.append(drawing.Text(left + ROW_WIDTH + 24, y, str(number), 16, drawing.INK, bold=True))
    return shapes
