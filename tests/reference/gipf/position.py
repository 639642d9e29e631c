"""Positions of GIPF and the turns that they allow."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any, Literal, Self

from .board import CENTRE, DIRECTIONS, FOUR, LINES, POINTS, WAYS, Point, Way, has_four, runs
from .pieces import (
    CHARGED,
    NAME,
    PREFIX,
    SIDES,
    STAYING,
    WORTH,
    Agreement,
    Hand,
    Kind,
    Letter,
    Piece,
    Side,
    other,
)
from .texts import format_position, parse
from .turns import Path

START: Mapping[str, Side] = {"b5": "w", "e2": "w", "h5": "w", "b2": "b", "e8": "b", "h2": "b"}


@dataclass(frozen=True)
class Gipf:
    """A position of GIPF, never changed once made."""

    agreement: Agreement  # the rules and what belongs to them
    pieces: Mapping[Point, Piece]  # the occupied spots
    hands: Mapping[Side, Hand]  # reserves and potentials of White and of Black
    side: Side  # who is to move, ``w`` (first) or ``b`` (second). Within a turn it stays who makes it

    @classmethod
    def start(cls, **options: Any) -> Self:
        """Return the position that the game begins with, its options as `Agreement.make` takes them."""
        agreement = Agreement.make(**options)
        pieces: dict[Point, Piece] = {}
        if agreement.rules != "tournament":
            kind: Kind = "basic" if agreement.rules == "basic" else "gipf"
            names = {point.name: point for point in POINTS}
            pieces = {names[name]: Piece(side, kind) for name, side in START.items()}
        letter: Letter = "z" if any(agreement.potentials) else "-"
        if agreement.rules == "tournament":
            letter = "g"  # [G-12]
        hands = {}
        for side in SIDES:
            placed = sum(WORTH[piece.kind] for piece in pieces.values() if piece.side == side)
            reserve = agreement.pieces(side) - placed
            hands[side] = Hand(reserve, letter, agreement.potentials, agreement.challenges)
        return cls(agreement, pieces, hands, "w")

    @classmethod
    def parse(cls, text: str, **options: Any) -> Self:
        """Read a canonical position text. Rows that nobody has taken yet are no fault.

        `ValueError` is raised if the text is malformed, or shows what no game can. Of a player these are:
        more pieces than the player began with, on the board (a GIPF-piece counting two, a potential by itself
        none) and in reserve; GIPF-pieces in the basic game, more than three in the standard game; more
        potentials of a kind, charged and left, than the game has (jumped ones included, where these can be
        told from other kinds), or more of the other kinds together, used ones included; more challenges; a
        letter ``g`` outside the tournament game, ``z`` with no potential left, ``-`` with some left.
        """
        agreement = Agreement.make(**options)
        position = cls(agreement, *parse(agreement, text))
        for owner in SIDES:
            if fault := position._fault(owner):
                raise ValueError(f"{fault} of {owner!r} in {text!r}")
        return position

    def format(self) -> str:
        """Return the canonical position text."""
        return format_position(self.agreement, self.pieces, self.hands, self.side)

    @property
    def turn(self) -> int:
        """Side to move: 0 White, who is first, 1 Black."""
        return SIDES.index(self.side)

    def turns(self) -> list[str]:
        """Return all legal turns, one for each position that can be reached; none when the game is over."""
        return list(self._results)

    def play(self, turn: str) -> Self:
        """Return the position after `turn`; raise `ValueError` if it is not one of `turns()`."""
        if turn not in self._results:
            raise ValueError(f"{turn!r} is not a legal turn in {self.format()!r}")
        return self._results[turn]

    def outcome(self) -> Literal["first", "second"] | None:
        """Return who won, or None while the game goes on; there are no draws [G-7]."""
        fallen = self._without_gipf()
        if len(fallen) == 2:  # [G-11]: the player who took both kinds' last ones has made the last turn
            winner = self.side
        elif fallen:
            winner = other(fallen[0])
        elif self._results:
            return None
        else:  # [G-7]
            winner = other(self.side)
        return "first" if winner == "w" else "second"

    @cached_property
    def _results(self) -> dict[str, Self]:
        """The positions that can be reached, keyed by the smallest turn that leads to each."""
        if self._without_gipf():
            return {}
        found: dict[object, tuple[Path, Self]] = {}
        for path, after in self._sequences():
            key = frozenset(after.pieces.items()), after.hands["w"], after.hands["b"], after.side
            if key not in found or path.rank < found[key][0].rank:
                found[key] = path, after
        return {path.text: after for path, after in sorted(found.values(), key=lambda item: item[0].rank)}

    def _sequences(self) -> Iterator[tuple[Path, Self]]:
        """Yield every sequence of choices that makes a turn, and the position after it."""
        for extra, pushed in self._extra_pushes(Path()):  # [T-4]
            for opening, ready in pushed._removals(extra):  # [G-6]
                if ready._without_gipf():  # [G-11]: the removals are the whole turn
                    yield opening, ready._passed_on()
                    continue
                moves = list(ready._moves(opening))
                if not moves and opening.parts and not ready._rows():  # [G-7] [T-6]: the same side has lost
                    yield opening, ready
                for path, moved in moves:
                    for path_pushed, closing in moved._extra_pushes(path):  # [T-4]
                        for path_closed, closed in closing._removals(path_pushed):
                            yield path_closed, closed._passed_on()

    def _extra_pushes(self, path: Path) -> Iterator[tuple[Path, Self]]:
        """Yield every way to use up the TAMSK potential on the central spot, if there is one [T-2]."""
        if self.pieces.get(CENTRE) != Piece(self.side, "tamsk"):
            yield path, self
            return
        base = replace(self, pieces={**self.pieces, CENTRE: Piece(self.side, "basic")})
        yield from base._extra_pushes(path.give_up())  # [T-3]
        for way in WAYS:
            pieces = base._pushed(way, Piece(self.side, "used"))  # [T-5]
            if pieces is not None:
                yield from replace(base, pieces=pieces)._extra_pushes(path.push("p", way.ends))

    def _moves(self, path: Path) -> Iterator[tuple[Path, Self]]:
        """Yield every push [G-1] and every move of a potential [P-5], without what follows."""
        for kind in PREFIX:
            if not self._may_bring_in(kind):
                continue
            hands = {**self.hands, self.side: self.hands[self.side].brought_in(kind)}
            for way in WAYS:
                pieces = self._pushed(way, Piece(self.side, kind))
                if pieces is not None:
                    yield path.push(PREFIX[kind], way.ends), replace(self, pieces=pieces, hands=hands)
        for origin, piece in self.pieces.items():
            if piece.side == self.side and not piece.above and piece.kind in CHARGED:
                for target in self._targets(origin, piece.kind):
                    below = self.pieces.get(target)
                    landed = below.covered() if below else Piece(self.side, "used")
                    pieces = {**self.pieces, origin: Piece(self.side, "basic"), target: landed}
                    yield path.push("j", (origin, target)), replace(self, pieces=pieces)

    def _targets(self, origin: Point, kind: Kind) -> Iterator[Point]:
        """Yield the spots to which the potential of a piece charged with `kind` can go."""
        for direction in DIRECTIONS:
            target = origin.step(direction)
            if kind == "zertz" and target in self.pieces:  # [P-5]
                while target in self.pieces:
                    target = target.step(direction)
                if target.is_spot():
                    yield target
            elif kind == "yinsh":  # [PY-1]
                while target.is_spot() and target not in self.pieces:
                    yield target
                    target = target.step(direction)
            elif kind in ("dvonn", "punct") and target in self.pieces:
                below = self.pieces[target]  # [PD-5] [PP-1]: what jumps can lie on it is told by its own kind
                if below.side != self.side and (
                    below.kind == kind or (below.kind, kind) == ("basic", "dvonn")
                ):
                    yield target

    def _pushed(self, way: Way, piece: Piece) -> dict[Point, Piece] | None:
        """Return the board after `piece` is pushed along `way`, or None when the line is full [G-2]."""
        vacant = next((i for i, spot in enumerate(way.spots) if spot not in self.pieces), None)
        if vacant is None:
            return None
        pieces = dict(self.pieces)
        for i in range(vacant, 0, -1):
            pieces[way.spots[i]] = pieces[way.spots[i - 1]]
        pieces[way.spots[0]] = piece
        return pieces

    def _may_bring_in(self, kind: Kind) -> bool:
        """Tell whether the player has, and may push in, a piece of `kind`."""
        hand = self.hands[self.side]
        if hand.reserve < WORTH[kind]:
            return False
        if kind == "gipf":
            return hand.letter == "g"  # [G-12]
        if not self._has_played(self.side):  # [G-12]: the first turn brings in a GIPF-piece
            return False
        return kind == "basic" or hand.potentials[CHARGED.index(kind)] > 0

    def _removals(self, path: Path, resolved: frozenset[Way] = frozenset()) -> Iterator[tuple[Path, Self]]:
        """Yield every order and choice in which the side may take its rows [G-5] [G-8].

        A line is taken from once, or again when a piece of the side is freed on it [PD-9].
        """
        rows = {line: row for line, row in self._rows().items() if line not in resolved}
        if not rows or self._without_gipf():  # [G-11]
            yield path, self
            return
        for line, row in rows.items():
            for taken in self._choices(row):
                after = self._without(taken)
                freed = {
                    spot for spot in taken if spot in after.pieces and after.pieces[spot].side == self.side
                }
                done = frozenset(each for each in resolved | {line} if freed.isdisjoint(each.spots))
                yield from after._removals(path.group(line, taken), done)

    def _rows(self) -> dict[Way, tuple[Point, ...]]:
        """Return the rows of the side, with what extends them, keyed by their lines [G-3]."""
        rows = {}
        own = {spot for spot, piece in self.pieces.items() if piece.side == self.side}
        for line in LINES:
            if len(own.intersection(line.spots)) >= FOUR:
                for run in runs(spot if spot in self.pieces else None for spot in line.spots):
                    if has_four(spot if spot in own else None for spot in run):
                        rows[line] = run
        return rows

    def _choices(self, row: tuple[Point, ...]) -> Iterator[tuple[Point, ...]]:
        """Yield every set of spots of the row that may be taken, in the order of the row [G-8] [P-3]."""
        staying = [
            spot for spot in row if self.pieces[spot].kind in STAYING and not self.pieces[spot].above
        ]  # [PD-6]
        all_gipf = all(self.pieces[spot].kind == "gipf" for spot in row)
        to_be_broken = len(staying) == len(row) and not all_gipf  # [PD-8]
        for left in chain.from_iterable(combinations(staying, size) for size in range(len(staying) + 1)):
            own = (spot if spot in left and self.pieces[spot].side == self.side else None for spot in row)
            if not (to_be_broken and has_four(own)):
                yield tuple(spot for spot in row if spot not in left)

    def _without(self, taken: tuple[Point, ...]) -> Self:
        """Return the position after the side takes the tops of `taken` [G-4] [G-9] [P-4] [P-6] [PD-7]."""
        pieces, returned = dict(self.pieces), 0
        for spot in taken:
            piece = pieces.pop(spot)
            if piece.above:
                pieces[spot] = piece.uncovered()
            elif piece.side == self.side:
                returned += WORTH[piece.kind]
        hand = self.hands[self.side]
        hands = {**self.hands, self.side: hand._replace(reserve=hand.reserve + returned)}
        return replace(self, pieces=pieces, hands=hands)

    def _passed_on(self) -> Self:
        """Return the position with the opponent to move."""
        return replace(self, side=other(self.side))

    def _without_gipf(self) -> tuple[Side, ...]:
        """Return the sides that have lost their last GIPF-piece [G-11]."""
        if self.agreement.rules == "basic":
            return ()
        return tuple(
            side
            for side in SIDES
            if Piece(side, "gipf") not in self.pieces.values() and self._has_played(side)
        )

    def _has_played(self, side: Side) -> bool:
        """Tell whether `side` has made its first turn, which only a tournament game can be without [G-12]."""
        if self.agreement.rules != "tournament":
            return True
        owners = [piece.side for piece in self.pieces.values()]
        hand = self.hands[side]
        if side in owners or hand.reserve < self.agreement.pieces(side) or hand.letter != "g":
            return True
        if side == "w":
            return self.side != "w" or "b" in owners
        if self.side == "w":
            return self._has_played("w")
        one_turn = self.hands["w"].reserve == self.agreement.pieces("w") - 2
        return [*self.pieces.values()] != [Piece("w", "gipf")] or not one_turn

    def _fault(self, side: Side) -> str | None:
        """Say what no game can show of `side`, or return None."""
        agreement, hand = self.agreement, self.hands[side]
        bases = [piece.kind for piece in self.pieces.values() if piece.owner == side]
        agreed = dict(zip(CHARGED, agreement.potentials, strict=True))
        known = dict(zip(CHARGED, hand.potentials, strict=True))  # left, charged or jumped, by kind
        for piece in self.pieces.values():
            known["punct" if piece.kind == "punct" else "dvonn"] += piece.jumped(side)
            if piece.owner == side and piece.kind in CHARGED:
                known[piece.kind] += 1
        alone: tuple[Kind, ...] = ("zertz", "tamsk", "yinsh")  # of which a used one is a piece by itself
        gipf = bases.count("gipf")
        limits = [
            ("pieces", agreement.pieces(side), sum(WORTH[kind] for kind in bases) + hand.reserve),
            ("GIPF-pieces", agreement.most_gipf_pieces, gipf),
            *((f"{NAME[kind]} potentials", agreed[kind], known[kind]) for kind in CHARGED),
            (
                "potentials that can be a piece by themselves",
                sum(agreed[kind] for kind in alone),
                sum(known[kind] for kind in alone) + bases.count("used"),
            ),
            ("challenges", agreement.challenges, hand.challenges),
        ]
        for what, limit, got in limits:
            if got > limit:
                return f"expected at most {limit} {what}, got {got}"
        letters = "z" if any(hand.potentials) else "-"
        if agreement.rules == "tournament":
            letters += "g"
        if hand.letter not in letters:
            return f"expected {' or '.join(map(repr, letters))} to bring in, got {hand.letter!r}"
        jumped = any(piece.jumped(side) for piece in self.pieces.values())
        intact = hand.potentials == agreement.potentials
        if hand.letter == "g" and (len(bases) > gipf or jumped or not intact):  # [G-12][P-2]
            return "expected 'g' only while nothing but GIPF-pieces has been brought in"
        return None
