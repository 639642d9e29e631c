"""Gomocup's protocol for five in a row: Piskvork and other tournament managers, Yixin Board.

Commands and replies are described in docs/protocols.md.
"""

import contextlib
import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tengen import __version__
from tengen.engine.debug import is_debugging
from tengen.engine.errors import NotationError, OptionError, TengenError, quoted
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import option
from tengen.protocol.dialogue import AUTHOR, Commands, run_protocol
from tengen.protocol.engine_options import HASH, NO_OPENING, OPENING, EngineOptions
from tengen.protocol.errors import CommandError
from tengen.protocol.gomocup.dialogue import SIZE, STOP_COMMANDS, GomocupBase, UncompiledFallback
from tengen.protocol.gomocup.settings import ENGINE_KEYS, HASH_SIZE, refusal
from tengen.protocol.gomocup.stones import BLACK, alternates, parse_stone, side_of, side_to_move_of
from tengen.protocol.lines import Reader, Writer
from tengen.protocol.numbers import parse_integer
from tengen.protocol.session import Session, turns_of
from tengen.protocol.swap2 import SWAP, choose_color, choose_opening, swap2_stage
from tengen.search.info import Info, Result
from tengen.search.limits.limit import MAX_MULTIPV, MAX_THREADS, max_hash_mb

DEFAULT_GAME = "gomoku"
MAX_BIAS = 10_000  # hundredths of a point
ABOUT_EVEN = 25  # hundredths of a point: no search is more exact
NO_DATABASE = "tengen keeps no database of positions"
NO_HASH_FILES = "tengen keeps no hash table in files"
TIMES = ("timeout_turn", "timeout_match", "time_left")  # keys of INFO


