"""A game on the server: who plays it, its clock, its end, and the engine's turns."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tengen.engine.debug import internal_error, log
from tengen.engine.errors import OptionError, TengenError, quoted
from tengen.engine.game import GameSpec, Outcome
from tengen.protocol.common.archive import ENGINE_NAME, ENGINE_PLAYER, PERSON, level_of_rank, players, rank_of
from tengen.protocol.common.errors import CommandError
from tengen.protocol.common.swap2 import MIN_SIZE, SWAP, choose_color, choose_opening, supports_swap2
from tengen.protocol.web.pool import Job, Priority, SearchPool
from tengen.protocol.web.tree import Cursor, GameTree, Node
from tengen.search.limits import MAX_LEVEL, Clock, Limits

if TYPE_CHECKING:
    from tengen.engine.position import Position
    from tengen.engine.sgf import Record

ENGINE = "engine"
KINDS = (PERSON, ENGINE)
PLAYERS = ("PB", "PW", "BR", "WR", "RE")  # properties that are written anew
SETTINGS = "TW"  # the property of the root that holds what only this server needs, as JSON
MAX_CLOCK = 86_400.0  # seconds
SWAP2_CHOICES = (("black", "white", "more"), ("black", "white"))  # of the second player, then of the first
OPENING_STONES, MORE_STONES = 3, 5
TURN_SECONDS = 2.0  # of a turn at full strength without a clock


@dataclass
class Seat:
    """One of the two players.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    level : int
        Of the engine.
    name : str
        Of a person, or of a player of the record.
    """

    kind: str = PERSON
    level: int = MAX_LEVEL
    name: str = ""

    @classmethod
    def parse(cls, data: object) -> Seat:
        """Return the player that a message describes.

        Raises
        ------
        CommandError
            If it is malformed.
        """
        fields = data if isinstance(data, dict) else {}
        kind, level, name = fields.get("kind"), fields.get("level", MAX_LEVEL), fields.get("name", "")
        if kind not in KINDS or type(level) is not int or not 1 <= level <= MAX_LEVEL:
            expected = f"expected {' or '.join(KINDS)} with a level from 1 to {MAX_LEVEL}"
            raise CommandError(f"player: {expected}, got {quoted(str(data), 80)}")
        return cls(str(kind), level, str(name)[:40])

    @property
    def title(self) -> str:
        """The name for records."""
        return ENGINE_PLAYER if self.kind == ENGINE else self.name or PERSON

    @property
    def rank(self) -> str:
        """The rank for records; empty for a person, and for an engine at full strength."""
        return rank_of(self.level) if self.kind == ENGINE and self.level < MAX_LEVEL else ""

    @classmethod
    def of_record(cls, name: str, rank: str) -> Seat:
        """Return the player that a record of a person's game names."""
        if name.startswith(ENGINE_NAME):
            return cls(ENGINE, level_of_rank(rank) or MAX_LEVEL)
        return cls(name=name[:40])


@dataclass
class GameClock:
    """Two clocks, of which one may run.

    Attributes
    ----------
    main, increment : float
        Seconds at the start, and added after every turn.
    left : list of float
        Seconds left, by seat, when the running clock was started.
    running : int or None
        The seat whose clock runs.
    """

    main: float
    increment: float
    left: list[float] = field(default_factory=list)
    running: int | None = None
    _since: float = 0.0

    def __post_init__(self) -> None:
        self.left = self.left or [self.main, self.main]

    @classmethod
    def parse(cls, data: object) -> GameClock | None:
        """Return the clock that a message describes; None without one.

        Raises
        ------
        CommandError
            If it is malformed.
        """
        if data is None:
            return None
        fields = data if isinstance(data, dict) else {}
        main, increment, left = fields.get("main"), fields.get("increment", 0), fields.get("left") or []
        numbers = [main, increment, *left] if isinstance(left, list) else [None]
        sound = all(isinstance(number, int | float) and 0 <= number <= 2 * MAX_CLOCK for number in numbers)
        if not sound or not main or len(left) not in (0, 2):
            raise CommandError(f"clock: expected seconds and an increment, got {quoted(str(data), 80)}")
        return cls(float(main), float(increment), [float(number) for number in left])

    def seconds(self, seat: int) -> float:
        """Return the seconds that a seat has left now."""
        spent = time.monotonic() - self._since if self.running == seat else 0.0
        return max(0.0, self.left[seat] - spent)

    def start(self, seat: int) -> None:
        """Let the clock of a seat run, and no other."""
        self.stop()
        self.running, self._since = seat, time.monotonic()

    def stop(self) -> None:
        """Let no clock run."""
        if self.running is not None:
            self.left[self.running] = self.seconds(self.running)
        self.running = None

    def report(self) -> dict[str, Any]:
        """Return the clock for messages and records."""
        left = [round(self.seconds(seat), 2) for seat in (0, 1)]
        return {"main": self.main, "increment": self.increment, "left": left, "running": self.running}


