"""All games of a server: those in use, and the folder in which all are kept, see `archive.KeptFile`."""

import asyncio
import re
import secrets
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

from tengen.apps.web.game.game import WebGame
from tengen.apps.web.game.records import game_of_record, new_game, record_of_game
from tengen.apps.web.pool import SearchPool, call_if_open
from tengen.apps.web.view import spec_in_words, verdict, view
from tengen.engine import sgf
from tengen.engine.debug import log
from tengen.engine.errors import TengenError, printable, quoted
from tengen.engine.play.position import Position
from tengen.engine.play.steps import effects, stage
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tengen.protocol.archive import (
    DATED,
    REVIEW_JOURNALS,
    REVIEWED,
    SUFFIX,
    KeptFile,
    changed_at,
    paths,
    players,
)
from tengen.protocol.errors import CommandError

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?")
REVIEW_SUFFIX = REVIEW_JOURNALS[1]
MAX_GAMES = 10_000  # listed
MAX_IN_USE = 200  # games in memory; those that no page shows are dropped first
MAX_NODES_IN_USE = 100_000  # of all these games together, as far as no page shows them
RETRY = 5.0  # seconds until games that could not be written are tried again


class Hub:
    """The games of a server."""

    def __init__(self, folder: Path, pool: SearchPool) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.pool = pool
        self.games: dict[str, WebGame] = {}
        self._ready: dict[str, asyncio.Task[None]] = {}  # by spec
        self._writer = ThreadPoolExecutor(1, "tengen writer")
        self._unwritten: dict[WebGame, Record] = {}  # what is not on disk yet
        self._retry: asyncio.TimerHandle | None = None
        self._summary = lru_cache(2 * MAX_GAMES)(self._summarize)

    def path(self, name: str, suffix: str = SUFFIX) -> Path:
        """Return the file of a game; no name leads out of the folder."""
        if not NAME.fullmatch(name):
            raise CommandError(f"game: expected a name of letters, digits and hyphens, got {quoted(name)}")
        return self.folder / f"{name}{suffix}"

    def _new(self, spec: GameSpec) -> KeptFile:
        """Return the file of a new game, which is not there yet."""
        return KeptFile(self.path(f"{time.strftime(DATED)}-{spec.game.name}-{secrets.token_hex(3)}"))

    def _load(self, name: str) -> tuple[KeptFile, Record]:
        """Return the file of a game, and its record."""
        path = self.path(name)
        if not path.is_file():
            raise CommandError(f"game: expected one that is kept, got {quoted(name)}")
        file = KeptFile(path)  # before it is read: what comes later is somebody else's
        try:
            return file, sgf.read_file(path)
        except TengenError as error:
            raise CommandError(f"game {name}: {error}") from error

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

    async def create(self, fields: Mapping[str, Any]) -> WebGame:
        """Return a new game as a message asks for it."""
        spec = GameSpec.parse(str(fields.get("spec", ""))[:500])
        await self.prepare(spec)
        return await self._add(new_game(spec, fields, self._new(spec), self.pool, self.keep))

    async def take(self, record: Record) -> WebGame:
        """Return a new game made from a record."""
        await self.prepare(record.spec)
        file = self._new(record.spec)
        return await self._add(await asyncio.to_thread(game_of_record, file, record, self.pool, self.keep))

    async def _add(self, game: WebGame) -> WebGame:
        """Return a new game, which is in use from now on."""
        await self._make_room(game)
        self.games[game.name] = game
        game.changed()
        return game

    async def find(self, name: str) -> WebGame:
        """Return a game in use, or one from the store.

        What somebody else has made of a game that no page shows, such as ``tengen play``, is read first; if
        that is no game any more, the one in memory counts.
        """
        known = self.games.get(name)
        await self.flush()  # it may have been dropped a moment ago
        if known and (known.listeners or known in self._unwritten):
            return known
        if known and not await asyncio.to_thread(lambda: known.file.has_changed):
            return known
        try:
            file, record = await asyncio.to_thread(self._load, name)
            await self.prepare(record.spec)
            game = await asyncio.to_thread(game_of_record, file, record, self.pool, self.keep)
            if left := game.tree.left_out:  # it would be lost when the game is kept
                found = f"{left:,} that cannot be played, or after a position set up in the middle"
                raise CommandError(f"game {name}: expected a record without such nodes, got {found}")
            await self._make_room(game)
        except TengenError:
            if known:
                return known
            raise
        if self.games.get(name, known) is known and not (known and known.listeners):  # nobody was faster
            self.games[name] = game
        return self.games[name]

    async def _make_room(self, game: WebGame) -> None:
        """Drop others, which are kept and not shown, if there is no room in memory for a game."""
        nodes = sum(len(other.tree.nodes) for other in (game, *self.games.values()))
        if len(self.games) >= MAX_IN_USE or nodes > MAX_NODES_IN_USE:
            await self.flush()
        for name in list(self.games):
            if len(self.games) < MAX_IN_USE and nodes <= MAX_NODES_IN_USE:
                break
            if not self.games[name].listeners and self.games[name] not in self._unwritten:
                nodes -= len(self.games.pop(name).tree.nodes)
        if len(self.games) >= MAX_IN_USE:
            raise CommandError(f"games: expected at most {MAX_IN_USE} at the same time, got one more")

    def keep(self, game: WebGame) -> None:
        """Write a game to disk, in the background but in order."""
        needed = bool(game.listeners) or game in self._unwritten  # otherwise its clock was stopped
        record = self._unwritten[game] = record_of_game(game)
        self._writer.submit(self._write, game, record, needed, asyncio.get_running_loop())

    def _write(self, game: WebGame, record: Record, needed: bool, loop: asyncio.AbstractEventLoop) -> None:
        """Write a game, in the thread that writes; if it is not needed, only where nobody else has."""
        reason = ""
        try:
            if needed or not game.file.has_changed:
                game.file.write(sgf.write(record).encode())
        except OSError as error:
            reason = printable(error.strerror or str(error))
        except TengenError as error:
            reason = str(error)
        call_if_open(loop, self._on_written, game, record, reason)

    def _on_written(self, game: WebGame, record: Record, reason: str) -> None:
        """Tell the pages what has changed about how a game is kept, and try again what has failed."""
        before = game.name, game.unkept
        if reason and reason != game.unkept:
            log.error("game %s cannot be kept: %s", game.name, reason)
        if not reason and self._unwritten.get(game) is record:
            del self._unwritten[game]
        if game.file.path.stem != game.name:
            was_here = self.games.get(game.name) is game and self.games.pop(game.name)
            game.copied_from, game.name = game.name, game.file.path.stem
            if was_here:
                self.games[game.name] = game
        game.unkept = reason
        if reason and self._retry is None:
            self._retry = asyncio.get_running_loop().call_later(RETRY, self._write_again)
        if (game.name, game.unkept) != before:
            game.notify()

    def _write_again(self) -> None:
        """Try to write the games that could not be written."""
        if self._retry:
            self._retry.cancel()
        self._retry = None
        for game in list(self._unwritten):
            self.keep(game)

    async def flush(self) -> None:
        """Return once all games are on disk."""
        await asyncio.get_running_loop().run_in_executor(self._writer, lambda: None)

    async def list_games(self, most: int = MAX_GAMES) -> list[dict[str, Any]]:
        """Return so many kept games at most, the one that was played last first."""
        await self.flush()
        return await asyncio.to_thread(self._list, most)

    def _list(self, most: int) -> list[dict[str, Any]]:
        names = [path.stem for path in paths(self.folder) if NAME.fullmatch(path.stem)]
        listed = (self._summary(name, changed_at(self.path(name))) for name in names[:most])
        return [entry for entry in listed if entry]

    def _summarize(self, name: str, changed: int) -> dict[str, Any]:
        """Return what the list says about a game as it was `changed`; empty if its file cannot be read."""
        try:
            record = sgf.read_file(self.path(name))
        except TengenError as error:
            log.warning("game %s: %s", name, error)
            return {}
        seats = [", ".join(filter(None, player)) for player in players(record)]
        return {
            "name": name,
            "details": spec_in_words(record.spec),
            "title": record.spec.game.title,
            "seats": seats,
            "turns": len(record.turns),
            "result": verdict(record.spec.game, record.properties.get("RE", [""])[0]),
        }

    async def delete(self, name: str) -> None:
        """Delete a game and its reviews."""
        if name in self.games and self.games[name].listeners:
            raise CommandError("game: it is open and cannot be deleted")
        game = self.games.pop(name, None)
        await self.flush()
        if game:
            self._unwritten.pop(game, None)
        for suffix in (SUFFIX, REVIEW_SUFFIX, REVIEWED):
            path = self.path(name, suffix)
            try:
                await asyncio.to_thread(path.unlink, missing_ok=True)
            except OSError as error:
                raise CommandError(f"game: {quoted(path.name)}: {error.strerror}") from None

    async def close(self) -> None:
        """Stop all searches and write all games."""
        for game in self.games.values():
            game.stop_thinking()
        self.pool.close()
        self._write_again()
        await self.flush()
        if self._retry:
            self._retry.cancel()
        self._writer.shutdown()


def _prepare(spec: GameSpec) -> None:
    """Compile or load what plays, draws and lists turns of `spec`: play a turn of each game."""
    from tengen.search.warmup import ensure_rules_compiled

    for each in spec.games:
        ensure_rules_compiled(each)
        position = Position(each)
        reached = stage(position)
        view(position, reached)
        while not reached.turn and reached.choices:
            reached = stage(position, (*reached.chosen, next(iter(reached.choices))))
        if reached.turn:
            effects(position, reached.turn)
            position.push(reached.turn)
