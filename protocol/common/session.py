"""What the protocols share: one game in progress, the engine's options, the clocks, and one search worker.

Nothing here imports NumPy or numba before a position or a search is asked for: protocols must introduce
themselves at once. Every method that raises leaves the session as it was.
"""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.engine.errors import OptionError, TengenError, nearest, quoted
from tengen.engine.game import GameSpec, Option, Value
from tengen.protocol.common.clocks import Clocks
from tengen.search.info import Info, Result
from tengen.search.limits import AUTO, MAX_MULTIPV, MAX_THREADS, METHODS, Limits, most_hash_mb

if TYPE_CHECKING:
    from tengen.engine.position import Position
    from tengen.search.worker import Worker

GAME = "Game"  # the option that is the game spec; the others follow
OPENING = "Opening"  # the option that changes the game's own option of that name
NO_OPENING, PRO, SWAP2 = "none", "pro", "swap2"
OPTIONS = (
    Option("Threads", 1, "search threads", low=1, high=MAX_THREADS),
    Option("Hash", 64, "size of the transposition table, or of the tree, in MB", low=1, high=most_hash_mb()),
    Option("Search", AUTO, "how to search; auto is what suits the game best", choices=METHODS),
    Option("MultiPV", 1, "how many different turns to report", low=1, high=MAX_MULTIPV),
    Option("Ponder", False, "the manager may let the engine think on the opponent's time"),
    Option("OwnBook", True, "play what the game's book knows without a search"),
    Option("Resign", 5, "win rate in percent below which GTP's genmove resigns; 0 for never", low=0, high=50),
    Option(OPENING, NO_OPENING, "how five in a row begins", choices=(NO_OPENING, PRO, SWAP2)),
)


class Refusal(TengenError):
    """A command that cannot be obeyed; its text is all there is to say."""