class WebGame:
    """A game that pages look at and play.

    Parameters
    ----------
    name : str
        In the store.
    tree : GameTree
    seats : list of Seat
        The players; the first one plays the first side, unless Swap2 has it otherwise.
    pool : SearchPool
    on_change : callable
        Called with this game after every change that has to be kept.

    Attributes
    ----------
    cursor : Cursor
        At the position that is being played.
    clock : GameClock or None
    swap2 : bool
        Whether the game begins with Swap2.
    choices : list of str
        The choices made in Swap2, of `SWAP2_CHOICES`.
    ended : dict or None
        How the game ended other than on the board: ``result`` as SGF has it, and ``reason``.
    dead : set of str or None
        The vertices of dead stones that were agreed upon, if not those that the engine finds.
    playing_on : bool
        Whether the players go on after two passes.
    listeners : set of callable
        Called after every change, and with notices.
    """

    def __init__(
        self,
        name: str,
        tree: GameTree,
        seats: list[Seat],
        pool: SearchPool,
        on_change: Callable[[WebGame], None],
    ) -> None:
        self.name = name
        self.tree = tree
        self.seats = seats
        self.cursor = Cursor(tree)
        self.clock: GameClock | None = None
        self.swap2 = False
        self.choices: list[str] = []
        self.ended: dict[str, str] | None = None
        self.dead: set[str] | None = None
        self.playing_on = False
        self.properties: dict[str, list[str]] = {}
        self.notice = ""
        self.listeners: set[Callable[[], None]] = set()
        self.rng = random.Random()
        self._pool = pool
        self._on_change = on_change
        self._undone: list[Node] = []
        self._thinking: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None

    # -------------------------------------------------------------------------------------------- records

    @classmethod
    def of_record(
        cls, name: str, record: Record, pool: SearchPool, on_change: Callable[[WebGame], None]
    ) -> WebGame:
        """Return the game of a record, as `record` has written it or another program.

        Raises
        ------
        TengenError
            If the record has an illegal turn.
        """
        properties = dict(record.properties)
        kept = _settings(properties.pop(SETTINGS, []))
        game = cls(name, GameTree.of_record(record), _seats(kept, record), pool, on_change)
        game.properties = {key: values for key, values in properties.items() if key not in PLAYERS}
        game.clock = _clock(kept)
        game.swap2 = bool(kept.get("swap2")) and supports_swap2(record.spec.game)
        game.choices = [choice for choice in kept.get("choices", []) if choice in SWAP2_CHOICES[0]]
        ended = kept.get("ended")
        game.ended = {key: str(value) for key, value in ended.items()} if isinstance(ended, dict) else None
        if ended is None and not kept and "RE" in properties:
            game.ended = {"result": properties["RE"][0][:20], "reason": "as the record says"}
        dead = kept.get("dead")
        game.dead = {str(vertex) for vertex in dead} if isinstance(dead, list) else None
        line = list(game.tree.root.line())
        last = line[-1] if line else game.tree.root
        game.cursor.go(game.tree.nodes.get(str(kept.get("current")), last))
        return game

    def record(self) -> Record:
        """Return the record of this game."""
        properties = {**self.properties}
        for side, letter in enumerate(self.spec.game.letters):
            seat = self.seats[self.seat_of(side)]
            properties[f"P{letter.upper()}"] = [seat.title]
            if seat.rank:
                properties[f"{letter.upper()}R"] = [seat.rank]
        if result := self.result():
            properties["RE"] = [result]
        kept = {
            "seats": [vars(seat) for seat in self.seats],
            "current": self.node.key,
            **({"clock": self.clock.report()} if self.clock else {}),
            **({"swap2": True, "choices": self.choices} if self.swap2 else {}),
            **({"ended": self.ended} if self.ended else {}),
            **({"dead": sorted(self.dead)} if self.dead is not None else {}),
        }
        return self.tree.record({**properties, SETTINGS: [json.dumps(kept)]})

    # ------------------------------------------------------------------------------------------- the state

    @property
    def spec(self) -> GameSpec:
        """The game that is played."""
        return self.tree.spec

    @property
    def node(self) -> Node:
        """The position that is played."""
        return self.cursor.node

    @property
    def position(self) -> Position:
        """The position that is played."""
        return self.cursor.position

    def result(self) -> str:
        """Return the result as SGF has it; empty while the game goes on."""
        if self.ended:
            return self.ended["result"]
        if self.position.outcome() == Outcome.ONGOING or self.agreeing:
            return ""
        return "0" if self.position.winner() == "draw" else self.position.result()

    @property
    def agreeing(self) -> bool:
        """Whether the players still have to agree on the dead stones."""
        over = self.position.outcome() != Outcome.ONGOING
        return over and self.spec.game.ends_by_agreement and not self.ended and not self.playing_on

    @property
    def over(self) -> bool:
        """Whether no more turns are played."""
        if self.ended or self.agreeing:
            return True
        return self.position.outcome() != Outcome.ONGOING and not self.playing_on

    def seat_of(self, side: int) -> int:
        """Return the seat that plays `side`."""
        last = self.choices[-1] if self.choices else ""
        if not self.swap2 or last not in ("black", "white"):
            return side
        chooser = 2 - len(self.choices)  # the second player chooses first
        black = chooser if last == "black" else 1 - chooser
        return black if side == 0 else 1 - black

    @property
    def swap2_question(self) -> tuple[str, ...]:
        """What the seat to act may choose in Swap2; empty if it is a turn that is asked for."""
        if not self.swap2 or self.over:
            return ()
        asked = {OPENING_STONES: 0, MORE_STONES: 1 if self.choices[:1] == ["more"] else None}
        question = asked.get(self.node.number)
        if question is None or len(self.choices) > question:
            return ()
        return SWAP2_CHOICES[question]

    @property
    def seat(self) -> int:
        """The seat that has to act."""
        if self.swap2:
            if self.node.number < OPENING_STONES:
                return 0
            if not self.choices or (self.choices == ["more"] and self.node.number < MORE_STONES):
                return 1
            if self.choices == ["more"]:
                return 0
        return self.seat_of(self.position.side_to_move)

    # ---------------------------------------------------------------------------------- what people may do

    def play(self, turn: str) -> None:
        """Play a turn for the seat that has to act.

        Raises
        ------
        CommandError, NotationError, IllegalTurnError
            If the game is over, or the turn cannot be played.
        """
        if self.over:
            raise CommandError("the game is over")
        if self.swap2_question:
            raise CommandError(f"swap2: expected a choice of {', '.join(self.swap2_question)}, got a turn")
        seat, side = self.seat, self.position.side_to_move
        position = self.position.copy()
        canonical = position.play(turn, side)
        node = self.tree.add(self.node, side, canonical)
        self.tree.promote(node)
        if self.clock:
            self.clock.stop()
            self.clock.left[seat] += self.clock.increment
        self.playing_on = False
        self.dead = None
        self._undone.clear()
        self.cursor.go(node)
        self.changed()

    def choose(self, choice: str) -> None:
        """Answer the question of Swap2.

        Raises
        ------
        CommandError
            If there is none, or it has no such answer.
        """
        if choice not in self.swap2_question:
            expected = ", ".join(self.swap2_question) or "a turn"
            raise CommandError(f"swap2: expected {expected}, got {quoted(choice)}")
        self.choices.append(choice)
        self.changed()

    def undo(self) -> None:
        """Take back the last turn; against the engine, down to the last one of a person.

        Raises
        ------
        CommandError
            If there is none.
        """
        if not self.node.parent:
            raise CommandError("there is no turn to take back")
        self.stop_thinking()
        self.ended, self.dead, self.playing_on = None, None, False
        while self.node.parent:
            self._undone.append(self.node)
            self.cursor.go(self.node.parent)
            self._forget_choices()
            if self._person_acts():
                break
        self.changed()

    def _person_acts(self) -> bool:
        """Whether it is a person's turn, or no person plays."""
        people = [seat.kind == PERSON for seat in self.seats]
        return people[self.seat] or not any(people)

    def _forget_choices(self) -> None:
        """Forget the choices of Swap2 that come later than this position."""
        number = self.node.number
        kept = 0 if number < OPENING_STONES else 1 if number < MORE_STONES else 2
        self.choices = self.choices[:kept]

    def redo(self) -> None:
        """Play the turn again that was taken back last, or the next one of the main line.

        Raises
        ------
        CommandError
            If there is none.
        """
        if not self._undone and not self.node.children:
            raise CommandError("there is no turn to play again")
        self.stop_thinking()
        while self._undone or self.node.children:
            self.cursor.go(self._undone.pop() if self._undone else self.node.children[0])
            if self._person_acts() or self.over:
                break
        self.changed()

    def resign(self, side: int) -> None:
        """Let a side resign.

        Raises
        ------
        CommandError
            If the game is over.
        """
        if self.over:
            raise CommandError("the game is over")
        letter = self.spec.game.letters[1 - side].upper()
        self.end(f"{letter}+R", f"{self.spec.game.sides[side]} resigned")

    def end(self, result: str, reason: str) -> None:
        """End the game otherwise than on the board."""
        self.stop_thinking()
        self.ended = {"result": result, "reason": reason}
        self.changed()

    def seat_player(self, number: int, seat: Seat) -> None:
        """Let someone else play a seat from now on."""
        self.stop_thinking()
        self.seats[number] = seat
        self.changed()

    # ------------------------------------------------------------------------------------------ dead stones

    def dead_stones(self) -> list[str]:
        """Return the vertices of the dead stones at the end."""
        if self.dead is not None:
            return sorted(self.dead)
        return self._judged_dead()

    def _judged_dead(self) -> list[str]:
        agreement = self.spec.game.module("agreement")
        return sorted(
            vertex for chain in agreement.chains_by_status(self.position.state, "dead") for vertex in chain
        )

    def toggle_dead(self, vertex: str) -> None:
        """Call the chain on a vertex dead, or alive again.

        Raises
        ------
        CommandError
            If the players do not have to agree now, or no stone is there.
        """
        if not self.agreeing:
            raise CommandError("dead stones are agreed upon after two passes")
        agreement, state = self.spec.game.module("agreement"), self.position.state
        chains = [
            chain
            for status in ("alive", "dead", "seki")
            for chain in agreement.chains_by_status(state, status)
        ]
        chain = next((chain for chain in chains if vertex in chain), None)
        if chain is None:
            raise CommandError(f"expected a stone, got {quoted(vertex)}")
        dead = set(self.dead_stones())
        self.dead = dead - set(chain) if vertex in dead else dead | set(chain)
        self.changed()

    def accept(self) -> None:
        """Agree on the dead stones: the game is over.

        Raises
        ------
        CommandError
            If there is nothing to agree upon, or the engine, which plays, judges otherwise.
        """
        if not self.agreeing:
            raise CommandError("dead stones are agreed upon after two passes")
        if any(seat.kind == ENGINE for seat in self.seats) and self.dead_stones() != self._judged_dead():
            raise CommandError("the engine does not agree that these stones are dead: play on, and take them")
        self.end(self.counted_result(), "agreed")

    def counted_result(self) -> str:
        """Return the result with the dead stones, as SGF has it."""
        return str(self.spec.game.text.counted_result(self.position.state, self.dead_stones()))

    def play_on(self) -> None:
        """Go on after two passes.

        Raises
        ------
        CommandError
            If nobody has passed twice.
        """
        if not self.agreeing:
            raise CommandError("the game has not been stopped by two passes")
        self.playing_on, self.dead = True, None
        self.changed()

    # ----------------------------------------------------------------------------------- clock and engine

    def changed(self) -> None:
        """Keep the game, tell the pages, and let go on what has to go on."""
        self._on_change(self)
        self._go_on()
        self.tell()

    def tell(self) -> None:
        """Tell the pages."""
        for listener in list(self.listeners):
            listener()

    def attend(self, listener: Callable[[], None]) -> None:
        """Begin to show this game to a page; clock and engine go on."""
        self.listeners.add(listener)
        self._go_on()

    def leave(self, listener: Callable[[], None]) -> None:
        """Stop showing it; without any page, clock and engine stop."""
        self.listeners.discard(listener)
        if not self.listeners:
            self.stop_thinking()
            self._set_clock(None)
            self._on_change(self)

    def _go_on(self) -> None:
        """Start the clock of the seat to act, and the engine if it sits there."""
        attended = bool(self.listeners) and not self.over
        self._set_clock(self.seat if attended and self.node.parent else None)
        if not attended:
            if self.agreeing and self.listeners and not any(seat.kind == PERSON for seat in self.seats):
                self.accept()
            return
        trial = self.position.trial
        if trial and not trial.told:
            asyncio.get_running_loop().call_soon(self._draw_lot, self.node)
        elif not trial and self.seats[self.seat].kind == ENGINE and self._thinking is None:
            self._thinking = asyncio.get_running_loop().create_task(self._think())

    def _draw_lot(self, node: Node) -> None:
        """Play the only turn there is: a coin or a die decides."""
        if self.node is node and not self.over:
            self.play(self.position.turns()[0])

    def _set_clock(self, seat: int | None) -> None:
        """Let the clock of `seat` run, and end the game when its time is up."""
        if self._flag:
            self._flag.cancel()
            self._flag = None
        if not self.clock:
            return
        self.clock.stop()
        if seat is not None:
            self.clock.start(seat)
            delay = self.clock.seconds(seat)
            self._flag = asyncio.get_running_loop().call_later(delay, self._lose_on_time, seat)

    def _lose_on_time(self, seat: int) -> None:
        side = next(side for side in (0, 1) if self.seat_of(side) == seat)
        letter = self.spec.game.letters[1 - side].upper()
        self.end(f"{letter}+T", f"{self.spec.game.sides[side]} has no time left")

    @property
    def thinking(self) -> bool:
        """Whether the engine is looking for a turn."""
        return self._thinking is not None

    def stop_thinking(self) -> None:
        """Stop the engine's search for a turn."""
        if self._thinking:
            self._thinking.cancel()
            self._thinking = None

    async def _think(self) -> None:
        """Let the engine act."""
        try:
            turns, choice = await self._decide()
        except asyncio.CancelledError:
            return
        except Exception as error:
            log.error("game %s: %s", self.name, internal_error(error))
            self.notice, self._thinking = internal_error(error), None
            self.tell()
            return
        self._thinking = None
        try:
            if choice:
                self.choose(choice)
            for turn in turns:
                self.play(turn)
        except TengenError as error:
            log.error("game %s: the engine's turn: %s", self.name, error)

    async def _decide(self) -> tuple[list[str], str]:
        """Return the turns that the engine plays, or what it chooses in Swap2."""
        if self.swap2 and self.node.number == 0:
            return list(choose_opening(int(self.spec.values["size"]), self.rng)), ""
        seat = self.seats[self.seat]
        clock = Clock(self.clock.seconds(self.seat), self.clock.increment) if self.clock else None
        limits = turn_limits(seat.level, clock)
        job = Job(self.position.copy(), limits, Priority.TURN, on_notice=self._note)
        if self.playing_on:
            job.position = job.position.resumed()
        result = await self._pool.run(job)
        self.notice = ""
        if self.swap2_question:
            answer = choose_color(result, self.position.scale)
            return ([], "black") if answer == SWAP else ([answer], "white")
        assert result.turn is not None
        return [result.turn], ""

    def _note(self, notice: str) -> None:
        self.notice = notice
        self.tell()


