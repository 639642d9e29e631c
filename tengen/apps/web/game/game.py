"""A game on the server: who plays it, its clock, its end, and the engine's turns."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from functools import partial

from tengen.apps.web.game.seats import BLACK, ENGINE, KINDS, WHITE, GameClock, Seat, Swap2
from tengen.apps.web.game.tree import Cursor, GameTree
from tengen.apps.web.pool import Job, Priority, SearchPool
from tengen.engine.debug import internal_error, log
from tengen.engine.errors import TengenError, quoted
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.sgf import Node
from tengen.engine.sgf.record import winning_side
from tengen.engine.spec import GameSpec
from tengen.protocol.archive import PERSON, KeptFile
from tengen.protocol.errors import CommandError
from tengen.protocol.swap2 import SWAP, choose_color, choose_opening
from tengen.search.levels import next_level

RESIGNED = "R"  # in results, as SGF has it
PAUSE, ONE_TURN = "pause", "one turn"
PACE = 0.5  # seconds that a turn takes at least if the engine plays itself without a clock, to be watched


def chains(position: Position, *statuses: str) -> Iterator[list[str]]:
    """Yield the chains with these statuses, by default all, each as its vertices."""
    for status in statuses or ("alive", "dead", "seki"):
        yield from position.spec.game.module("agreement").chains_by_status(position.state, status)


class WebGame:
    """A game that pages look at and play; `on_change` is called after every change that has to be kept."""

    def __init__(
        self,
        file: KeptFile,
        tree: GameTree,
        seats: list[Seat],
        pool: SearchPool,
        on_change: Callable[[WebGame], None],
    ) -> None:
        self.file = file
        self.name = file.path.stem  # in the store
        self.unkept = ""  # why it is not on disk as it is; empty if it is, or will be in a moment
        self.copied_from = ""  # the name that it had before somebody else went on with that game
        self.tree = tree
        self.seats = seats
        self.cursor = Cursor(tree)  # at the position that is being played
        self.clock: GameClock | None = None
        self.swap2: Swap2 | None = None  # what was chosen, if the game begins with Swap2
        # How the game ended other than on the board: ``result`` as SGF has it, and ``reason``
        self.ended: dict[str, str] | None = None
        # The vertices of dead stones that were agreed upon, if not those that the engine finds
        self.dead: set[str] | None = None
        self.playing_on = False  # whether the players go on after two passes
        self.properties: dict[str, list[str]] = {}
        self.notice = ""
        self.pausing = ""  # how engines that play each other wait, see `pause`
        self.listeners: set[Callable[[], None]] = set()  # called after every change, and with notices
        self._left: dict[Node, list[float]] = {}  # the clocks after each turn that this server has seen
        self._pool = pool
        self._on_change = on_change
        self._undone: list[Node] = []
        self.thinking: asyncio.Task[None] | None = None  # the engine's search for a turn
        self._flag: asyncio.TimerHandle | None = None

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

    @property
    def resigned(self) -> bool:
        """Whether a side has resigned."""
        return self.ended is not None and self.ended["result"].endswith(RESIGNED)

    @property
    def offered_level(self) -> int | None:
        """The level for the next game of a person with the engine; None if this game does not call for it."""
        winner = winning_side(self.spec.game, self.result())
        kinds = [seat.kind for seat in self.seats]
        if winner is None or sorted(kinds) != sorted(KINDS):
            return None
        engine = kinds.index(ENGINE)
        if self.seats[engine].name:
            return None
        level = self.seats[engine].level
        offered = next_level(level, won=self.seat_of(winner) != engine)
        return None if offered == level else offered

    def seat_of(self, side: int) -> int:
        """Return the seat that plays `side`."""
        return self.swap2.seat_of(side) if self.swap2 else side

    @property
    def swap2_question(self) -> tuple[str, ...]:
        """What the seat to act may choose in Swap2; empty if it is a turn that is asked for."""
        return self.swap2.question(self.position.ply) if self.swap2 and not self.over else ()

    @property
    def seat(self) -> int:
        """The seat that has to act."""
        asked = self.swap2.seat(self.position.ply) if self.swap2 else None
        return self.seat_of(self.position.side_to_move) if asked is None else asked

    # ---------------------------------------------------------------------------------- what people may do

    def play(self, turn: str) -> None:
        """Play a turn for the seat that has to act."""
        self._advance(turn)
        self.changed()

    def _advance(self, turn: str) -> None:
        """Play a turn; nobody is told yet."""
        if self.over:
            raise CommandError("the game is over")
        if self.swap2_question:
            raise CommandError(f"swap2: expected a choice of {', '.join(self.swap2_question)}, got a turn")
        seat, side = self.seat, self.position.side_to_move
        position = self.position.copy()
        canonical = position.push(turn, side)
        node = self.tree.add(self.node, side, canonical)
        self.tree.promote(node)
        if self.clock:
            self.clock.end_turn(seat)
            self._left[node] = list(self.clock.left)
        self.playing_on = False
        self.dead = None
        self._undone.clear()
        self.cursor.go(node)

    def choose(self, choice: str) -> None:
        """Answer the question of Swap2."""
        self._answer(choice)
        self.changed()

    def _answer(self, choice: str) -> None:
        """Answer the question of Swap2; nobody is told yet."""
        if not self.swap2 or self.over:
            raise CommandError("swap2: expected a game that begins with it and is not over")
        self.swap2.choose(choice, self.position.ply)

    def undo(self) -> None:
        """Take back a resignation, or the last turn; against the engine, down to the last one of a person."""
        resigned = self.resigned
        if not self.node.parent and not resigned:
            raise CommandError("there is no turn to take back")
        self.stop_thinking()
        self.ended, self.dead, self.playing_on = None, None, False
        if resigned:
            self.changed()
            return
        while self.node.parent:
            self._undone.append(self.node)
            self.cursor.go(self.node.parent)
            if self.swap2:
                self.swap2.forget_after(self.position.ply)
            if self._person_acts():
                break
        self._restore_clock()
        self.changed()

    def _restore_clock(self) -> None:
        """Give back the time that was left in this position, if it is known."""
        if self.clock:
            self.clock.stop()
            start = None if self.node.parent else self.clock.start_times
            self.clock.left = list(start or self._left.get(self.node, self.clock.left))

    def _person_acts(self) -> bool:
        """Whether it is a person's turn, or no person plays."""
        people = [seat.kind == PERSON for seat in self.seats]
        return people[self.seat] or not any(people)

    def redo(self) -> None:
        """Play the turn again that was taken back last, or the next one of the main line."""
        if self.ended:
            raise CommandError("the game is over")
        if not self._undone and not self.node.children:
            raise CommandError("there is no turn to play again")
        self.stop_thinking()
        while self._undone or self.node.children:
            self.cursor.go(self._undone.pop() if self._undone else self.node.children[0])
            if self._person_acts() or self.over:
                break
        self._restore_clock()
        self.changed()

    def prune(self, node: Node) -> None:
        """Remove a position that is not played, and all after it."""
        self.tree.remove(node)
        self._undone = [each for each in self._undone if each in self.tree.keys]
        self.changed()

    def resign(self, side: int) -> None:
        """Let a side resign."""
        if self.over:
            raise CommandError("the game is over")
        self._lose(side, RESIGNED, "resigned")

    def _lose(self, side: int, how: str, reason: str) -> None:
        """Let a side lose otherwise than on the board."""
        game = self.spec.game
        self.end(f"{game.letters[1 - side].upper()}+{how}", f"{game.sides[side]} {reason}")

    def end(self, result: str, reason: str) -> None:
        """End the game otherwise than on the board."""
        self.stop_thinking()
        self.ended = {"result": result, "reason": reason}
        self.changed()

    def seat_player(self, number: int, seat: Seat) -> None:
        """Let someone else play a seat from now on."""
        self.stop_thinking()
        self.seats[number], self.pausing = seat, ""
        self.changed()

    # ------------------------------------------------------------------------------------------ dead stones

    def dead_stones(self) -> list[str]:
        """Return the vertices of the dead stones at the end."""
        return self._judged_dead() if self.dead is None else sorted(self.dead)

    def _judged_dead(self) -> list[str]:
        """Return the vertices of the stones that the engine judges dead."""
        return sorted(vertex for chain in chains(self.position, "dead") for vertex in chain)

    def toggle_dead(self, vertex: str) -> None:
        """Call the chain on a vertex dead, or alive again."""
        if not self.agreeing:
            raise CommandError("dead stones are agreed upon after two passes")
        chain = next((set(chain) for chain in chains(self.position) if vertex in chain), None)
        if chain is None:
            raise CommandError(f"expected a stone, got {quoted(vertex)}")
        dead = set(self.dead_stones())
        self.dead = dead - chain if vertex in dead else dead | chain
        self.changed()

    def accept(self) -> None:
        """Agree on the dead stones: the game is over."""
        if not self.agreeing:
            raise CommandError("dead stones are agreed upon after two passes")
        engine_plays = any(seat.kind == ENGINE for seat in self.seats)
        if engine_plays and self.dead_stones() != self._judged_dead():
            raise CommandError("the engine does not agree that these stones are dead: play on, and take them")
        self.end(self.counted_result(), "both sides agreed")

    def counted_result(self) -> str:
        """Return the result with the dead stones, as SGF has it."""
        return str(self.spec.game.text.counted_result(self.position.state, self.dead_stones()))

    def play_on(self) -> None:
        """Go on after two passes."""
        if not self.agreeing:
            raise CommandError("the game has not been stopped by two passes")
        self.playing_on, self.dead = True, None
        self.changed()

    # ----------------------------------------------------------------------------------- clock and engine

    def changed(self) -> None:
        """Keep the game, tell the pages, and let go on what has to go on."""
        self.keep()
        self._go_on()
        self.notify()

    def keep(self) -> None:
        """Have the game written, unless it is not kept."""
        self._on_change(self)

    def notify(self) -> None:
        """Tell the pages."""
        for listener in list(self.listeners):
            listener()

    def attend(self, listener: Callable[[], None]) -> None:
        """Begin to show this game to a page; clock and engine go on."""
        if not self.listeners:
            self.copied_from = ""
        self.listeners.add(listener)
        self._go_on()

    def leave(self, listener: Callable[[], None]) -> None:
        """Stop showing it; without any page, clock and engine stop."""
        self.listeners.discard(listener)
        if not self.listeners:
            self.stop_thinking()
            self._set_clock(None)
            self.keep()

    def _go_on(self) -> None:
        """Start the clock of the seat to act, and the engine if it sits there."""
        attended = bool(self.listeners) and not self.over and self.pausing != PAUSE
        self._set_clock(self.seat if attended and self.node.parent else None)
        if not attended:
            if self.agreeing and self.listeners and not any(seat.kind == PERSON for seat in self.seats):
                self.accept()
            return
        trial = self.position.in_trial
        if trial and not self.position.awaits_result:
            asyncio.get_running_loop().call_soon(self._draw_lot, self.node)
        elif not trial and self.seats[self.seat].kind == ENGINE and self.thinking is None:
            self.thinking = asyncio.get_running_loop().create_task(self._think())

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
            side, delay = int(self.seat_of(0) != seat), self.clock.seconds(seat)
            lose = partial(self._lose, side, "T", "has no time left")
            self._flag = asyncio.get_running_loop().call_later(delay, lose)

    def pause(self, how: str) -> None:
        """Let engines that play each other wait (`PAUSE`), play `ONE_TURN` and wait, or go on (empty)."""
        if any(seat.kind == PERSON for seat in self.seats):
            raise CommandError("a person plays: only games between engines pause")
        self.stop_thinking()
        self.pausing = how
        self.changed()

    def stop_thinking(self) -> None:
        """Stop the engine's search for a turn."""
        if self.thinking:
            self.thinking.cancel()
            self.thinking, self.notice = None, ""

    async def _think(self) -> None:
        """Let the engine act."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            turns, choice = await self._decide()
            if not self.clock and all(seat.kind == ENGINE for seat in self.seats):
                await asyncio.sleep(began + PACE - loop.time())
            if choice:
                self._answer(choice)
            for turn in turns:
                self._advance(turn)
        except asyncio.CancelledError:
            return
        except Exception as error:
            self.notice = str(error) if isinstance(error, TengenError) else internal_error(error)
            log.error("game %s: the engine's turn: %s", self.name, self.notice)
            self.thinking = None
            self.notify()
            return
        self.thinking = None
        self.pausing = PAUSE if self.pausing else ""
        self.changed()

    async def _decide(self) -> tuple[list[str], str]:
        """Return the turns that the engine plays, or what it chooses in Swap2."""
        if self.swap2 and self.position.ply == 0:
            return list(choose_opening(int(self.spec.values["size"]), random.Random())), ""
        seat = self.seats[self.seat]
        clock = self.clock.for_search(self.seat) if self.clock else None
        position, limits = self.position.copy(), seat.limits(clock)
        if self.playing_on:
            position = position.resumed()
        if seat.name and not self.swap2_question:
            return [await self._pool.turn_of(seat.name, position, limits)], ""
        result = await self._pool.run(Job(position, limits, Priority.TURN, on_notice=self._note))
        self.notice = ""
        if self.swap2_question:
            answer = choose_color(result, self.position.scale)
            return ([], BLACK) if answer == SWAP else ([answer], WHITE)
        return [result.turn], ""

    def _note(self, notice: str) -> None:
        self.notice = notice
        self.notify()