class Gomocup(GomocupBase):
    """A Gomocup brain."""

    commands = Commands()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._hash_mb = self.session.option(HASH)  # MB, before the limit of max_memory

    # ----------------------------------------------------------------------------------------- administration

    @commands.add("ABOUT")
    def about(self, arguments: list[str]) -> None:
        """Write the name of the engine."""
        self._reply(f'name="tengen", version="{__version__}", author="{AUTHOR}", country="International"')

    @commands.add("END")
    def end(self, arguments: list[str]) -> None:
        """Quit, and write nothing more."""
        self._ending = self.quit_requested = True
        self.session.stop()

    @commands.add("INFO [KEY] [VALUE...]")
    def info(self, arguments: list[str]) -> None:
        """Set a value; there is no reply, not even to an error."""
        key, value = arguments[0].lower() if arguments else "", " ".join(arguments[1:])
        try:
            self._settings.update(key, value)
            if option := ENGINE_KEYS.get(key):
                number = parse_integer(f"INFO {key}", value, *map(int, option.range))
                self.session.set_option(option.name, str(number))
            if key == HASH_SIZE:
                self._hash_mb = min(max(1, parse_integer(f"INFO {key}", value) >> 10), max_hash_mb())
            if key in (HASH_SIZE, "max_memory"):
                self.session.set_option(HASH, str(self._settings.hash_mb(self._hash_mb)))
        except TengenError as error:
            self._queue_notice(str(error))
        if reason := refusal(key, value):
            self._queue_notice(reason)
        if key in TIMES and self.session.searching:
            _, seconds = self._settings.limits(self.session.position, time.monotonic() - self._asked)
            with self._search_lock:
                self._start_timer(seconds)
        if key == "max_memory" and self._settings.memory_too_small:
            self._queue_notice(f"INFO max_memory: the engine needs more than {value} bytes")

    commands.add(*STOP_COMMANDS)(lambda engine, arguments: engine.session.stop())  # its answer follows

    # --------------------------------------------------------------------------------------------- new games

    @commands.add("START SIZE [SIZE]")
    def start(self, arguments: list[str]) -> None:
        """Start a game on an empty board of this size."""
        self._start([parse_integer("SIZE", word) for word in (arguments[0], arguments[-1])])

    @commands.add("RECTSTART WIDTH,HEIGHT")
    def rectstart(self, arguments: list[str]) -> None:
        """Start a game on an empty board, which must be square."""
        sides = arguments[0].split(",")
        if len(sides) != 2:
            raise NotationError(f"expected RECTSTART WIDTH,HEIGHT, got {quoted(arguments[0])}")
        self._start([parse_integer("WIDTH,HEIGHT", side) for side in sides])

    @commands.add("RESTART")
    def restart(self, arguments: list[str]) -> None:
        """Start a new game on a board of the same size, with cleared tables."""
        self._require_started()
        self.session.clear_search()
        self._start([self._size, self._size])

    def _start(self, sides: Sequence[int]) -> None:
        """Start a game on an empty board, whose sides must be equal."""
        width, height = sides
        least, most = self.session.spec.game.option(SIZE).range
        if width != height or not least <= width <= most:
            expected = f"a square board of {least} to {most} points a side, such as 20"
            raise CommandError(f"expected {expected}, got {width},{height}")
        spec = self._with_rule(self.session.spec.with_option(SIZE, width))
        loaded = self.session.loaded
        if loaded:
            self._fallback = None
            self.session.set_up(spec)
            self.session.ensure_compiled(lambda notice: None)  # another size of the table takes time
        else:
            self._fallback = UncompiledFallback(spec)
        self._settings.new_game()
        self._blocked = frozenset()
        self._started = True
        self._reply("OK")
        if not loaded:  # not before: on a busy machine the reply would come late
            self.session.start_compiling()

    # ----------------------------------------------------------------------------------------- stone by stone

    @commands.add("BEGIN")
    def begin(self, arguments: list[str]) -> None:
        """Play the first stone."""
        self._require_turn()
        if self._stones():
            raise CommandError("the board is not empty")
        self._play_best_move()

    @commands.add("TURN X,Y")
    def turn(self, arguments: list[str]) -> None:
        """Play the opponent's stone and answer it."""
        self._require_turn()
        self.session.position.push(self._vertex(arguments[0]))
        self._play_best_move()

    @commands.add("PLAY X,Y")
    def play(self, arguments: list[str]) -> None:
        """Play our own stone where the manager wants it."""
        self._require_turn()
        self._reply(self._point(self.session.position.push(self._vertex(arguments[0]))))

    @commands.add("TAKEBACK [X,Y]")
    def takeback(self, arguments: list[str]) -> None:
        """Take a stone (default: the last one) off the board; its owner is to move."""
        from tengen.engine.board.goban import SIDES, find_vertex, position_text

        self._require_started()
        turns = self.session.position.turns_played
        vertex = self._vertex(arguments[0]) if arguments else turns[-1] if turns else ""
        if turns and vertex == turns[-1]:
            self.session.position.pop()
        else:
            stones, place = self._stones(), find_vertex(vertex, self._size)
            if place not in stones:
                raise CommandError("there is no stone to take back")
            letter = SIDES[stones.pop(place) - 1]
            self.session.set_up(text=position_text(self.session.spec, stones, letter))
        self._reply("OK")

    # ------------------------------------------------------------------------------------------- whole boards

    # Begin the stones of a position to play in, of one to look at, of a Swap2 opening.
    commands.add("BOARD")(lambda engine, words: engine._begin_list(engine._set_up_and_play, played=True))
    commands.add("YXBOARD")(lambda engine, words: engine._begin_list(engine._set_up))
    commands.add("SWAP2BOARD")(lambda engine, words: engine._begin_list(engine._choose))

    @commands.add("DONE")
    def done(self, arguments: list[str]) -> None:
        """End the stones of a position."""
        if self._list is None:
            raise CommandError("expected BOARD before DONE")
        lines, self._list = self._list, None
        self._require_started()
        self._on_list_done(lines)

    def _set_up_and_play(self, lines: Sequence[str]) -> None:
        """Set up the position in `lines`, and play in it."""
        self._set_up(lines)
        self._play_best_move()

    def _set_up(self, lines: Sequence[str]) -> None:
        """Set up the position in lines ``x,y,field``; as a game if their order allows it."""
        from tengen.engine.board.goban import SIDES, position_text

        stones = [stone for line in lines if (stone := parse_stone(line, self._size))]
        own, spec = side_to_move_of(stones), self._with_rule(self.session.spec)
        if alternates(stones, own):
            turns = [(side_of(stone, own), stone.vertex) for stone in stones]
            with contextlib.suppress(TengenError):  # no legal game has this order
                self.session.set_up(spec, "", turns)
                return
        colours = {stone.place: 1 + side_of(stone, own) for stone in stones}
        if len(colours) < len(stones):
            raise CommandError("expected one stone on a point, got two")
        self.session.set_up(spec, position_text(spec, colours, SIDES[own]))

    def _choose(self, lines: Sequence[str]) -> None:
        """Answer Swap2's question about the stones in lines ``x,y``, in the order they were played."""
        session, name = self.session, OPENING.lower()
        spec = self._with_rule(session.spec)
        spec = spec.with_option(name, NO_OPENING) if name in spec.values else spec
        turns = [(number % 2, self._vertex(line)) for number, line in enumerate(lines)]
        before = session.spec, session.setup, turns_of(session.position)
        session.set_up(spec, "", turns)
        try:
            stones = swap2_stage(session.position, str(session.options[OPENING]))
        except CommandError:
            session.set_up(*before)
            raise
        if stones:
            self._start_search(self._answer_choice)
        else:
            self._reply(" ".join(map(self._point, choose_opening(self._size, session.rng))))

    def _answer_choice(self, result: Result) -> str:
        """Return the better colour: White's next turn, which is played, or SWAP for Black."""
        choice = choose_color(result, self.session.position.scale)
        return SWAP.upper() if choice == SWAP else self._answer_turn(result)

    # --------------------------------------------------------------------- what Yixin's board and Rapfi added

    @commands.add("YXSHOWINFO")
    def yxshowinfo(self, arguments: list[str]) -> None:
        """Tell Yixin's interface which values can be set."""
        self._settings.yixin = True
        hash_bits = (max_hash_mb() << 10).bit_length() - 1
        self._reply(
            f"MESSAGE INFO MAX_THREAD_NUM {MAX_THREADS}",
            f"MESSAGE INFO MAX_HASH_SIZE {hash_bits}",
        )

    @commands.add("YXHASHCLEAR")
    def yxhashclear(self, arguments: list[str]) -> None:
        """Clear the transposition table."""
        self.session.clear_search()
        self._hashfull = 0

    @commands.add("YXSHOWHASHUSAGE")
    def yxshowhashusage(self, arguments: list[str]) -> None:
        """Tell how much of the transposition table the last search has filled."""
        self._reply(f"MESSAGE the last search has filled {self._hashfull / 10:.1f}% of the hash table")

    @commands.add("YXNBEST TURNS")
    def yxnbest(self, arguments: list[str]) -> None:
        """Play, and report the best turns."""
        multipv = min(parse_integer("TURNS", arguments[0], 1), MAX_MULTIPV)
        self._require_turn()
        self._play_best_move(multipv)

    @commands.add("YXSEARCHDEFEND")
    def yxsearchdefend(self, arguments: list[str]) -> None:
        """Play, and report what every turn is worth."""
        self._require_turn()
        self._play_best_move(MAX_MULTIPV, every=True)

    @commands.add("YXSHOWFORBID")
    def yxshowforbid(self, arguments: list[str]) -> None:
        """Write the points forbidden to Black, if Black is to move."""
        self._require_started()
        position, size = self.session.position, self._size
        forbidden: list[tuple[int, int]] = []
        if position.side_to_move == BLACK and not position.outcome():
            legal = {self._point(turn) for turn in position.turns()}
            stones = {(x, size - 1 - y) for x, y in self._stones()}
            points = {(x, y) for y in range(size) for x in range(size)} - stones
            forbidden = sorted((x, y) for x, y in points if f"{x},{y}" not in legal)
        self._reply(f"FORBID {''.join(f'{x:02}{y:02}' for x, y in forbidden)}.")

    # ---------------------------------------------------------------------------------------- blocked points

    @commands.add("YXBLOCK")
    def yxblock(self, arguments: list[str]) -> None:
        """Begin the points where no search may play."""
        self._begin_list(lambda lines: self._block(lines, self._blocked.union))

    @commands.add("YXBLOCKUNDO")
    def yxblockundo(self, arguments: list[str]) -> None:
        """Begin the points where searches may play again."""
        self._begin_list(lambda lines: self._block(lines, self._blocked.difference))

    @commands.add("YXBLOCKRESET")
    def yxblockreset(self, arguments: list[str]) -> None:
        """Let searches play everywhere."""
        self._require_started()
        self._blocked = frozenset()

    def _block(self, lines: Sequence[str], changed: Callable[[set[str]], frozenset[str]]) -> None:
        """Change the blocked points by those in lines ``x,y``, or ``x,y,field``."""
        points = {",".join(line.split(",")[:2]) for line in lines}
        self._blocked = changed({self._vertex(point) for point in points})

    # ---------------------------------------------------------------------------------------------- balance

    # Play the turn, or a turn and the reply to it, after which the game is even.
    commands.add("YXBALANCEONE BIAS")(lambda engine, arguments: engine._play_balanced(arguments[0], 1))
    commands.add("YXBALANCETWO BIAS")(lambda engine, arguments: engine._play_balanced(arguments[0], 2))

    def _play_balanced(self, text: str, stones: int) -> None:
        """Play the turns after which the score of the side to move is nearest to the bias in `text`."""
        bias = parse_integer("BIAS", text, -MAX_BIAS, MAX_BIAS)
        self._require_turn()

        def answer(result: Result) -> str:
            line = balanced_line(result.lines, bias, stones)
            if line is None:
                raise CommandError(f"no line of {stones} turns was found")
            return " ".join(self._point(self.session.position.push(turn)) for turn in line.pv[:stones])

        def chosen(result: Result) -> tuple[Info, ...]:
            line = balanced_line(result.lines, bias, stones)
            return (line,) if line else ()

        self._start_search(answer, MAX_MULTIPV, every=True, reported=chosen)

    # ------------------------------------------------------------------------------------- what there is not

    @commands.add("YXSAVEDATABASE")
    @commands.add("YXSETDATABASE [PATH...]", "YXLIBTODB", "YXDBSPLIT", "YXDBMERGE")
    @commands.add("YXDBTOTXT [PATH...]", "YXDBTOTXTALL")
    def yxsetdatabase(self, arguments: list[str]) -> None:
        """Say that there is no database."""
        self._reply(f"MESSAGE {NO_DATABASE}")

    @commands.add("YXQUERYDATABASEALL", "YXQUERYDATABASEONE", "YXQUERYDATABASETEXT", "YXQUERYDATABASEALLT")
    @commands.add("YXEDITTVDDATABASE [TEXT...]", "YXEDITTEXTDATABASE", "YXEDITLABELDATABASE")
    @commands.add("YXDELETEDATABASEALL [TEXT...]", "YXDELETEDATABASEONE")
    def yxquerydatabaseall(self, arguments: list[str]) -> None:
        """Begin the stones of a position, then say that there is no database."""
        self._begin_list(lambda lines: self._reply(f"MESSAGE {NO_DATABASE}"))

    commands.add("YXHASHDUMP [PATH...]", "YXHASHLOAD")(
        lambda engine, arguments: engine._reply(f"MESSAGE {NO_HASH_FILES}")
    )


