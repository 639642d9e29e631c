"""The records of games, and the new games that a page asks for."""

import base64
import contextlib
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from tengen.apps.web.game.game import WebGame, chains
from tengen.apps.web.game.seats import GameClock, Seat, Swap2
from tengen.apps.web.game.tree import GameTree
from tengen.apps.web.pool import SearchPool
from tengen.engine import sgf
from tengen.engine.errors import IllegalTurnError, NotationError, OptionError, TengenError, quoted
from tengen.engine.formats import files, renju
from tengen.engine.game import Outcome
from tengen.engine.notation import typed
from tengen.engine.play.position import Position
from tengen.engine.play.trials import join_results
from tengen.engine.sgf import Collection, Record, parse_all
from tengen.engine.sgf.encoding import decoded
from tengen.engine.sgf.record import derived_names
from tengen.engine.sgf.syntax import Notes
from tengen.engine.spec import GameSpec
from tengen.engine.storage.parsing import parse_json
from tengen.protocol.archive import PERSON, SETTINGS, KeptFile, name_players, players
from tengen.protocol.errors import CommandError
from tengen.protocol.swap2 import MIN_SIZE, supports_swap2

PLAYERS = ("PB", "PW", "BR", "WR", "RE")  # properties that are written anew
MAX_RESULT, MAX_REASON = 20, 200  # characters


def game_of_record(
    file: KeptFile, record: Record, pool: SearchPool, on_change: Callable[[WebGame], None]
) -> WebGame:
    """Return the game of a record, as `record_of_game` has written it or another program.

    Of the settings, which anybody may have written, those that make no sense are left out.
    """
    properties = dict(record.properties)
    kept = _settings(properties.pop(SETTINGS, []))
    game = WebGame(file, GameTree.of_record(record), _seats(kept, record), pool, on_change)
    written = {*PLAYERS, *derived_names(record.spec)}
    game.properties = {key: values for key, values in properties.items() if key not in written}
    with contextlib.suppress(CommandError):
        game.clock = GameClock.parse(kept.get("clock"))
    if kept.get("swap2") is True and has_swap2(record.spec, record.start):
        game.swap2 = Swap2.of_record(kept.get("choices"))
    game.ended = _ended(kept.get("ended"))
    if not kept and "RE" in properties:
        game.ended = {"result": properties["RE"][0][:MAX_RESULT], "reason": "as the record says"}
    *_, last = [game.tree.root, *game.tree.root.main_line()]
    game.cursor.go(game.tree.nodes.get(str(kept.get("current")), last))
    dead, over = kept.get("dead"), game.position.outcome() != Outcome.ONGOING
    if isinstance(dead, list) and over and record.spec.game.ends_by_agreement:
        stones = {vertex for chain in chains(game.position) for vertex in chain}
        game.dead = {vertex for vertex in map(str, dead) if vertex in stones}
    return game


def _ended(found: object) -> dict[str, str] | None:
    """Return how a game has ended, as it was kept; None if it has not, or that makes no sense."""
    if not isinstance(found, dict):
        return None
    result, reason = found.get("result"), found.get("reason")
    if not isinstance(result, str) or not isinstance(reason, str) or not 0 < len(result) <= MAX_RESULT:
        return None
    return {"result": result, "reason": reason[:MAX_REASON]}


def has_swap2(spec: GameSpec, start: str | None) -> bool:
    """Return whether a game with this start may begin with Swap2."""
    return supports_swap2(spec.game) and int(spec.values["size"]) >= MIN_SIZE and not start


def record_of_game(game: WebGame) -> Record:
    """Return the record of a game, with all that this server needs to go on with it."""
    properties = {**game.properties}
    seats = (game.seats[game.seat_of(side)] for side in (0, 1))
    name_players(properties, game.spec.game, ((seat.title, seat.rank) for seat in seats), game.result())
    kept = {
        "seats": [vars(seat) for seat in game.seats],
        "current": game.cursor.key,
        **({"clock": game.clock.report()} if game.clock else {}),
        **({"swap2": True, "choices": game.swap2.choices} if game.swap2 else {}),
        **({"ended": game.ended} if game.ended else {}),
        **({"dead": sorted(game.dead)} if game.dead is not None else {}),
    }
    return game.tree.record({**properties, SETTINGS: [json.dumps(kept)]})


