"""Gomocup's protocol, for five in a row: Piskvork and other managers of Gomoku tournaments, Yixin's board.

Commands and their replies are described in docs/protocols.md.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import random
import time
from collections.abc import Sequence
from typing import Any

from tengen import __version__
from tengen.engine.errors import NotationError, OptionError, TengenError, quoted
from tengen.engine.game import GameSpec
from tengen.protocol.common.dialogue import AUTHOR, Commands, add_engine_arguments, converse
from tengen.protocol.common.lines import Reader, Writer
from tengen.protocol.common.numbers import parse_integer
from tengen.protocol.common.session import NO_OPENING, OPENING, Refusal, Session
from tengen.protocol.common.swap2 import SWAP, choose_colour, choose_opening, stage
from tengen.protocol.gomocup.dialogue import SIZE, STOPS, GomocupDialogue
from tengen.protocol.gomocup.stones import BLACK, Stone, alternates, own_side, parse_stone, side_of
from tengen.protocol.gomocup.uncompiled import BlindGame
from tengen.search.info import Result
from tengen.search.limits import MAX_MULTIPV, MAX_THREADS, Limits, most_hash_mb

DEFAULT_GAME = "gomoku"
PATIENCE = 2.5  # seconds that START waits for the search to be loaded: managers wait some for its answer
SLICE = 0.02  # seconds between looks at whether to go on waiting
TIMES = ("timeout_turn", "timeout_match", "time_left")  # keys of INFO
COMPILING = "compiling, once on this machine; until that is done turns are chosen without looking ahead"


class Gomocup(GomocupDialogue):
    """A Gomocup brain."""

    commands = Commands()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._hash_mb = self.session.option("Hash")  # wanted, were there no limit of memory
        self._touched = False  # the table's memory has been given

    # ----------------------------------------------------------------------------------------- administration

    @commands.add("ABOUT")
    def about(self, arguments: list[str]) -> None:
        """Introduce the engine."""
        self._reply(f'name="tengen", version="{__version__}", author="{AUTHOR}", country="International"')

    @commands.add("END")
    def end(self, arguments: list[str]) -> None:
        """End the dialogue, and say nothing more."""
        self._ending = self.over = True
        self.session.stop()

    @commands.add("INFO [KEY] [VALUE...]")
    def info(self, arguments: list[str]) -> None:
        """Take over what the manager says; there is no reply, not even to what makes no sense."""
        key, value = arguments[0].lower() if arguments else "", " ".join(arguments[1:])
        try:
            self._settings.hear(key, value)
            if key == "thread_num":
                threads = min(max(1, parse_integer("INFO thread_num", value)), MAX_THREADS)
                self.session.set_option("Threads", str(threads))
            if key == "hash_size":
                self._hash_mb = min(max(1, parse_integer("INFO hash_size", value) >> 10), most_hash_mb())
            if key in ("hash_size", "max_memory"):
                self.session.set_option("Hash", str(self._settings.hash_mb(self._hash_mb)))
        except TengenError as error:
            self._note(str(error))
        if key in TIMES and self.session.searching:
            self._hurry()
        if key == "max_memory" and self._settings.cramped:
            self._note(f"INFO max_memory: {value} bytes are less than the engine takes, whatever it does")

    @commands.add("YXSHOWINFO")
    def yxshowinfo(self, arguments: list[str]) -> None:
        """Tell an interface of Yixin's kind what can be set."""
        self._settings.dialect = True
        hash_bits = (most_hash_mb() << 10).bit_length() - 1
        self._reply(
            f"MESSAGE INFO MAX_THREAD_NUM {MAX_THREADS}",
            f"MESSAGE INFO MAX_HASH_SIZE {hash_bits}",
        )

    @commands.add("YXHASHCLEAR")
    def yxhashclear(self, arguments: list[str]) -> None:
        """Forget what earlier searches have found."""
        self.session.halt()
        self.session.forget()

    @commands.add(*STOPS)
    def yxstop(self, arguments: list[str]) -> None:
        """End the search under way, whose answer follows."""
        self.session.stop()

    # ---------------------------------------------------------------------------------------- beginning anew

    @commands.add("START SIZE [SIZE]")
    def start(self, arguments: list[str]) -> None:
        """Begin with an empty board of so many points a side."""
        self._start([parse_integer("SIZE", word) for word in (arguments[0], arguments[-1])])

    @commands.add("RECTSTART WIDTH,HEIGHT")
    def rectstart(self, arguments: list[str]) -> None:
        """Begin with an empty board, which has to be square."""
        sides = arguments[0].split(",")
        if len(sides) != 2:
            raise NotationError(f"expected RECTSTART WIDTH,HEIGHT, got {quoted(arguments[0])}")
        self._start([parse_integer("WIDTH,HEIGHT", side) for side in sides])

    @commands.add("RESTART")
    def restart(self, arguments: list[str]) -> None:
        """Begin another game on the same board, nothing remembered."""
        self._settle()
        self.session.forget()
        self._start([self._size, self._size])

    def _start(self, sides: Sequence[int]) -> None:
        """Begin with an empty board, whose sides have to be equal."""
        width, height = sides
        option = self.session.spec.game.option(SIZE)
        if width != height or not (option.low or 0) <= width <= (option.high or 0):
            expected = f"a square board of {option.low} to {option.high} points a side, 20 say"
            raise Refusal(f"expected {expected}, got {width},{height}")
        spec = self._ruled(self.session.spec.with_option(SIZE, width))
        self.session.halt()
        self._load()
        if self.session.preload().rules.is_set():
            self._blind = None
            self.session.set_up(spec)
        else:
            self._blind = BlindGame(spec)
        self._settings.new_game()
        self._started = True
        self._reply("OK")

    def _load(self) -> None:
        """Load what a search needs, or as much of it as a manager has the patience for."""
        loader = self.session.preload()
        patience = time.monotonic() + PATIENCE
        while loader.is_alive() and time.monotonic() < patience and not self._ending:
            loader.join(SLICE)
        if loader.is_alive():
            self._note(COMPILING)
        elif not self._touched:  # the table's memory is only given when it is touched, which takes time
            self._touched = True
            self.session.go(self.session.position, Limits(depth=1))
            self.session.wait()
            self.session.forget()

    # ----------------------------------------------------------------------------------------- stone by stone

    @commands.add("BEGIN")
    def begin(self, arguments: list[str]) -> None:
        """Put the first stone."""
        self._await_turn()
        if self._stones():
            raise Refusal("expected an empty board to begin on, got one with stones")
        self._play_found()

    @commands.add("TURN X,Y")
    def turn(self, arguments: list[str]) -> None:
        """Put the opponent's stone, and answer it."""
        self._await_turn()
        self.session.play(self._vertex(arguments[0]), self.session.position.turn)
        self._play_found()

    @commands.add("PLAY X,Y")
    def play(self, arguments: list[str]) -> None:
        """Put our own stone where we are told to."""
        self._await_turn()
        turn = self.session.play(self._vertex(arguments[0]), self.session.position.turn)
        self._reply(self._point(turn))

    @commands.add("TAKEBACK [X,Y]")
    def takeback(self, arguments: list[str]) -> None:
        """Take a stone off the board, the last one if none is named; who has put it is to move."""
        self._settle()
        turns = self.session.position.turns_played
        vertex = self._vertex(arguments[0]) if arguments else turns[-1] if turns else ""
        if turns and vertex == turns[-1]:
            self.session.undo()
        else:
            self._remove(vertex)
        self._reply("OK")

    def _remove(self, vertex: str) -> None:
        """Take off a stone that is not that of the last turn."""
        from tengen.engine.board.goban import SIDES, find_vertex, position_text

        stones, place = self._stones(), find_vertex(vertex, self._size)
        if place not in stones:
            raise Refusal("expected a stone to take back, got none")
        letter = SIDES[stones.pop(place) - 1]
        self.session.set_up(text=position_text(self.session.spec, stones, letter))

    # ------------------------------------------------------------------------------------------- whole boards

    @commands.add("BOARD")
    def board(self, arguments: list[str]) -> None:
        """Begin to listen to the stones of a position in which to play."""
        self._begin_list(self._set_up_and_play, played=True)

    @commands.add("YXBOARD")
    def yxboard(self, arguments: list[str]) -> None:
        """Begin to listen to the stones of a position."""
        self._begin_list(self._set_up)

    @commands.add("SWAP2BOARD")
    def swap2board(self, arguments: list[str]) -> None:
        """Begin to listen to the stones of an opening in which to choose."""
        self._begin_list(self._choose)

    @commands.add("DONE")
    def done(self, arguments: list[str]) -> None:
        """End the stones of a position."""
        self._end_list()

    def _set_up_and_play(self, lines: Sequence[str]) -> None:
        """Set up the position of the lines, and play in it."""
        self._set_up(lines)
        self._play_found()

    def _set_up(self, lines: Sequence[str]) -> None:
        """Set up the position of the lines ``x,y,field``: as a game if they are one, in its order."""
        stones = [stone for line in lines if (stone := parse_stone(line, self._size))]
        own, spec = own_side(stones), self._ruled(self.session.spec)
        if alternates(stones, own):
            turns = [(side_of(stone, own), stone.vertex) for stone in stones]
            with contextlib.suppress(TengenError):  # a game that cannot have gone in this order
                self.session.set_up(spec, "", turns)
                return
        self.session.set_up(spec, _text(spec, stones, own))

    def _choose(self, lines: Sequence[str]) -> None:
        """Answer what Swap2 asks about the stones of the lines ``x,y``, in the order of the turns."""
        session, name = self.session, OPENING.lower()
        spec = self._ruled(session.spec)
        spec = spec.with_option(name, NO_OPENING) if name in spec.values else spec
        turns = [(number % 2, self._vertex(line)) for number, line in enumerate(lines)]
        played = list(zip(session.movers, session.position.turns_played, strict=True))
        before = session.spec, session.setup, played
        session.set_up(spec, "", turns)
        try:
            put = stage(session)
        except Refusal:
            session.set_up(*before)
            raise
        if put:
            self._think(self._answer_choice)
        else:
            self._reply(" ".join(map(self._point, choose_opening(session))))

    def _answer_choice(self, result: Result) -> str:
        """Return the colour that is better to have: White by White's next turn, which is played."""
        choice = choose_colour(result, self.session.position.foreground.scale)
        return SWAP.upper() if choice == SWAP else self._answer_turn(result)

    # ------------------------------------------------------------------------------------- analysis, by Yixin

    @commands.add("YXNBEST TURNS")
    def yxnbest(self, arguments: list[str]) -> None:
        """Play, and say what the best turns are."""
        multipv = min(parse_integer("TURNS", arguments[0], 1), MAX_MULTIPV)
        self._await_turn()
        self._play_found(multipv)

    @commands.add("YXSHOWFORBID")
    def yxshowforbid(self, arguments: list[str]) -> None:
        """Say which points are forbidden to Black, if Black is to move."""
        self._settle()
        position, size = self.session.position, self._size
        forbidden: list[tuple[int, int]] = []
        if position.turn == BLACK and not position.outcome():
            legal = {self._point(turn) for turn in position.turns()}
            stones = {(x, size - 1 - y) for x, y in self._stones()}
            points = {(x, y) for y in range(size) for x in range(size)} - stones
            forbidden = sorted((x, y) for x, y in points if f"{x},{y}" not in legal)
        self._reply(f"FORBID {''.join(f'{x:02}{y:02}' for x, y in forbidden)}.")


