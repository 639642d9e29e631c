"""What the protocols share: one game in progress, the engine's options, the clocks, and one search worker.

Nothing here imports NumPy or numba before a position or a search is asked for: protocols must introduce
themselves at once. Every method that raises leaves the session as it was.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.engine.debug import internal_error
from tengen.engine.errors import OptionError, TengenError, nearest, quoted
from tengen.engine.game import GameSpec, Value
from tengen.protocol.common.engine_options import GAME, NO_OPENING, OPENING, OPTIONS, PRO, SWAP2, opening_of
from tengen.protocol.common.errors import CommandError
from tengen.protocol.common.swap2 import supports_swap2
from tengen.search.info import Info, Result
from tengen.search.limits import Limits

if TYPE_CHECKING:
    from tengen.engine.position import Position
    from tengen.search.worker import Worker


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
    setup : str
        The position that the game in progress began from; empty for the initial one.
    sides_played : list of int
        Who played each turn since, 0 or 1.
    limits : Limits
        Those of the last search.
    interrupted : bool
        Whether the user wants an end of what the command now obeyed does: a search it starts is stopped.
    rng : random.Random
        Decides where several answers are as good.
    """

    def __init__(self, spec: GameSpec, book: bool = True) -> None:
        self.spec = spec
        self.options: dict[str, Value] = {option.name: option.default for option in OPTIONS}
        self.movetime = 1.0
        self.komi = 0.0
        self.setup = ""
        self.sides_played: list[int] = []
        self.limits = Limits()
        self.interrupted = False
        self.rng = random.Random()
        self._position: Position | None = None
        self._worker: Worker | None = None
        self._compile_threads: dict[str, CompileThread] = {}  # by names of games
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

    def _apply_opening(self, opening: str) -> None:
        """Begin with `opening` from now on, if the game knows it and the turns played so far are of it.

        Raises
        ------
        TengenError
            When that is not so.
        """
        name = OPENING.lower()
        known = [NO_OPENING, *([PRO] if name in self.spec.values else [])]
        known += [SWAP2] if supports_swap2(self.spec.game) else []
        if opening not in known:
            game = self.spec.game.title
            raise OptionError(
                f"option {OPENING}: expected {' or '.join(known)} in {game}, got {quoted(opening)}"
            )
        if name in self.spec.values:
            self.replace_spec(self.spec.with_option(name, PRO if opening == PRO else NO_OPENING))

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
            self._apply_opening(str(value))
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
        position, sides_played = self._shared_prefix(spec, text, turns)
        for number, (side, turn) in enumerate(turns[len(sides_played) :], len(sides_played) + 1):
            sides_played.append(position.side_to_move if side is None else side)
            try:
                position.play(turn, side)
            except TengenError as error:
                raise CommandError(f"turn {number}: {error}") from error
        self.stop_and_wait()
        if spec != self.spec:
            self.clear_search()
            if (
                self.options[OPENING] != SWAP2
                or opening_of(spec) != NO_OPENING
                or spec.game != self.spec.game
            ):
                self.options[OPENING] = opening_of(spec)
        self.spec, self.setup, self.sides_played, self._position = spec, text, sides_played, position

    def _shared_prefix(
        self, spec: GameSpec, text: str, turns: Sequence[tuple[int | None, str]]
    ) -> tuple[Position, list[int]]:
        """Return a position after the first of `turns`, and who made them: as many as the last game shares.

        Managers send the whole game again with every turn; what is as it was is not played anew.
        """
        from tengen.engine.challenge import begin

        if self._position is None or spec != self.spec or text != self.setup:
            return begin(spec, text or None), []
        shared = 0
        for (side, turn), played, mover in zip(
            turns, self._position.turns_played, self.sides_played, strict=False
        ):
            if turn != played or side not in (None, mover) or (side is None and spec.game.out_of_turn):
                break
            shared += 1
        position = self._position.copy()
        while len(position.turns_played) > shared:
            position.undo()
        return position, self.sides_played[:shared]

    def replace_spec(self, spec: GameSpec) -> None:
        """Go on with the game in progress under `spec`, another komi or other rules.

        Raises
        ------
        TengenError
            When a turn that has been played cannot be played under `spec`.
        """
        self.set_up(spec, self.setup, zip(self.sides_played, self.position.turns_played, strict=True))

    def play(self, text: str, side: int) -> str:
        """Play the turn `text` for `side` and return its canonical text.

        Raises
        ------
        NotationError, IllegalTurnError
            When the turn cannot be played.
        """
        canonical = self.position.play(text, side)
        self.sides_played.append(side)
        return canonical

    def undo(self) -> str:
        """Take the last turn back and return its text.

        Raises
        ------
        PositionError
            When no turn has been played since the game began.
        """
        turn = self.position.undo()
        self.sides_played.pop()
        return turn

    def position_for(self, side: int) -> Position:
        """Return the position as `side` sees it that is to move.

        Raises
        ------
        Refusal
            When it is not to move and the game knows no play out of turn.
        """
        return as_side_to_move(self.position, side)

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

    def ensure_compiled(self, on_notice: Callable[[str], None]) -> None:
        """Return once a search of all that is played can begin without delay.

        `on_notice` hears what is waited for.
        """
        for spec in self.spec.games:
            self.worker.warm_up(spec.game, on_notice)

    def ensure_rules_compiled(self) -> None:
        """Return once turns can be judged and played, and a search that is cut short can answer."""
        from tengen.search.warmup import ensure_rules_compiled

        for spec in self.spec.games:
            ensure_rules_compiled(spec)

    def start_compiling(self) -> CompileThread:
        """Begin to load, or to compile, what a search needs, and return the thread that does it.

        The first search will soon be asked for.
        """
        name = self.spec.game.name
        if name not in self._compile_threads:
            _ = self.worker  # made on this thread
            self._compile_threads[name] = CompileThread(self)
            self._compile_threads[name].start()
        return self._compile_threads[name]

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
        self.stop_and_wait()
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
            raise CommandError("nothing is pondered")
        self.limits = replace(self.limits, ponder=False)
        self.worker.ponderhit()

    def stop_and_wait(self) -> None:
        """End the search, if there is one, and wait until its result is reported."""
        self.stop()
        self.wait()

    def wait_or_stop(self) -> None:
        """Wait for the search to end by itself; stop it if it never would."""
        limits = self.limits
        bounded = any(
            limit is not None for limit in (limits.depth, limits.nodes, limits.movetime, limits.clock)
        )
        if limits.infinite or limits.ponder or not bounded:
            self.stop()
        self.wait()

    def clear_search(self) -> None:
        """Forget what searches have found out so far; one under way is stopped first."""
        if self._worker:
            self._worker.new_game()


class CompileThread(threading.Thread):
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
        try:
            self._session.ensure_rules_compiled()
            self.rules.set()
            self._session.ensure_compiled(lambda notice: None)
        except Exception as error:  # whoever needs the kernels fails with it, too
            internal_error(error)
        finally:
            self.rules.set()


def as_side_to_move(position: Position, side: int) -> Position:
    """Return `position` as `side` sees it that is to move.

    Raises
    ------
    Refusal
        When it is not to move and the game knows no play out of turn.
    """
    if side == position.side_to_move:
        return position
    if not position.spec.game.out_of_turn:
        raise CommandError(f"it is {position.side}'s turn")
    position = position.copy()
    position.spec.game.rules.set_side_to_move(position.state, side)
    return position