def _settings(values: list[str]) -> dict[str, Any]:
    """Return what `record_of_game` has written into `SETTINGS`; empty if that is not readable."""
    try:
        found = parse_json(values[0]) if values else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _seats(kept: dict[str, Any], record: Record) -> list[Seat]:
    """Return the players as they were kept, those of a game that a person began elsewhere, or people."""
    listed = kept.get("seats")
    if isinstance(listed, list) and len(listed) == 2:
        with contextlib.suppress(CommandError):
            return [Seat.parse(each) for each in listed]
    named = list(players(record))
    if any(name == PERSON for name, _ in named):
        return [Seat.of_record(name, rank) for name, rank in named]
    return [Seat(name=name[:40]) for name, _ in named]


def new_game(
    spec: GameSpec,
    fields: Mapping[str, Any],
    file: KeptFile,
    pool: SearchPool,
    on_change: Callable[[WebGame], None],
) -> WebGame:
    """Return the game that a message asks for by seats, position, clock and swap2."""
    start = str(fields["position"])[:5000] if fields.get("position") else None
    seats = fields.get("seats") or [{"kind": PERSON}, {"kind": PERSON}]
    if not isinstance(seats, list) or len(seats) != 2:
        raise CommandError(f"seats: expected two players, got {quoted(str(seats), 80)}")
    tree = GameTree(spec, start)
    game = WebGame(file, tree, [Seat.parse(each) for each in seats], pool, on_change)
    game.clock = GameClock.parse(fields.get("clock"))
    if fields.get("swap2"):
        if not has_swap2(spec, start):
            raise OptionError(f"swap2: expected five in a row from the start, got {spec}")
        game.swap2 = Swap2()
    game.properties["DT"] = [time.strftime("%Y-%m-%d")]
    return game


def records_of_text(text: str, spec: str) -> Collection:
    """Return the records that a text names: SGF, a game spec, or a position or turns of `spec`."""
    text = text.strip()
    if text.startswith("("):
        return parse_all(text)
    return Collection([record_of_text(text, spec)])


def record_of_text(text: str, spec: str) -> Record:
    """Return the record of a game spec, or of a position or turns of `spec`.

    In five in a row columns may have the letter i, see `engine.notation`.
    """
    if not spec:
        return Record(GameSpec.parse(text))
    if text.partition(":")[0].partition(",")[0].isalpha():
        with contextlib.suppress(TengenError):
            return Record(GameSpec.parse(text))
    parsed = GameSpec.parse(spec)
    try:
        return Record(parsed, Position.parse(parsed, text).text())
    except TengenError as position_error:
        record = Record(parsed)
        if parsed.game.five_in_a_row and renju.begins(text):
            text = " ".join(map("".join, renju.TURN.findall(text)))
            if max(text.lower()) >= "i":
                with_i = typed(parsed, text).lower() != text.lower()
                how = "with the letter I, as in Renju: I" if with_i else "without the letter I: J"
                record.notes.append(f"columns are read {how} is the ninth")
        node, position = record.root, Position.start(parsed)
        try:
            for turn in join_results(typed(parsed, text).split()):
                side = position.side_to_move
                node = node.add(side, position.push(turn, side))
        except (NotationError, IllegalTurnError) as turn_error:
            if node.parent:  # so the text is meant as turns
                raise NotationError(f"turn {len(position.turns_played) + 1}: {turn_error}") from None
            raise position_error from None
        return record


def sgf_of_file(suffix: str, data: str) -> str:
    """Return the contents of a file as SGF."""
    try:
        contents = base64.b64decode(data, validate=True)
    except ValueError:
        raise CommandError("data: expected base64, got another text") from None
    if suffix not in files.FOREIGN:
        return decoded(contents, Notes())
    return sgf.write(*files.parse_data(contents, suffix))