class Session:
    """A game in progress and the engine that plays it.

    Parameters
    ----------
    spec : GameSpec
        What is played first.
    book : bool
        Whether `OPTIONS` begin with the book in use.

    Attributes
    ----------
    spec : GameSpec
        What is played.
    options : dict
        Values of `OPTIONS` by name.
    movetime : float
        Seconds for a turn when the controller has said nothing about time.
    komi : float
        As a controller set it in a game whose spec knows none; counts nowhere.
    clocks : Clocks
    setup : str
        The position that the game in progress began from; empty for the initial one.
    movers : list of int
        Who played each turn since, 0 or 1.
    limits : Limits
        Those of the last search.
    interrupted : bool
        Whether the user wants an end of what the command now obeyed does: a search it starts is stopped.
    chance : random.Random
        Decides where several answers are as good.
    """

    def __init__(self, spec: GameSpec, book: bool = True) -> None:
        self.spec = spec
        self.options: dict[str, Value] = {option.name: option.default for option in OPTIONS}
        self.movetime = 1.0
        self.komi = 0.0
        self.clocks = Clocks()
        self.setup = ""
        self.movers: list[int] = []
        self.limits = Limits()
        self.interrupted = False
        self.chance = random.Random()
        self._position: Position | None = None
        self._worker: Worker | None = None
        self._loaders: dict[str, Loader] = {}  # by names of games
        self.options |= {OPENING: opening_of(spec), "OwnBook": book}

    # ------------------------------------------------------------------------------------------------ options

    def set_option(self, name: str, text: str) -> None:
        """Set the engine option `name`, in upper or lower case, to the value that `text` names.

        Another game begins anew; the same game goes on.

        Raises
        ------
        OptionError
            For an unknown option, or a value that it does not take.
        """
        name = self.option_name(name)
        if name == GAME:
            if (spec := GameSpec.parse(text)) != self.spec:
                self.set_up(spec)
            return
        option = next(option for option in OPTIONS if option.name == name)
        value = option.parse(text, "the engine's options")
        if value != self.options[option.name]:
            self._configure(option.name, value)
            self.options[option.name] = value

    def _open(self, opening: str) -> None:
        """Begin with `opening` from now on, if the game knows it and the turns played so far are of it.

        Raises
        ------
        TengenError
            When that is not so.
        """
        name = OPENING.lower()
        known = [NO_OPENING, *([PRO] if name in self.spec.values else [])]
        known += [SWAP2] if self.spec.game.five_in_a_row else []
        if opening not in known:
            game = self.spec.game.title
            raise OptionError(
                f"option {OPENING}: expected {' or '.join(known)} in {game}, got {quoted(opening)}"
            )
        if name in self.spec.values:
            self.change(self.spec.with_option(name, PRO if opening == PRO else NO_OPENING))

    def option_name(self, word: str) -> str:
        """Return the name of the engine option called `word`, in upper or lower case.

        Raises
        ------
        OptionError
            When there is none; lists what exists and the nearest match.
        """
        known = {name.lower(): name for name in self.option_texts()}
        if word.lower() not in known:
            names = ", ".join(known.values())
            raise OptionError(f"option: expected one of {names}, got {quoted(word)}{nearest(word, known)}")
        return known[word.lower()]

    def option_texts(self) -> dict[str, str]:
        """Return the values of all engine options as texts that `set_option` takes."""
        return {GAME: str(self.spec)} | {name: str(value).lower() for name, value in self.options.items()}

    def option(self, name: str) -> int:
        """Return the value of a numeric option of `OPTIONS`."""
        return int(self.options[name])

    def _configure(self, name: str, value: Value) -> None:
        """Hand an option on to the game, or to the worker, once there is one."""
        if name == OPENING:
            self._open(str(value))
        elif name == "Threads" and self._worker:
            self._worker.configure(threads=int(value))
        elif name == "Hash" and self._worker:
            self._worker.configure(hash_mb=int(value))
        elif name == "Search" and self._worker:
            self._worker.configure(method=str(value))
        elif name == "OwnBook" and self._worker:
            self._worker.configure(book=bool(value))

    # ----------------------------------------------------------------------------------------------- the game

    @property
    def position(self) -> Position:
        """The game in progress; change it only through this session."""
        if self._position is None:
            from tengen.engine.challenge import begin

            self._position = begin(self.spec)
        return self._position

    def set_up(
        self,
        spec: GameSpec | None = None,
        text: str = "",
        turns: Iterable[tuple[int | None, str]] = (),
    ) -> None:
        """Begin another game; a search under way is stopped first.

        Parameters
        ----------
        spec : GameSpec, optional
            What to play; as before when not given.
        text : str
            The position to begin from; empty for the initial one.
        turns : iterable of (side, str)
            Turns to play from there; a side of None is whoever is to move.

        Raises
        ------
        TengenError
            When the position is faulty or a turn cannot be played; a turn's error says which one it was.
        """
        spec, turns = spec or self.spec, list(turns)
        position, movers = self._resumed(spec, text, turns)
        for number, (side, turn) in enumerate(turns[len(movers) :], len(movers) + 1):
            movers.append(position.turn if side is None else side)
            try:
                position.play(turn, side)
            except TengenError as error:
                raise Refusal(f"turn {number}: {error}") from error
        self.halt()
        if spec != self.spec:
            self.forget()
            if (
                self.options[OPENING] != SWAP2
                or opening_of(spec) != NO_OPENING
                or spec.game != self.spec.game
            ):
                self.options[OPENING] = opening_of(spec)
        self.spec, self.setup, self.movers, self._position = spec, text, movers, position

    def _resumed(
        self, spec: GameSpec, text: str, turns: Sequence[tuple[int | None, str]]
    ) -> tuple[Position, list[int]]:
        """Return a position after the first of `turns`, and who made them: as many as the last game shares.

        Managers send the whole game again with every turn; what is as it was is not played anew.
        """
        from tengen.engine.challenge import begin

        if self._position is None or spec != self.spec or text != self.setup:
            return begin(spec, text or None), []
        shared = 0
        for (side, turn), played, mover in zip(turns, self._position.turns_played, self.movers, strict=False):
            if turn != played or side not in (None, mover) or (side is None and spec.game.out_of_turn):
                break
            shared += 1
        position = self._position.copy()
        while len(position.turns_played) > shared:
            position.undo()
        return position, self.movers[:shared]

    def change(self, spec: GameSpec) -> None:
        """Go on with the game in progress under `spec`, another komi or other rules.

        Raises
        ------
        TengenError
            When a turn that has been played cannot be played under `spec`.
        """
        self.set_up(spec, self.setup, zip(self.movers, self.position.turns_played, strict=True))

    def play(self, text: str, side: int) -> str:
        """Play the turn `text` for `side` and return its canonical text.

        Raises
        ------
        NotationError, IllegalTurnError
            When the turn cannot be played.
        """
        canonical = self.position.play(text, side)
        self.movers.append(side)
        return canonical

    def undo(self) -> str:
        """Take the last turn back and return its text.

        Raises
        ------
        PositionError
            When no turn has been played since the game began.
        """
        turn = self.position.undo()
        self.movers.pop()
        return turn

    def as_side(self, side: int) -> Position:
        """Return the position as `side` sees it that is to move.

        Raises
        ------
        Refusal
            When it is not to move and the game knows no play out of turn.
        """
        return seen_by(self.position, side)

    # --------------------------------------------------------------------------------------------- the search

    @property
    def worker(self) -> Worker:
        """The search worker, made when it is first asked for."""
        if self._worker is None:
            from tengen.search.worker import Worker

            self._worker = Worker(
                self.option("Threads"),
                self.option("Hash"),
                str(self.options["Search"]),
                book=bool(self.options["OwnBook"]),
            )
        return self._worker

    @property
    def searching(self) -> bool:
        """Whether a search is under way."""
        return self._worker is not None and self._worker.searching

    def prepare(self, on_notice: Callable[[str], None]) -> None:
        """Return once a search of all that is played can begin without delay.

        `on_notice` hears what is waited for.
        """
        for spec in self.spec.games:
            self.worker.warm_up(spec.game, on_notice)

    def prepare_rules(self) -> None:
        """Return once turns can be judged and played, and a search that is cut short can answer."""
        from tengen.search.warmup import prepare_rules

        for spec in self.spec.games:
            prepare_rules(spec)

    def preload(self) -> Loader:
        """Begin to load, or to compile, what a search needs, and return the thread that does it.

        The first search will soon be asked for.
        """
        name = self.spec.game.name
        if name not in self._loaders:
            _ = self.worker  # made on this thread
            self._loaders[name] = Loader(self)
            self._loaders[name].start()
        return self._loaders[name]

    def go(
        self,
        position: Position,
        limits: Limits,
        on_info: Callable[[Info], None] | None = None,
        on_done: Callable[[Result], None] | None = None,
        on_notice: Callable[[str], None] | None = None,
    ) -> None:
        """Start to search `position` and return; a search under way is stopped, its result comes first."""
        worker = self.worker
        self.halt()
        self.limits = limits
        worker.go(position, limits, on_info, on_done, on_notice)
        if self.interrupted:
            worker.stop()

    def stop(self) -> None:
        """Ask the search to end, if there is one."""
        if self._worker:
            self._worker.stop()

    def wait(self, seconds: float | None = None) -> Result | None:
        """Return the result of the search once it is reported; None when that takes more than `seconds`."""
        return self._worker.wait(seconds) if self._worker else None

    def ponderhit(self) -> None:
        """Turn pondering into an ordinary search, whose time starts now.

        Raises
        ------
        Refusal
            When nothing is pondered.
        """
        if not (self.limits.ponder and self.searching):
            raise Refusal("nothing is pondered")
        self.limits = replace(self.limits, ponder=False)
        self.worker.ponderhit()

    def halt(self) -> None:
        """End the search, if there is one, and wait until its result is reported."""
        self.stop()
        self.wait()

    def finish(self) -> None:
        """Wait for the search to end by itself; stop it if it never would."""
        limits = self.limits
        bounded = any(
            limit is not None for limit in (limits.depth, limits.nodes, limits.movetime, limits.clock)
        )
        if limits.infinite or limits.ponder or not bounded:
            self.stop()
        self.wait()

    def forget(self) -> None:
        """Forget what searches have found out so far; one under way is stopped first."""
        if self._worker:
            self._worker.new_game()


class Loader(threading.Thread):
    """Loads, or compiles, what a session plays. It is quiet: who needs what cannot be had will say so.

    Attributes
    ----------
    rules : threading.Event
        Set once turns can be judged and played.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(name="tengen loader", daemon=True)
        self._session = session
        self.rules = threading.Event()

    def run(self) -> None:
        """Load the rules, then the search."""
        with contextlib.suppress(Exception):
            self._session.prepare_rules()
        self.rules.set()
        with contextlib.suppress(Exception):
            self._session.prepare(lambda notice: None)


def seen_by(position: Position, side: int) -> Position:
    """Return `position` as `side` sees it that is to move.

    Raises
    ------
    Refusal
        When it is not to move and the game knows no play out of turn.
    """
    if side == position.turn:
        return position
    if not position.spec.game.out_of_turn:
        raise Refusal(f"it is {position.side}'s turn")
    position = position.copy()
    position.spec.game.rules.give_turn(position.state, side)
    return position


def opening_of(spec: GameSpec) -> str:
    """Return the value of the option `OPENING` that a game of `spec` begins with."""
    return str(spec.values.get(OPENING.lower(), NO_OPENING))
