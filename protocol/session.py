"""A session: one game in progress, the engine's options, and one search worker.

NumPy and numba are imported only when a position or a search is needed: protocols must introduce themselves
at once. A method that raises leaves the session unchanged.
"""

from __future__ import annotations

import random
import threading
from collections import ChainMap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.engine.debug import internal_error
from tengen.engine.errors import OptionError, TengenError, nearest, quoted
from tengen.engine.game import Game, Value
from tengen.engine.options import is_retired
from tengen.engine.spec import GameSpec
from tengen.protocol.engine_options import (
    ELO,
    GAME,
    LEVEL,
    LIMIT_STRENGTH,
    NO_OPENING,
    OPENING,
    OPTIONS,
    PRO,
    SEARCH,
    SWAP2,
    opening_of,
)
from tengen.protocol.errors import CommandError
from tengen.search.info import Info, Result
from tengen.search.levels import level_of_elo
from tengen.search.limits.limit import AUTO, Limit

if TYPE_CHECKING:
    from tengen.engine.play.position import Position
    from tengen.search.worker import Worker


class Session:
    """A game in progress and the engine that plays it; `spec` is the first game."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.options: dict[str, Value] = {name: option.default for name, option in OPTIONS.items()}
        self.movetime = 1.0  # seconds for a turn without a clock
        self.setup = ""  # the start position of the game in progress; empty for the initial one
        self.limits = Limit()  # of the last search
        self.interrupted = False  # set on SIGINT: a search started by the current command is stopped at once
        self.rng = random.Random()  # chooses among equally good answers
        self._position: Position | None = None
        self._worker: Worker | None = None
        self._compiled: GameSpec | None = None  # what `ensure_compiled` has made ready last
        self._loaders: dict[str, tuple[threading.Thread, threading.Event]] = {}  # by name of the game
        self._lock = threading.RLock()  # held while the worker is made, or an option is set
        self.options[OPENING] = opening_of(spec)

    # ------------------------------------------------------------------------------------------------ options

    def set_option(self, name: str, text: str) -> None:
        """Set the engine option `name`, in upper or lower case, to `text`.

        Setting another game starts it; setting the same game again changes nothing. Raises OptionError for an
        unknown option, or a value that it does not accept.
        """
        if is_retired(name):
            return
        name = self.option_name(name)
        if name == GAME:
            if (spec := GameSpec.parse(text)) != self.spec:
                self.set_up(spec)
            return
        option = OPTIONS[name]
        value = option.parse(text, "the engine's options")
        with self._lock:
            if value != self.options[name]:
                if name == OPENING:
                    self._apply_opening(str(value))
                elif self._worker:
                    self._worker.configure(**option.for_worker(value))
                self.options[name] = value
                self._compiled = None  # it may take other kernels, or another table

    def _apply_opening(self, opening: str) -> None:
        """Set the opening rule, if the game has it and the turns played so far obey it."""
        name = OPENING.lower()
        known = [NO_OPENING, *([PRO] if name in self.spec.values else [])]
        known += [SWAP2] if self.spec.game.five_in_a_row else []
        if opening not in known:
            game = self.spec.game.title
            raise OptionError(
                f"option {OPENING}: expected {' or '.join(known)} in {game}, got {quoted(opening)}"
            )
        if name in self.spec.values:
            self.replace_spec(self.spec.with_option(name, PRO if opening == PRO else NO_OPENING))

    def option_name(self, word: str) -> str:
        """Return the name of the engine option `word`, given in upper or lower case.

        Raises OptionError if there is none; the message lists all options and the nearest match.
        """
        known = {name.lower(): name for name in self.option_texts()}
        if word.lower() not in known:
            names = ", ".join(known.values())
            raise OptionError(f"option: expected one of {names}, got {quoted(word)}{nearest(word, known)}")
        return known[word.lower()]

    def option_texts(self) -> dict[str, str]:
        """Return the values of all engine options, as texts that `set_option` accepts."""
        return {GAME: str(self.spec)} | {name: str(value).lower() for name, value in self.options.items()}

    def option(self, name: str) -> int:
        """Return the value of a numeric option."""
        return int(self.options[name])

    # ----------------------------------------------------------------------------------------------- the game

    @property
    def position(self) -> Position:
        """The current position; only the thread that executes commands plays on it, or takes back."""
        if self._position is None:
            from tengen.engine.play.position import Position

            self._position = Position(self.spec)
        return self._position

    def set_up(
        self,
        spec: GameSpec | None = None,
        text: str = "",
        turns: Iterable[tuple[int | None, str]] = (),
    ) -> None:
        """Start another game from a position text and turns with their sides; first stop a running search.

        By default it is the current game from its start. A side of None is the side to move. Raises
        TengenError if the text is malformed, or a turn is illegal.
        """
        spec, turns = spec or self.spec, list(turns)
        position = self._shared_prefix(spec, text, turns)
        for number, (side, turn) in enumerate(turns[position.ply :], position.ply + 1):
            try:
                position.push(turn, side)
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
        self.spec, self.setup, self._position = spec, text, position

    def _shared_prefix(self, spec: GameSpec, text: str, turns: Sequence[tuple[int | None, str]]) -> Position:
        """Return the position after the first turns, which managers send again, that this game shares."""
        from tengen.engine.play.position import Position

        if self._position is None or spec != self.spec or text != self.setup:
            return Position(spec, text or None)
        shared = 0
        for (side, turn), (mover, played) in zip(turns, turns_of(self._position), strict=False):
            if turn != played or side not in (None, mover) or (side is None and spec.game.out_of_turn):
                break
            shared += 1
        position = self._position.copy()
        while position.ply > shared:
            position.pop()
        return position

    def replace_spec(self, spec: GameSpec) -> None:
        """Continue the current game under `spec`, with another komi or other rules.

        Raises TengenError if a turn already played is illegal under `spec`.
        """
        self.set_up(spec, self.setup, turns_of(self.position))

    # --------------------------------------------------------------------------------------------- the search

    @property
    def worker(self) -> Worker:
        """The search worker, created on first use, on whatever thread that is."""
        if self._worker is None:
            from tengen.search.worker import Worker  # takes long: the lock is held only afterwards

            with self._lock:
                if self._worker is None:
                    values = [OPTIONS[name].for_worker(value) for name, value in self.options.items()]
                    self._worker = Worker(**dict(ChainMap(*values)))
        return self._worker

    def uses_mcts(self, game: Game) -> bool:
        """Return whether `game` is searched by Monte-Carlo simulations."""
        method = str(self.options[SEARCH])
        return (game.search if method == AUTO else method) == "mcts"

    @property
    def searching(self) -> bool:
        """Whether a search is running."""
        return self._worker is not None and self._worker.searching

    def ensure_compiled(self, on_notice: Callable[[str], None]) -> None:
        """Return once every search of this game can start at once; tell `on_notice` what it waits for."""
        wanted = self.spec
        if wanted is not self._compiled:
            for spec in wanted.games:
                self.worker.warm_up(spec.game, on_notice)
            self._compiled = wanted

    @property
    def loaded(self) -> bool:
        """Whether `start_compiling` has been called for this game, and its work is done."""
        thread, _ = self._loaders.get(self.spec.game.name, (None, None))
        return thread is not None and not thread.is_alive()

    def start_compiling(self) -> tuple[threading.Thread, threading.Event]:
        """Start loading or compiling what a search needs, on the thread that is returned.

        The event is set once turns can be played, and answers given without a search; or when the thread has
        failed.
        """
        name = self.spec.game.name
        if name not in self._loaders:
            rules_ready = threading.Event()
            thread = threading.Thread(
                target=self._compile, args=(rules_ready,), name="tengen loader", daemon=True
            )
            thread.start()  # before others see it: to `loaded`, a thread that has not begun has ended
            self._loaders[name] = thread, rules_ready
        return self._loaders[name]

    def _compile(self, rules_ready: threading.Event) -> None:
        """Prepare the rules, then the search. Errors are dropped: who needs the kernels raises them."""
        from tengen.search.warmup import ensure_rules_compiled

        try:
            for spec in self.spec.games:
                ensure_rules_compiled(spec, helped=True)
            rules_ready.set()
            self.ensure_compiled(lambda notice: None)
        except Exception as error:
            internal_error(error)
        finally:
            rules_ready.set()

    def go(
        self,
        position: Position,
        limits: Limit,
        on_info: Callable[[Info], None] | None = None,
        on_done: Callable[[Result], None] | None = None,
        on_notice: Callable[[str], None] | None = None,
    ) -> None:
        """Start a search of `position` and return. A running search is stopped; its result comes first.

        The search is one of the level that the options say, unless `limits` name another one.
        """
        if limits.level is None:
            by_elo = self.options[LIMIT_STRENGTH]
            level = level_of_elo(position.game, self.option(ELO)) if by_elo else self.option(LEVEL)
            limits = replace(limits, level=level)
        self.limits, worker = limits, self.worker
        worker.go(position, limits, on_info, on_done, on_notice)
        if self.interrupted:
            worker.stop()

    def stop(self) -> None:
        """Ask the search to stop, if there is one."""
        if self._worker:
            self._worker.stop()

    def wait(self, seconds: float | None = None) -> Result | None:
        """Wait up to `seconds` for the search; return its result, or None if it still runs."""
        return self._worker.wait(seconds) if self._worker else None

    def ponderhit(self) -> None:
        """Turn pondering into a normal search, whose time starts now; CommandError if nothing is pondered."""
        if not (self.limits.ponder and self.searching):
            raise CommandError("nothing is pondered")
        self.limits = replace(self.limits, ponder=False)
        self.worker.ponderhit()

    def stop_and_wait(self) -> None:
        """Stop the search, if there is one, and wait until its result is reported."""
        self.stop()
        self.wait()

    def clear_search(self) -> None:
        """Clear the search's tables; a running search is stopped first."""
        if self._worker:
            self._worker.new_game()


def turns_of(position: Position) -> list[tuple[int, str]]:
    """Return the side, 0 or 1, and the text of each turn since the start."""
    played = zip(position.sides_played, position.turns_played, strict=True)
    return [(side.number, turn) for side, turn in played]


def as_side_to_move(position: Position, side: int) -> Position:
    """Return `position` with `side` to move.

    Raises CommandError if it is not its turn, and the game forbids play out of turn.
    """
    if side == position.side_to_move:
        return position
    if not position.spec.game.out_of_turn:
        raise CommandError(f"it is {position.side}'s turn")
    position = position.copy()
    position.spec.game.rules.set_side_to_move(position.state, side)
    return position
