"""What a page is told about positions, games and searches, as JSON."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from tengen.apps.quiz import collection
from tengen.apps.web.game.game import PAUSE, WebGame
from tengen.engine import games
from tengen.engine.errors import NotationError, OptionError, quoted
from tengen.engine.game import Game, Option
from tengen.engine.notation import shown as as_shown
from tengen.engine.notation import shown_picture, typed
from tengen.engine.play.position import Position
from tengen.engine.play.steps import Stage, descriptions, effects, ending, prompts, refusal, stage
from tengen.engine.rulebook import Block, Kind, example, rulebook
from tengen.engine.sgf import Collection, Node, Record
from tengen.engine.sgf.record import winning_side
from tengen.engine.spec import GameSpec
from tengen.protocol.archive import game_reports
from tengen.protocol.errors import CommandError
from tengen.protocol.swap2 import supports_swap2
from tengen.protocol.values import score_report
from tengen.search.info import Info
from tengen.search.levels import named_levels
from tengen.tuning.theory import Theory

Reply = dict[str, Any]
Send = Callable[[Reply], None]
OF_OPTIONS = ("name", "help", "default", "usual", "low", "high", "several")  # told as they are declared
OF_GAMES = ("name", "seat", "resigned", "notice", "agreeing", "unkept")
DIGITS = 4  # of rates
KNOWN = 8  # turns of the theory that a page shows
MAX_LISTED = 1_000  # games of a record that a page lists
ENDED_BY = {"R": " by resignation", "T": " on time", "F": " by forfeit"}  # after the + of results


def describe_games() -> list[dict[str, Any]]:
    """Return all games that can be played, with their variants and options."""
    return [
        {
            "name": game.name,
            "title": game.title,
            "summary": game.summary,
            "sides": list(game.sides),
            "square": game.square,
            "levels": named_levels(game),
            "puzzles": game.name in collection.games(),
            "swap2": supports_swap2(game),
            "variants": _variants(game),
            "options": [_option(game, each) for each in game.options if not _is_of_variants(game, each)],
        }
        for game in games.known()
    ]


def _variants(game: Game) -> list[tuple[str, str]]:
    """Return the variants of a game with their names for people; the one of its defaults has an empty key."""
    defaults = GameSpec.of(game).values.items()
    keys = {name: "" if preset.items() <= defaults else name for name, preset in game.variants.items()}
    found = [(key, game.word(name)) for name, key in keys.items()]
    return found if not found or any(not key for key, _ in found) else [("", "standard"), *found]


def _is_of_variants(game: Game, option: Option) -> bool:
    """Return whether one sets an option by choosing a variant."""
    named = option.preset or isinstance(option.default, bool)
    return named and any(option.name in preset for preset in game.variants.values())


def spec_in_words(spec: GameSpec) -> str:
    """Return the variant and the options of a game, as far as they are not the defaults."""
    game, short = spec.game, spec.as_variant()
    head, *settings = str(short).split(",")
    pairs = (setting.partition("=") for setting in settings)
    words = [f"{game.word(name)} {game.word(value)}" for name, _, value in pairs]
    return ", ".join([game.word(variant) for variant in head.split(":")[1:]] + words)


def _option(game: Game, option: Option) -> dict[str, Any]:
    """Return an option for a form."""
    kind = "number" if type(option.default) in (int, float) else "text"
    contests = [*games.known(), *games.TRIALS.values()] if option.contest else []
    choices = [(each.name, each.title) for each in contests]
    return {
        **{name: getattr(option, name) for name in OF_OPTIONS},
        "title": game.word(option.name),
        "kind": "boolean" if isinstance(option.default, bool) else kind,
        "choices": choices or [(each, game.word(each)) for each in option.choices],
    }


def view_of_refusal(position: Position, chosen: Sequence[int], places: Sequence[str]) -> dict[str, Any]:
    """Return why places, pointed at after these steps, choose nothing."""
    known = {*_beside(position.game), *(place.name for place in position.draw().places)}
    named = [typed(position.spec, place) for place in places]
    if not places or not known.issuperset(named):
        raise CommandError(f"places: expected places of the board, got {quoted(' '.join(places)[:60])}")
    return {"reason": as_shown(position.spec, refusal(position, stage(position, chosen).state, named))}


def view_of_theory(node: str, position: Position) -> dict[str, Any]:
    """Return what the theory that ships with a game knows of the position of a node."""
    try:
        known = Theory.shipped(position.spec).turns(position, KNOWN)
    except OptionError:
        known = []
    lines = [
        {
            "rate": each.rate,
            "positions": each.positions,
            "pv": as_shown(position.spec, [each.turn, *each.line]),
        }
        for each in known
    ]
    return {"node": node, "side": position.side_to_move, "lines": lines}


def view(position: Position, reached: Stage, dead: Sequence[str] | None = None) -> dict[str, Any]:
    """Return a position as a page shows it, and what can be chosen next; at the end with `dead` stones."""
    shown = position.current
    game, picture = shown.spec.game, shown.spec.game.picture
    drawn = picture.draw(reached.state) if dead is None else picture.draw_counted(shown.state, dead)
    drawn = drawn.without_caption()
    behind = {}
    if shown is not position:
        behind["behind"] = position.spec.game.picture.draw(position.state).without_caption().to_svg()
    found = {
        "svg": shown_picture(position.spec, drawn).to_svg(),
        "title": game.title,
        "prompts": prompts(position, reached.state),
        "contents": descriptions(game, reached.state, [place.name for place in drawn.places]),
        "choices": [
            {name: each for name, each in {"action": action, **vars(choice)}.items() if each is not None}
            for action, choice in reached.choices.items()
        ],
        "beside": _beside(game),
        "chosen": list(reached.chosen),
        "side": position.side_to_move,
        "explanation": position.explanation(),
        **behind,
    }
    return as_shown(position.spec, found)


def _beside(game: Game) -> dict[str, str]:
    """Return what steps of a turn name beside the board, in words."""
    return getattr(game.module("steps"), "NAMES_BESIDE", {}) if game.offers("steps") else {}


def view_of_effects(before: Position, node: Node) -> dict[str, Any]:
    """Return what the turn of `node` has done, played in the position before it."""
    done = {"turn": node.turn, **vars(effects(before.resumed(), node.turn or ""))}
    return {**as_shown(before.spec, done), "side": node.side and node.side.number}


def view_of_game(game: WebGame) -> dict[str, Any]:
    """Return what a page is told about a game, whatever position it looks at."""
    position, spec = game.position, game.spec
    agreeing = game.agreeing
    return {
        **{name: getattr(game, name) for name in OF_GAMES},
        "spec": str(spec.as_variant()),
        "kind": spec.game.name,
        "title": spec.game.title,
        "sides": list(spec.game.sides),
        "seats": [vars(seat) for seat in game.seats],
        "order": [game.seat_of(side) for side in (0, 1)],
        "clock": game.clock.report() if game.clock else None,
        "current": game.cursor.key,
        "side": position.side_to_move,
        "over": game.over and not agreeing,
        **as_shown(spec, _view_of_end(game)),
        "offeredLevel": game.offered_level,
        "start": game.tree.start,
        "swap2": game.swap2 is not None,
        "toPut": game.swap2.stones_to_put(position.ply) if game.swap2 else 0,
        "swapped": game.swap2 is not None and game.swap2.just_decided(position.ply),
        "thinking": game.thinking is not None,
        "paused": game.pausing == PAUSE,
        "question": list(game.swap2_question),
        "awaitsResult": position.awaits_result,
        "dead": game.dead_stones() if agreeing else [],
        "count": verdict(spec.game, game.counted_result()) if agreeing else "",
        "tree": game.tree.version,
        "copiedFrom": game.copied_from,
    }


def _view_of_end(game: WebGame) -> dict[str, Any]:
    """Return who has won a game and why, in a sentence, and the places of what has won."""
    if not game.over or game.agreeing:
        return {"ending": "", "won": []}
    said, why = verdict(game.spec.game, game.result()), ""
    places: Sequence[str] = ()
    if game.position.is_over() and not game.playing_on:
        dead = game.dead_stones() if game.spec.game.ends_by_agreement else ()
        why, places = ending(game.position, dead)
    elif game.ended and not said.endswith(tuple(ENDED_BY.values())):
        why = game.ended["reason"]
    return {"ending": f"{': '.join(filter(None, (said, why)))}.", "won": list(places)}


def verdict(game: Game, result: str) -> str:
    """Return a result as SGF has it in words."""
    side, how = winning_side(game, result), result.partition("+")[2]
    if side is None:
        return {"0": "A draw", "Draw": "A draw"}.get(result, result)
    winner = game.titles[side]
    points = f" by {how}" if game.ends_by_agreement and how else ""
    return f"{winner[:1].upper()}{winner[1:]} wins{ENDED_BY.get(how[:1], points)}"


def view_of_tree(game: WebGame) -> list[list[Any]]:
    """Return the nodes of a game's tree, parents first: key, parent's key, turn, side, comment."""
    keys = game.tree.keys
    return [
        [
            keys[node],
            keys[node.parent] if node.parent else "",
            as_shown(game.spec, node.turn or ""),
            int(node.side or 0),
            node.comment,
        ]
        for node in game.tree.root
    ]


def view_of_info(info: Info, scale: float) -> dict[str, Any]:
    """Return a line of play for the side to move."""
    return {
        "rank": info.rank,
        "depth": info.depth,
        "rate": round(info.win_rate(scale), DIGITS),
        "score": score_report(info.score),
        "text": str(info.score),
        "pv": list(info.pv[:20]),
        "nodes": info.nodes,
        "seconds": round(info.seconds, 2),
        **({"visits": info.visits} if info.visits is not None else {}),
        **({"lead": round(info.lead, 1)} if info.lead is not None else {}),
        **({"ownership": [round(owner, 2) for owner in info.ownership]} if info.ownership else {}),
    }


def view_of_record(record: Record, listed: Collection) -> dict[str, Any]:
    """Return the last position of a record that can be played, what is left out, and all games."""
    legal, fault = record.legal_line()
    if not legal:
        raise NotationError(fault)
    *_, (_, position) = record.walk(legal)
    middle = len(record.opening_line()) < sum(bool(node.colour) for node in legal)
    left = "what follows a position set up in the middle is left out" if middle else ""
    said = [*record.notes, *filter(None, [record.assumption.partition(" (")[0], fault, left])]
    return {
        **view(position, stage(position)),
        "notes": as_shown(record.spec, said),
        "games": list(islice(game_reports(listed), MAX_LISTED)) if len(listed) > 1 else [],
    }


def rules_of(name: str, language: str) -> dict[str, Any]:
    """Return the rules of a game in a language: sections of blocks, with their boards drawn."""
    book = rulebook(games.find(name), language)
    sections = [
        {"heading": section.heading, "blocks": [_block(block) for block in section.blocks]}
        for section in book.sections
    ]
    return {"title": book.title, "sections": sections}


def _block(block: Block) -> dict[str, Any]:
    """Return a block for the page."""
    if block.kind == Kind.TURNS:
        return {**block.report(), "turns": [turn.report() for turn in example(block)]}
    if block.kind != Kind.BOARD:
        return block.report()
    position = Position(block.spec, block.position or None)
    return {**block.report(), "svg": shown_picture(position.spec, position.draw()).to_svg()}
