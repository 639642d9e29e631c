"""All games of a server: those in use, and the store from which they come and to which they go."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tengen.engine import sgf
from tengen.engine.debug import log
from tengen.engine.errors import TengenError
from tengen.engine.game import GameSpec
from tengen.engine.sgf import Record
from tengen.protocol.common.archive import players
from tengen.protocol.common.errors import CommandError
from tengen.protocol.web.game.game import WebGame
from tengen.protocol.web.game.records import game_of_record, new_game, record_of_game
from tengen.protocol.web.pool import SearchPool
from tengen.protocol.web.store import GameStore
from tengen.protocol.web.view import summary

MAX_IN_USE = 200  # games in memory; those that no page shows are dropped first
MAX_NODES_IN_USE = 100_000  # of all these games together, as far as no page shows them


class Hub:
    """The games of a server.

    Parameters
    ----------
    store : GameStore
    pool : SearchPool
    """

    def __init__(self, store: GameStore, pool: SearchPool) -> None:
        self.store = store
        self.pool = pool
        self.games: dict[str, WebGame] = {}
        self._ready: dict[str, asyncio.Task[None]] = {}  # by spec
        self._writer = ThreadPoolExecutor(1, "tengen writer")
        self._written: dict[str, float] = {}  # times of files, as this server has left them
        self._summaries: dict[str, tuple[float, dict[str, Any]]] = {}  # with the time of the file

    async def prepare(self, spec: GameSpec) -> None:
        """Make ready what is needed to play `spec`; the first time ever, kernels are compiled."""
        key = str(spec)
        if key not in self._ready:
            self._ready[key] = asyncio.get_running_loop().create_task(asyncio.to_thread(_prepare, spec))
        try:
            await asyncio.shield(self._ready[key])
        except Exception:
            del self._ready[key]
            raise

    def is_ready(self, spec: GameSpec) -> bool:
        """Return whether `prepare` has nothing to do."""
        task = self._ready.get(str(spec))
        return task is not None and task.done()

    async def create(self, fields: dict[str, Any]) -> WebGame:
        """Return a new game as a message asks for it.

        Raises
        ------
        TengenError
            If a field is faulty.
        """
        spec = GameSpec.parse(str(fields.get("spec", ""))[:500])
        await self.prepare(spec)
        game = new_game(fields, self.store.new_name, self.pool, self.keep)
        self._use(game)
        game.changed()
        return game

    async def take(self, record: Record) -> WebGame:
        """Return a new game made from a record.

        Raises
        ------
        TengenError
            If the record has an illegal turn.
        """
        await self.prepare(record.spec)
        name = self.store.new_name(record.spec.game.name)
        game = await asyncio.to_thread(game_of_record, name, record, self.pool, self.keep)
        self._use(game)
        game.changed()
        return game

    async def find(self, name: str) -> WebGame:
        """Return a game in use, or one from the store.

        Raises
        ------
        CommandError
            If there is none.
        """
        await self._forget_if_changed(name)
        if name not in self.games:
            await self.flush()  # it may have been dropped a moment ago
            record = await asyncio.to_thread(self.store.load, name)
            self._written[name] = self.store.path(name).stat().st_mtime
            await self.prepare(record.spec)
            game = await asyncio.to_thread(game_of_record, name, record, self.pool, self.keep)
            if name not in self.games:  # nobody was faster
                self._use(game)
        return self.games[name]

    async def _forget_if_changed(self, name: str) -> None:
        """Forget a game that no page shows if someone else, such as ``tengen play``, has gone on with it."""
        if name not in self.games or self.games[name].listeners:
            return
        await self.flush()
        path = self.store.path(name)
        if path.exists() and path.stat().st_mtime != self._written.get(name):
            self.games.pop(name, None)

    def _use(self, game: WebGame) -> None:
        """Keep a game in memory; drop others that no page shows if there are many, or long ones."""
        nodes = sum(len(other.tree.nodes) for other in (game, *self.games.values()))
        for name in list(self.games):
            if len(self.games) < MAX_IN_USE and nodes <= MAX_NODES_IN_USE:
                break
            if not self.games[name].listeners:
                nodes -= len(self.games.pop(name).tree.nodes)
        if len(self.games) >= MAX_IN_USE:
            raise CommandError(f"games: expected at most {MAX_IN_USE} at the same time, got one more")
        self.games[game.name] = game

    def keep(self, game: WebGame) -> None:
        """Write a game to disk, in the background but in order."""
        record = record_of_game(game)
        self._writer.submit(self._write, game.name, record)

    def _write(self, name: str, record: Record) -> None:
        try:
            self.store.save(name, record)
            self._written[name] = self.store.path(name).stat().st_mtime
        except (OSError, TengenError) as error:
            log.error("game %s cannot be kept: %s", name, error)

    async def flush(self) -> None:
        """Return once all games are on disk."""
        await asyncio.get_running_loop().run_in_executor(self._writer, lambda: None)

    async def list_games(self) -> list[dict[str, Any]]:
        """Return all kept games, the one that was played last first."""
        await self.flush()
        return await asyncio.to_thread(self._list)

    def _list(self) -> list[dict[str, Any]]:
        listed = []
        for name in self.store.names():
            changed = self.store.path(name).stat().st_mtime
            known = self._summaries.get(name)
            if not known or known[0] != changed:
                self._summaries[name] = (changed, self._summary(name))
            listed.append(self._summaries[name][1])
        return [entry for entry in listed if entry]

    def _summary(self, name: str) -> dict[str, Any]:
        """Return what the list says about a game; empty if its file cannot be read."""
        try:
            record = sgf.read_file(self.store.path(name))
        except TengenError as error:
            log.warning("game %s: %s", name, error)
            return {}
        seats = [", ".join(filter(None, player)) for player in players(record)]
        return summary(name, record.spec, seats, len(record.turns), record.properties.get("RE", [""])[0])

    async def delete(self, name: str) -> None:
        """Delete a game.

        Raises
        ------
        CommandError
            If a page shows it, or the name is none.
        """
        if name in self.games and self.games[name].listeners:
            raise CommandError("game: expected one that is not open, got one that is")
        self.games.pop(name, None)
        await self.flush()
        await asyncio.to_thread(self.store.delete, name)

    async def close(self) -> None:
        """Stop all searches and write all games."""
        for game in self.games.values():
            game.stop_thinking()
        self.pool.close()
        await self.flush()
        self._writer.shutdown()


def _prepare(spec: GameSpec) -> None:
    """Compile or load what plays, draws and lists turns of `spec`: play a turn of each game."""
    from tengen.engine.play.challenge import begin
    from tengen.engine.play.steps import effects, stage
    from tengen.protocol.web.view import view
    from tengen.search.warmup import ensure_rules_compiled

    for each in spec.games:
        ensure_rules_compiled(each)
        position = begin(each)
        reached = stage(position)
        view(position, reached)
        while not reached.turn and reached.choices:
            reached = stage(position, (*reached.chosen, next(iter(reached.choices))))
        if reached.turn:
            effects(position, reached.turn)
            position.play(reached.turn)
