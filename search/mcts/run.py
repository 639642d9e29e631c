"""A search by Monte-Carlo simulations: the threads that grow one tree."""

import threading
from dataclasses import replace
from typing import Any

from tengen.engine.jit import StopFlag
from tengen.engine.weights import Parameters
from tengen.search.info import Info
from tengen.search.levels import log_shares
from tengen.search.mcts.searcher import MctsSearch
from tengen.search.mcts.tree import Tree
from tengen.search.run import SearchRun

PREPARATION_SHARE = 0.5  # of the planned time, at most, for the look at dead stones
DISPUTE_SHARE = 0.5  # of the planned time, added while the most visited turn is not the one that wins most


class MctsRun(SearchRun):
    """A search by Monte-Carlo simulations; `parameters` are None for the shipped ones."""

    METHOD = "mcts"

    def __init__(self, tree: Tree, parameters: Parameters | None, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._tree, self._parameters = tree, parameters
        self._mcts: MctsSearch | None = None
        self._preparation = StopFlag()  # ends the look at dead stones

    def _halt(self) -> None:
        super()._halt()
        self._preparation.set()

    def _start_clock(self, pondered: float = 0.0) -> None:
        super()._start_clock(pondered)
        if self._budget.soft is not None and self._position.spec.game.offers("simulation"):
            planned = self._budget.soft - pondered
            left = self._seconds_until(pondered + PREPARATION_SHARE * planned)
            self._timekeeper.set_deadline(self._preparation, left)
            self._timekeeper.alarm(left, self._count, self._preparation.set)

    def _infos(self) -> list[Info]:
        if self._limits.restricted:
            self._tree.clear()
        search = MctsSearch(
            self._position,
            self._tree,
            self._flag,
            self._effort,
            self._count,
            self._elapsed,
            self._parameters,
            self._preparation,
        )
        self._mcts = search
        helpers = self._helpers(self._count - 1, search.help)
        try:
            listening = self._on_info and not self._handicap
            search.run(self._report if listening else None, self._should_stop)
            if not self._released.is_set():  # pondering, or infinite
                if self._on_info and not self._flag:  # what has been found so far
                    self._report(search.infos())
                self._released.wait()
            self._join(helpers)
            infos = search.finish(unvisited=self._handicap is not None)
            if self._limits.restricted:  # nodes lack children
                self._tree.clear()
            self._report(infos)
        except BaseException:
            self._tree.clear()  # how much of it is in use is unknown
            raise
        finally:
            self._join(helpers)
        return self._chosen(search, infos)

    def _chosen(self, search: MctsSearch, infos: list[Info]) -> list[Info]:
        """Return `infos`; with a handicap those to report, ranked anew, the one that it plays in front."""
        if self._handicap is None:
            return infos
        sensible = search.report.without_idle_pass(infos)
        sure = (sensible[0].score.turns_to_win or 0) > 0
        played = self._game_position.turns_played
        chosen = self._handicap.choose(played, sensible, log_shares(sensible), sure)
        return [replace(info, rank=rank) for rank, info in enumerate(chosen[: self._limits.multipv], 1)]

    def _join(self, helpers: list[threading.Thread]) -> None:
        """Wait until the other threads of the search have ended."""
        self._flag.set()
        for helper in helpers:
            helper.join()

    def _should_stop(self) -> bool:
        """Return whether no other turn can overtake the most visited one in the time left.

        While another turn wins more often than the most visited one, the search may take longer than planned.
        """
        search = self._mcts
        if self._pondering or search is None or self._budget.soft is None or self._limits.clock is None:
            return False
        if self._has_single_turn:
            return True
        if not self._limits.saves_time:
            return False
        elapsed = self._elapsed()
        planned = self._budget.soft - self._pondered
        left = planned - (elapsed - self._pondered)
        if search.lead() <= search.simulations / elapsed * left:
            return False
        return left > 0 or -left > DISPUTE_SHARE * planned or not search.disputed()

    def _report(self, infos: list[Info]) -> None:
        """Report the candidates as live infos, unless a handicap will choose among them."""
        if self._on_info and not self._handicap:
            for info in infos:
                self._on_info(info)

    def _nodes(self) -> int:
        return self._mcts.simulations if self._mcts else 0

    def _release_memory(self) -> None:
        self._mcts = None