def _text(spec: GameSpec, stones: Sequence[Stone], own: int) -> str:
    """Return the text of a position with `stones`, and the side `own` to move.

    Raises
    ------
    Refusal
        When two stones are on one point.
    """
    from tengen.engine.board.goban import SIDES, position_text

    colours = {stone.place: 1 + side_of(stone, own) for stone in stones}
    if len(colours) < len(stones):
        raise Refusal("expected one stone on a point, got two")
    return position_text(spec, colours, SIDES[own])


class Messages(logging.Handler):
    """Writes the log as messages: some managers read standard error as if it were standard output."""

    def __init__(self, writer: Writer) -> None:
        super().__init__(logging.WARNING)
        self._writer = writer

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, in one line."""
        self._writer.write(f"MESSAGE {' '.join(record.getMessage().split())}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen gomocup``."""
    parser.epilog = "examples:\n  tengen gomocup\n  tengen gomocup --game gobang,capture-win=5 --threads 2"
    parser.add_argument(
        "--game",
        metavar="SPEC",
        default=DEFAULT_GAME,
        help=f"what to play, as far as the manager does not say it (default {DEFAULT_GAME})",
    )
    add_engine_arguments(parser)
    parser.add_argument("--seed", metavar="N", help="of the choice among openings (default: by chance)")


def run(arguments: argparse.Namespace) -> int:
    """Speak Gomocup's protocol until the manager ends it."""
    spec = GameSpec.parse(arguments.game)
    if not spec.game.five_in_a_row:
        raise OptionError(f"--game: expected five in a row, such as {DEFAULT_GAME}, got {quoted(str(spec))}")
    session = Session(spec)
    if arguments.seed is not None:
        session.chance = random.Random(parse_integer("--seed", arguments.seed))

    def protocol(session: Session, reader: Reader, writer: Writer) -> Gomocup:
        logging.getLogger().handlers = [Messages(writer)]
        logging.captureWarnings(True)
        return Gomocup(session, reader, writer)

    return converse(protocol, session, arguments)
