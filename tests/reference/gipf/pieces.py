"""The pieces of GIPF, on the board and beside it, and what the players agree on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

BASIC_EACH = range(15, 19)
PIECES_EACH = 18
EXTRA_EACH = range(4)
POTENTIALS_EACH = range(7)

Rules = Literal["basic", "standard", "tournament"]
Side = Literal["w", "b"]
Kind = Literal["basic", "gipf", "zertz", "tamsk", "dvonn", "yinsh", "punct", "used"]
Letter = Literal["g", "z", "-"]

SIDES: tuple[Side, Side] = ("w", "b")
CHARGED: tuple[Kind, ...] = ("zertz", "tamsk", "dvonn", "yinsh", "punct")
STAYING: tuple[Kind, ...] = ("gipf", *CHARGED)
WORTH: Mapping[Kind, int] = {"basic": 1, "gipf": 2, **dict.fromkeys(CHARGED, 1), "used": 0}
PREFIX: Mapping[Kind, str] = {
    "basic": "",
    "gipf": "G",
    "zertz": "Z",
    "tamsk": "T",
    "dvonn": "D",
    "yinsh": "Y",
    "punct": "U",
}
SUFFIX: Mapping[Kind, str] = {
    "basic": "",
    "zertz": "+",
    "tamsk": "*",
    "dvonn": "d",
    "yinsh": "y",
    "punct": "u",
    "used": "^",
}
NAME: Mapping[Kind, str] = {
    "zertz": "ZÈRTZ",
    "tamsk": "TAMSK",
    "dvonn": "DVONN",
    "yinsh": "YINSH",
    "punct": "PÜNCT",
}


def other(side: Side) -> Side:
    """Return the opponent."""
    return "b" if side == "w" else "w"


class Piece(NamedTuple):
    """What stands on a spot."""

    side: Side  # whose the spot is: the colour on top
    # what lies on the board itself: a basic, GIPF- or charged piece, or a used potential by itself
    kind: Kind
    # how many jumped potentials lie on it. Each has jumped onto an enemy: the colours alternate [PD-3]
    above: int = 0

    @property
    def owner(self) -> Side:
        """Whose the piece is that lies on the board itself."""
        return self.side if self.above % 2 == 0 else other(self.side)

    @property
    def text(self) -> str:
        """Text of the piece in a position."""
        if self.kind == "gipf":
            return self.side.upper()
        return self.side + SUFFIX[self.kind] + (str(self.above) if self.above else "")

    def jumped(self, side: Side) -> int:
        """Return how many of the potentials on it are those of `side`."""
        return (self.above + (side == self.side)) // 2

    def covered(self) -> "Piece":
        """Return the piece with an enemy potential on it."""
        return Piece(other(self.side), self.kind, self.above + 1)

    def uncovered(self) -> "Piece":
        """Return what is left without the potential on top [PD-7]."""
        return Piece(other(self.side), self.kind, self.above - 1)


class Hand(NamedTuple):
    """What a player has beside the board."""

    reserve: int  # basic pieces; a GIPF-piece takes two of them
    # what may be brought in besides basic pieces: ``g`` GIPF-pieces and then potentials, ``z`` potentials
    letter: Letter
    potentials: tuple[int, ...]  # those not yet in play, by kind in the order of `CHARGED`
    challenges: int  # challenges left

    def brought_in(self, kind: Kind) -> "Hand":
        """Return the hand after a piece of `kind` has been brought in, whether or not there was one."""
        hand = self._replace(reserve=self.reserve - WORTH[kind])
        if kind == "gipf":
            return hand
        left = dict(zip(CHARGED, self.potentials, strict=True))
        if kind == "basic":  # [P-2]: the potentials not in play are lost
            left = dict.fromkeys(CHARGED, 0)
        else:
            left[kind] -= 1
            if kind == "tamsk":  # [T-1]: the ZÈRTZ potentials not in play are lost
                left["zertz"] = 0
        return hand._replace(letter="z" if any(left.values()) else "-", potentials=tuple(left.values()))


@dataclass(frozen=True)
class Agreement:
    """What the players agreed before the game."""

    rules: Rules  # which of the three games
    white: int  # basic pieces that each begins with, on the board and in reserve
    black: int
    potentials: tuple[int, ...]  # those of each player, by kind in the order of `CHARGED`
    challenges: int  # challenges of each player

    @classmethod
    def make(
        cls,
        rules: str = "standard",
        white: int | None = None,
        black: int | None = None,
        zertz: int = 0,
        tamsk: int = 0,
        dvonn: int = 0,
        yinsh: int = 0,
        punct: int = 0,
        extra: int = 0,
        challenges: int = 0,
    ) -> Self:
        """Check the options of a game; raise `ValueError` for a value that none can have."""
        if rules not in ("basic", "standard", "tournament"):
            raise ValueError(f"expected rules 'basic', 'standard' or 'tournament', got {rules!r}")
        allowed = BASIC_EACH if rules == "basic" else range(PIECES_EACH, PIECES_EACH + 1)
        each = []
        for name, number in (("white", white), ("black", black)):
            number = allowed[0] if number is None else number
            if number not in allowed:
                raise ValueError(
                    f"expected {name} from {allowed[0]} to {allowed[-1]} in the {rules} game, got {number}"
                )
            each.append(number + extra)
        potentials = (zertz, tamsk, dvonn, yinsh, punct)
        numbers = dict(zip(CHARGED, potentials, strict=True))
        for name, number in (*numbers.items(), ("challenges", challenges)):
            if number not in POTENTIALS_EACH:
                raise ValueError(f"expected {name} from 0 to {POTENTIALS_EACH[-1]}, got {number}")
        if punct and rules != "basic":  # [PP-2]
            raise ValueError(f"expected punct 0 in the {rules} game, got {punct}")
        if extra not in (EXTRA_EACH if rules == "tournament" else range(1)):  # [U-1]
            raise ValueError(f"expected extra 0, or up to 3 in the tournament game, got {extra}")
        return cls(rules, each[0], each[1], potentials, challenges)  # type: ignore[arg-type]

    def pieces(self, side: Side) -> int:
        """Return the number of basic pieces that `side` begins with, on the board and in reserve."""
        return self.white if side == "w" else self.black

    @property
    def most_gipf_pieces(self) -> int:
        """How many GIPF-pieces a player can have on the board."""
        return {"basic": 0, "standard": 3, "tournament": self.white // 2}[self.rules]