def balanced_line(lines: Sequence[Info], bias: int, turns: int) -> Info | None:
    """Return the line of at least `turns` turns whose score is nearest to `bias`, proven results last.

    The bias is in hundredths of a point, for the side to move. Of lines that are about as near, the one with
    the best score is taken: the lines are given best first.
    """

    def distance(line: Info) -> tuple[bool, int]:
        return line.score.is_proven, abs(line.score.value - bias) // ABOUT_EVEN

    return min((line for line in lines if len(line.pv) >= turns), key=distance, default=None)


class Messages(logging.Handler):
    """Writes log records as messages: some managers read standard error as if it were standard output."""

    def __init__(self, writer: Writer) -> None:
        super().__init__(logging.WARNING)
        self._writer = writer

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record in one line."""
        self._writer.write(f"MESSAGE {' '.join(record.getMessage().split())}")


EXAMPLES = """examples:
  tengen gomocup
  tengen gomocup --game gobang,capture-win=5 --threads 2"""


@dataclass(frozen=True, kw_only=True)
class Arguments(EngineOptions):
    """The options of ``tengen gomocup``."""

    game: str = option(
        f"game to play, until the manager sets its rule and size (default {DEFAULT_GAME})",
        "SPEC",
        default=DEFAULT_GAME,
    )
    seed: str | None = option("seed for the choice of openings (default: random)", "N")


def run(options: Arguments) -> int:
    """Speak Gomocup's protocol until the manager ends it."""
    spec = GameSpec.parse(options.game)
    if not spec.game.five_in_a_row:
        raise OptionError(f"--game: expected five in a row, such as {DEFAULT_GAME}, got {quoted(str(spec))}")
    session = Session(spec)
    if options.seed is not None:
        session.rng = random.Random(parse_integer("--seed", options.seed))

    def protocol(session: Session, reader: Reader, writer: Writer) -> Gomocup:
        if not is_debugging():
            logging.getLogger().handlers.clear()
        logging.getLogger().addHandler(Messages(writer))
        logging.captureWarnings(True)
        return Gomocup(session, reader, writer)

    return run_protocol(protocol, session, options)