def turn_limits(level: int, clock: Clock | None = None) -> Limits:
    """Return the limits of a turn of the engine; below full strength its level bounds the effort."""
    if clock:
        return Limits(clock=clock, level=level)
    return Limits(movetime=TURN_SECONDS if level == MAX_LEVEL else None, level=level)


def _settings(values: list[str]) -> dict[str, Any]:
    """Return what `WebGame.record` has written into `SETTINGS`; empty if that is not readable."""
    try:
        found = json.loads(values[0]) if values else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _seats(kept: dict[str, Any], record: Record) -> list[Seat]:
    """Return the players as they were kept, those of a game that a person began elsewhere, or people."""
    listed = kept.get("seats")
    if isinstance(listed, list) and len(listed) == 2:
        return [Seat.parse(each) for each in listed]
    named = list(players(record))
    if any(name == PERSON for name, _ in named):
        return [Seat.of_record(name, rank) for name, rank in named]
    return [Seat(name=name[:40]) for name, _ in named]


def _clock(kept: dict[str, Any]) -> GameClock | None:
    """Return the clock as it was kept."""
    return GameClock.parse(kept.get("clock"))


def new_game(
    fields: dict[str, Any], name: Callable[[str], str], pool: SearchPool, on_change: Callable[[WebGame], None]
) -> WebGame:
    """Return the game that a message asks for by spec, seats, position, clock and swap2.

    Raises
    ------
    TengenError
        If the spec, the position or a field is faulty.
    """
    spec = GameSpec.parse(str(fields.get("spec", ""))[:500])
    start = str(fields["position"])[:5000] if fields.get("position") else None
    seats = fields.get("seats") or [{"kind": PERSON}, {"kind": PERSON}]
    if not isinstance(seats, list) or len(seats) != 2:
        raise CommandError(f"seats: expected two players, got {quoted(str(seats), 80)}")
    tree = GameTree(spec, start)
    game = WebGame(name(spec.game.name), tree, [Seat.parse(each) for each in seats], pool, on_change)
    game.clock = GameClock.parse(fields.get("clock"))
    if fields.get("swap2"):
        if not supports_swap2(spec.game) or int(spec.values["size"]) < MIN_SIZE or start:
            raise OptionError(f"swap2: expected five in a row from the start, got {spec}")
        game.swap2 = True
    game.properties["DT"] = [time.strftime("%Y-%m-%d")]
    return game
