"""A page of a browser: the game that it shows, its commands, and its analysis."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from tengen.apps.language import known_language
from tengen.apps.lessons import lessons
from tengen.apps.web.analysis import MAX_LINES, MAX_SECONDS, LiveAnalysis, is_settled
from tengen.apps.web.game.game import ONE_TURN, PAUSE, WebGame
from tengen.apps.web.game.records import new_game, record_of_game, records_of_text, sgf_of_file
from tengen.apps.web.game.seats import Seat
from tengen.apps.web.game.setup import setup_view
from tengen.apps.web.game.tree import Cursor
from tengen.apps.web.hub import MAX_GAMES as MAX_LISTED
from tengen.apps.web.hub import REVIEW_SUFFIX, Hub
from tengen.apps.web.puzzles import AskedPuzzle
from tengen.apps.web.reviews import MAX_NODES, MIN_NODES, GameReview, reviewed_nodes
from tengen.apps.web.view import (
    Reply,
    Send,
    describe_games,
    rules_of,
    view,
    view_of_effects,
    view_of_game,
    view_of_record,
    view_of_refusal,
    view_of_theory,
    view_of_tree,
)
from tengen.engine import games, sgf
from tengen.engine.debug import internal_error, log
from tengen.engine.errors import TengenError, nearest, quoted
from tengen.engine.notation import shown, typed
from tengen.engine.play.steps import stage
from tengen.engine.sgf import Node
from tengen.engine.spec import GameSpec
from tengen.engine.storage.parsing import require_json_characters
from tengen.protocol.archive import PERSON, KeptFile
from tengen.protocol.errors import CommandError
from tengen.protocol.fields import MAX_COUNT, Fields
from tengen.search.limits.limit import MAX_LEVEL, Limit

MAX_GAMES = 1_000_000  # of a record
MAX_LENGTH = 100  # of a list: steps of a turn, turns of a line


class Tab:
    """A page."""

    def __init__(self, hub: Hub, send: Send) -> None:
        self._hub = hub
        self._send = send
        self._game: WebGame | None = None
        self._cursor: Cursor | None = None
        self._follows = True  # whether it shows the position that is being played
        self._tree_sent: tuple[str, int] = ("", -1)
        self._analysis = LiveAnalysis(hub.pool, send)
        self._review: GameReview | None = None
        self._puzzle: AskedPuzzle | None = None

    # --------------------------------------------------------------------------------------------- commands

    async def execute(self, message: Fields) -> Reply:
        """Execute a command and return its reply; if that fails, nothing is changed."""
        word = message.values.get("do")
        command = COMMANDS.get(word) if isinstance(word, str) else None
        if command is None:
            meant = nearest(str(word)[:40], COMMANDS)
            raise CommandError(
                f"command: expected one of {', '.join(COMMANDS)}, got {quoted(str(word))}{meant}"
            )
        return await command(self, message) or {}

    async def answer(self, message: object) -> Reply:
        """Return the reply to a message, also to one that cannot be executed."""
        number = message.get("id") if isinstance(message, dict) else None
        head: Reply = {"id": number} if type(number) is int else {}
        try:
            if not isinstance(message, dict):
                raise CommandError(f"message: expected an object with do, got {quoted(str(message)[:60])}")
            require_json_characters(message)
            return {**head, "ok": await self.execute(Fields(message))}
        except TengenError as error:
            return {**head, "error": self._said(message, str(error))}
        except Exception as error:  # a bug must not end the connection
            log.error("command %s: %s", str(message)[:80], internal_error(error))
            return {**head, "error": internal_error(error)}

    def _said(self, message: object, error: str) -> str:
        """Return what went wrong with a message, in the notation of the game that it is about."""
        named = message.get("spec") if isinstance(message, dict) else None
        try:
            spec = GameSpec.parse(str(named)) if named or not self._game else self._game.spec
        except TengenError:
            return error
        return shown(spec, error)

    async def hello(self, message: Fields) -> Reply:
        """Introduce the server."""
        pool = self._hub.pool
        found = {"games": describe_games(), "levels": MAX_LEVEL, "threads": pool.threads}
        return {**found, "players": list(pool.opponents)}

    async def games(self, message: Fields) -> Reply:
        """List the games that are kept."""
        most = message.integer("most", 1, MAX_LISTED) or MAX_LISTED
        return {"games": await self._hub.list_games(most)}

    async def new(self, message: Fields) -> Reply:
        """Start a game."""
        return {"game": (await self._hub.create(message.values)).name}

    async def load(self, message: Fields) -> Reply:
        """Start a game from a text: a record, of several one by number, a spec, or a position of a spec."""
        record = (await self._records(message)).number(message.integer("number", 1, MAX_GAMES) or 1)
        return {"game": (await self._hub.take(record)).name}

    async def preview(self, message: Fields) -> Reply:
        """Return the drawing of the position to which a text leads, as `load` reads it, and what was guessed.

        Of a text with several games it also returns a list of them.
        """
        listed = await self._records(message)
        record = listed.number(message.integer("number", 1, MAX_GAMES) or 1)
        await self._hub.prepare(record.spec)
        return await asyncio.to_thread(view_of_record, record, listed)

    async def file(self, message: Fields) -> Reply:
        """Return the contents of a file, in base64, as SGF, whatever its format and its encoding."""
        name, data = message.required_text("name"), message.required_text("data")
        return {"text": await asyncio.to_thread(sgf_of_file, Path(name).suffix.lower(), data)}

    async def _records(self, message: Fields) -> sgf.Collection:
        """Return the records of a message."""
        text, spec = message.required_text("text"), message.text("spec") or ""
        return await asyncio.to_thread(records_of_text, text, spec)

    async def setup(self, message: Fields) -> Reply:
        """Change a position that is being set up, legal or not; return its text and its drawing."""
        spec = GameSpec.parse(message.required_text("spec")[:500])
        await self._hub.prepare(spec)
        return setup_view(spec, (message.text("position") or "")[:5000], message.values.get("edit"))

    async def delete(self, message: Fields) -> None:
        """Delete a kept game."""
        await self._hub.delete(message.required_text("game"))

    async def open(self, message: Fields) -> Reply:
        """Show a game, at a position or at the one that is being played."""
        game = await self._hub.find(message.required_text("game"))
        wanted = message.values.get("node")
        self._show(game, game.tree.nodes.get(str(wanted), game.node) if wanted else game.node)
        self._review_on(game)
        return {"game": game.name}

    async def lesson(self, message: Fields) -> Reply:
        """Show a lesson of a game, by number from 0, in a game that is not kept."""
        kind = games.find(message.required_text("kind"))
        await self._hub.prepare(GameSpec.of(kind))
        found = await asyncio.to_thread(lessons, kind, known_language(message.text("language")))
        number = message.integer("number", 0, len(found) - 1) or 0
        spec, position = GameSpec.parse(found[number].spec), found[number].position
        await self._show_unkept(f"lesson-{kind.name}-{number + 1}", spec, position)
        return {"count": len(found), **found[number].report()}

    async def puzzle(self, message: Fields) -> Reply:
        """Show a puzzle of the collection, in a game that is not kept."""
        puzzle = await asyncio.to_thread(AskedPuzzle, message)  # which reads files
        task = message.values.get("task")
        name = f"{'task' if task else 'puzzle'}-{puzzle.spec.game.name}-{task or puzzle.problem.number}"
        await self._show_unkept(name, puzzle.spec, puzzle.problem.position().text())
        self._puzzle = puzzle
        return await asyncio.to_thread(puzzle.report)

    async def guess(self, message: Fields) -> Reply:
        """Judge an answer to the puzzle shown, and play on if it is right; an empty one asks to be told."""
        if self._puzzle is None:
            raise CommandError("no puzzle is shown")
        position, turn = self._open()[1].position, message.required_text("turn")
        played, report = await asyncio.to_thread(self._puzzle.judge, position, turn)  # it waits for a lock
        if played:
            self._try(played)
        return report

    async def _show_unkept(self, name: str, spec: GameSpec, position: str) -> None:
        """Show a game that begins with a position and is not kept."""
        await self._hub.prepare(spec)
        file = KeptFile(self._hub.path(name))
        game = new_game(spec, {"position": position}, file, self._hub.pool, lambda game: None)
        self._show(game, game.node)

    def _show(self, game: WebGame, node: Node) -> None:
        """Show a game at a position."""
        self.leave()
        self._game, self._cursor = game, Cursor(game.tree)
        self._follows = node is game.node
        self._cursor.go(node)
        game.attend(self.update)
        self._tree_sent = ("", -1)
        self.update()

    async def close(self, message: Fields) -> None:
        """Show no game any more."""
        self.leave()

    async def go(self, message: Fields) -> None:
        """Show another position: a node, or so many turns on or back."""
        game, cursor = self._open()
        by = message.values.get("by")
        if type(by) is int:
            node = cursor.node
            for _ in range(min(abs(by), 10_000)):  # at most to the ends of the line
                node = (node.parent if by < 0 else node.next) or node
        elif (key := str(message.values.get("node"))) in game.tree.nodes:
            node = game.tree.nodes[key]
        else:
            raise CommandError(f"node: expected one of the game, got {quoted(key)}")
        cursor.go(node)
        self._follows = node is game.node
        self.update()

    async def step(self, message: Fields) -> Reply:
        """Put a turn together; once it is complete, play it or add it to the variations."""
        game, cursor = self._open()
        actions = self._actions(message)
        playing = not message.values.get("free") and not message.values.get("dry")
        if playing:
            self._require_turn(game, cursor)
        position = cursor.position.resumed() if playing and game.playing_on else cursor.position
        reached = stage(position, actions)
        if not reached.turn:
            return view(position, reached)
        if playing:
            game.play(reached.turn)
        elif not message.values.get("dry"):
            self._try([reached.turn])
        return {"turn": shown(position.spec, reached.turn)}

    def _actions(self, message: Fields) -> list[int]:
        """Return the steps of a message about the position shown."""
        actions = message.integers("actions", -MAX_COUNT, MAX_COUNT, MAX_LENGTH) or []
        if message.values.get("node") != self._open()[1].key:
            raise CommandError("the position has changed")
        return actions

    async def why(self, message: Fields) -> Reply:
        """Say why places, pointed at one after another, choose nothing."""
        game, cursor = self._open()
        places = message.texts("places", MAX_LENGTH) or []
        live = cursor.node is game.node and game.playing_on
        position = cursor.position.resumed() if live else cursor.position
        return view_of_refusal(position, self._actions(message), places)

    def _require_turn(self, game: WebGame, cursor: Cursor) -> None:
        """Raise CommandError unless a person may play in the position shown."""
        if cursor.node is not game.node:
            raise CommandError("this is an earlier position: go to the last one to play, or analyse")
        if game.over:
            raise CommandError("the game is over")
        if game.seats[game.seat].kind != PERSON and not game.position.awaits_result:
            raise CommandError("it is the engine's turn")

    def _try(self, turns: list[str]) -> None:
        """Add a line after the position shown to the variations, and show its end."""
        game, cursor = self._open()
        position, node = cursor.position.copy(), cursor.node
        for turn in (typed(position.spec, turn) for turn in turns):
            side = position.side_to_move
            node = game.tree.add(node, side, position.push(turn, side))
        cursor.go(node)
        self._follows = cursor.node is game.node
        game.keep()
        self.update()

    async def walk(self, message: Fields) -> None:
        """Add a line of turns to the variations and show its end."""
        turns = message.texts("turns", MAX_LENGTH)
        if not turns:
            message.reject("turns", "a list of turns")
        self._try([turn[:200] for turn in turns])

    async def prune(self, message: Fields) -> None:
        """Remove the position shown and all after it, if it belongs to a variation only."""
        game, cursor = self._open()
        node = cursor.node
        if node is game.node or node in game.node.path() or not node.parent:
            raise CommandError("the turns that were played stay")
        cursor.go(node.parent)
        self._follows = cursor.node is game.node
        game.prune(node)

    async def undo(self, message: Fields) -> None:
        """Take back the last turn."""
        self._playing().undo()

    async def redo(self, message: Fields) -> None:
        """Play again what was taken back."""
        self._playing().redo()

    def _playing(self) -> WebGame:
        """Return the game, and show the position that is played from now on."""
        game, _ = self._open()
        self._follows = True
        return game

    async def resign(self, message: Fields) -> None:
        """Let the side of a person resign: the one to move, or the only one that a person plays."""
        game, _ = self._open()
        people = [side for side in (0, 1) if game.seats[game.seat_of(side)].kind == PERSON]
        if not people:
            raise CommandError("the engine plays both sides")
        mover = game.position.side_to_move
        game.resign(mover if mover in people else people[0])

    async def seat(self, message: Fields) -> None:
        """Let someone else play a seat."""
        game, _ = self._open()
        number = message.integer("seat", 0, 1)
        if number is None:
            message.reject("seat", "0 or 1")
        game.seat_player(number, Seat.parse(message.values.get("player")))

    async def pause(self, message: Fields) -> None:
        """Let engines that play each other wait, play one turn, or go on."""
        how = message.text("how") or ""
        if how not in ("", PAUSE, ONE_TURN):
            raise CommandError(f"how: expected {PAUSE}, {ONE_TURN} or nothing, got {quoted(how)}")
        self._playing().pause(how)

    async def choose(self, message: Fields) -> None:
        """Answer a question of Swap2."""
        game, _ = self._open()
        if game.seats[game.seat].kind != PERSON:
            raise CommandError("it is the engine's choice")
        game.choose(message.required_text("choice"))

    async def dead(self, message: Fields) -> None:
        """Call a chain dead, or alive again."""
        self._open()[0].toggle_dead(message.required_text("vertex"))

    async def accept(self, message: Fields) -> None:
        """Agree on the dead stones."""
        self._open()[0].accept()

    async def resume(self, message: Fields) -> None:
        """Go on after two passes."""
        self._playing().play_on()

    async def export(self, message: Fields) -> Reply:
        """Return the record of the game, and the position shown."""
        game, cursor = self._open()
        return {
            "sgf": sgf.write(record_of_game(game)),
            "position": cursor.position.text(),
            "spec": str(game.spec.as_variant()),
        }

    async def rules(self, message: Fields) -> Reply:
        """Return the rules of a game."""
        kind, language = message.required_text("kind"), message.text("language")
        return await asyncio.to_thread(rules_of, kind, known_language(language))

    # --------------------------------------------------------------------------------------------- the view

    def _open(self) -> tuple[WebGame, Cursor]:
        """Return the game that is shown, and where."""
        if self._game is None or self._cursor is None:
            raise CommandError("no game is open")
        return self._game, self._cursor

    def update(self) -> None:
        """Send the game and the position shown."""
        game, cursor = self._open()
        if self._follows or cursor.node not in game.tree.keys:
            moved_from = cursor.node
            cursor.go(game.node)
            self._follows = True
            if cursor.node is not moved_from:
                self._analysis.follow(cursor)
        elif self._analysis.node is not cursor.node:
            self._analysis.follow(cursor)
        self._send({"event": "state", "game": view_of_game(game), "position": self._view(game, cursor)})
        if self._tree_sent != (game.name, game.tree.version):
            self._tree_sent = (game.name, game.tree.version)
            self._send({"event": "tree", "nodes": view_of_tree(game)})

    def _view(self, game: WebGame, cursor: Cursor) -> Reply:
        position, node = cursor.position, cursor.node
        live = node is game.node
        counted = live and (game.agreeing or (game.ended and game.dead is not None))
        shown = position.resumed() if live and game.playing_on else position
        last: Reply = {}
        if node.parent:
            before = position.copy()
            before.pop()
            announced = position.awaits_answer and not position.in_trial
            last = {"last": {**view_of_effects(before, node), "announced": announced}}
        return {
            "node": cursor.key,
            "live": live,
            "settled": is_settled(position),
            **view(shown, stage(shown), game.dead_stones() if counted else None),
            **last,
        }

    def leave(self) -> None:
        """Show no game, and stop all that was done for it."""
        self._analysis.stop()
        if self._review:
            self._review.stop()
            self._review = None
        self._puzzle = None
        game, self._game, self._cursor = self._game, None, None
        if game:
            game.leave(self.update)

    # ------------------------------------------------------------------------------------------- the engine

    async def analyse(self, message: Fields) -> None:
        """Search the position shown, and every other one that will be, or stop doing so."""
        _, cursor = self._open()
        if not message.values.get("on"):
            self._analysis.end()
            return
        lines = message.integer("lines", 1, MAX_LINES) or 3
        threads = message.integer("threads", 1, self._hub.pool.threads) or 1
        self._analysis.begin(lines, threads, message.integer("seconds", 1, MAX_SECONDS) or 60, cursor)

    async def theory(self, message: Fields) -> Reply:
        """Return what the theory that ships with the game knows of the position shown."""
        _, cursor = self._open()
        return await asyncio.to_thread(view_of_theory, cursor.key, cursor.position.copy())

    async def hint(self, message: Fields) -> None:
        """Show what the engine would play."""
        self._analysis.find_hint(self._open()[1])

    # ------------------------------------------------------------------------------------------- the review

    async def review(self, message: Fields) -> None:
        """Begin the review of the main line, or stop it."""
        game, _ = self._open()
        if self._review:
            self._review.stop()
        if message.values.get("stop"):
            return
        self._review_on(game, message.integer("nodes", MIN_NODES, MAX_NODES) or 20_000)

    def _review_on(self, game: WebGame, nodes: int | None = None) -> None:
        """Review a game, or go on with its review, if there is one, and show it."""
        record, path = record_of_game(game), self._hub.path(game.name, REVIEW_SUFFIX)
        if nodes := nodes or reviewed_nodes(path, record):
            self._review = GameReview(record, Limit(nodes=nodes), path, self._send_review)
            self._review.start(self._hub.pool)
            self._send_review()

    def _send_review(self) -> None:
        if self._review:
            self._send({"event": "review", **self._review.report()})

    async def solve(self, message: Fields) -> Reply:
        """Judge an answer to a puzzle: a turn in the position after a number of turns of the main line."""
        number = message.integer("number", 0, MAX_COUNT)
        if self._review is None or number is None:
            raise CommandError("no mistake of a review is shown")
        return await self._review.judge(number, message.required_text("turn"), self._hub.pool)


COMMANDS: dict[str, Callable[[Tab, Fields], Awaitable[Reply | None]]] = {
    name: getattr(Tab, name)
    for name in (
        "hello", "games", "new", "load", "preview", "file", "setup", "delete", "open", "close", "go", "step",
        "lesson", "puzzle", "guess", "pause", "why", "walk", "prune", "undo", "redo", "resign", "seat",
        "choose", "dead", "accept", "resume", "export", "rules", "analyse", "theory", "hint", "review",
        "solve",
    )
}  # fmt: skip
