"""Translating Boardspace's records of GIPF into the form of `engine.sgf`; see docs/gipf.md."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tengen.engine.gipf.state import BLACK, NAMES, PUSH_NAMES, PUSH_SPOTS, SPOT_NAMES, TOURNAMENT, WHITE
from tengen.engine.play.position import Position
from tengen.engine.sgf import archive
from tengen.engine.sgf.archive import PLACE, RACK, BadGesture, Dialect, setup_of
from tengen.engine.sgf.node import Properties
from tengen.engine.sgf.syntax import Notes

SETUPS = {"gipf": "gipf:basic", "gipf-standard": "gipf:standard", "gipf-tournament": "gipf:tournament"}
MATRX = ("a game on the board of GIPF", "one on that of MATRX GIPF")
KIND = r"(?:None\s+)?"  # newer records name the potential
FORMS = {
    "pick": RACK,
    "drop": RACK,
    "pickb": PLACE,
    "dropb": PLACE,
    "pdrop": KIND + PLACE,
    "slide": rf"{PLACE}\s+{PLACE}",
    "slidefrom": rf"{PLACE}\s+{PLACE}",
    "pslide": rf"{KIND}{PLACE}\s+{PLACE}",
    "standard": "",
    "remove": PLACE,
    "preserve": PLACE,
}
DOTS = dict.fromkeys(dot for dot, _ in PUSH_NAMES)
PATHS = {  # the spots of a line, by the dot and the spot next to it
    names: [SPOT_NAMES[spot] for spot in spots] for names, spots in zip(PUSH_NAMES, PUSH_SPOTS, strict=True)
}
LINES = [  # dots at both ends, and the spots between
    ((dot, end), path)
    for (dot, _), path in PATHS.items()
    for (end, spot), back in PATHS.items()
    if dot < end and back == path[::-1] and spot == path[-1]
]
ROW = 4  # pieces
MOST_CHOICES = 100  # about rows, before or after a push


def translate(nodes: Sequence[Properties], notes: Notes) -> list[Properties]:
    """Return the record in `nodes`, the first one its root, in the form of `engine.sgf`.

    Raise NotationError, with the move, when the game is unknown, or a gesture is unknown or makes no sense.
    """
    spec = setup_of(nodes[0], SETUPS, {"gipf-matrx": MATRX})
    places = sorted({*DOTS, *NAMES})
    return archive.translate(nodes, spec, Dialect(PendingTurn, FORMS, places, "place", "Dropb A 1"), notes)


@dataclass
class PendingTurn:
    """The gestures of a turn so far, see `archive.Gestures`."""

    dot: str = ""  # on which a piece was put; empty before that
    spot: str = ""  # next to it, to which the piece was pushed
    held: bool = False  # whether a piece is in the hand
    switched: bool = False  # whether a basic piece was chosen in place of a GIPF-piece
    before: list[tuple[str, str]] = field(default_factory=list)  # ``remove`` or ``preserve`` and the place
    after: list[tuple[str, str]] = field(default_factory=list)  # the same after the push

    def add(self, word: str, values: Sequence[str]) -> None:
        """Add a gesture."""
        match word, values:
            case "pick" | "drop", _:
                self._take_back()
                self.dot, self.held = "", word == "pick"
            case "pickb", [place]:
                if place not in (self.dot, self.spot):
                    raise BadGesture(f"only a piece of this turn to be picked up, got the one on {place}")
                self._take_back()
                self.held = True
            case "dropb" | "pdrop", [place]:
                self._drop(place)
            case "slide" | "slidefrom" | "pslide", [dot, spot]:
                self.dot = dot
                self._drop(spot)
            case "standard", _:
                self.switched = not self.switched
            case "remove" | "preserve", [place]:
                listed = self.after if self.spot else self.before
                if len(listed) == MOST_CHOICES:
                    raise BadGesture(f"at most {MOST_CHOICES} choices in the rows of a turn, got more")
                listed.append((word, place))

    def is_turn(self) -> bool:
        """Return whether a piece was pushed, or rows were taken."""
        return bool(self.spot or self.before)

    def text(self, position: Position, player: int) -> str:
        """Return the text of the turn."""
        s = position.state
        gipf, side = int(s.gipf), int(s.side_to_move)
        board = {
            name: (owner, bool(gipf >> bit & 1))
            for owner in (WHITE, BLACK)
            for name, bit in NAMES.items()
            if int(s.pieces[owner]) >> bit & 1
        }
        opening = Takings(board, side)
        opening.follow(self.before, again=True)
        parts = opening.groups
        if self.spot:
            placing = bool(s.rules == TOURNAMENT and s.placing[side]) and not self.switched
            piece = side, placing
            for name in PATHS[self.dot, self.spot]:  # as far as there is room
                pushed, board[name] = board.get(name), piece
                if pushed is None:
                    break
                piece = pushed
            closing = Takings(board, side)
            closing.follow(self.after, again=False)
            parts = [*parts, f"{'G' * placing}{self.dot}-{self.spot}", *closing.groups]
        return ";".join(parts)

    def begins_a_turn(self, position: Position) -> bool:
        """Return whether these are only the rows that open a turn."""
        return not self.spot

    def _take_back(self) -> None:
        """Take back the push, and what followed it."""
        self.spot = ""
        self.after.clear()

    def _drop(self, place: str) -> None:
        """Put a piece on a dot, or push it from there to a spot."""
        if self.spot:
            raise BadGesture(f"one push in a turn, got another one to {place}")
        if place in DOTS:
            self.dot = place
        elif (self.dot, place) in PATHS:
            self.spot = place
        else:
            raise BadGesture(f"a push from a dot to the spot next to it, got one to {place}")
        self.held = False


class Takings:
    """What a player takes of the rows at one time of a turn.

    Own GIPF-pieces stay unless the player says otherwise, and so do the opponent's where rows cross. `side`
    is that of the player.
    """

    def __init__(self, board: dict[str, tuple[int, bool]], side: int) -> None:
        self.groups: list[str] = []  # the pieces taken, as parts of a turn
        self._board = board  # side, and whether it is a GIPF-piece, by spot; what is taken goes
        self._side = side
        self._kept = self._kept_by_default()

    def follow(self, gestures: Sequence[tuple[str, str]], again: bool) -> None:
        """Follow gestures about rows, then take what is left of them.

        `again` says whether the archive considers anew which pieces stay when a row was taken.
        """
        for word, place in gestures:
            if self._board.get(place, (0, False))[1]:
                toggled = word == "preserve" and place not in self._kept
                self._kept = self._kept | {place} if toggled else self._kept - {place}
            elif word == "remove":
                for row in (row for dots, row in self._rows() if place in dots or place in row):
                    self._take(row)
                    break
                if again:
                    self._kept = self._kept_by_default()
        for _, row in self._rows():
            self._take(row)

    def _take(self, row: Sequence[str]) -> None:
        taken = [spot for spot in row if spot in self._board and spot not in self._kept]
        for spot in taken:
            del self._board[spot]
        if taken:
            self.groups.append("x" + ",".join(taken))

    def _rows(self) -> list[tuple[tuple[str, str], list[str]]]:
        """Return the rows, as the dots and the spots of their lines."""
        return [(dots, row) for dots, path in LINES if (row := self._row(path))]

    def _row(self, path: Sequence[str]) -> list[str]:
        """Return the spots of a row along a line, with all pieces that extend it; none without a row."""
        run: list[str] = []
        own = most = 0
        for spot in (*path, ""):
            if spot in self._board:
                run.append(spot)
                own = own + 1 if self._board[spot][0] == self._side else 0
                most = max(most, own)
            elif most >= ROW:
                return run
            else:
                run, own, most = [], 0, 0
        return []

    def _kept_by_default(self) -> set[str]:
        rows = [row for _, row in self._rows()]
        return {
            spot
            for spot in {spot for row in rows for spot in row}
            if self._board[spot][1]
            and (self._board[spot][0] == self._side or sum(spot in row for row in rows) > 1)
        }
