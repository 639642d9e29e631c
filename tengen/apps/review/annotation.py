"""A review as annotations of its record: comments, values, marks of mistakes, and better turns.

All are properties of FF[4]: ``C`` has the win rate in words, ``V`` Black's lead if it is known, ``DO`` and
``BM`` mark mistakes, ``MA`` and ``TR`` the points of a mistake and of the better turn, ``GB`` and ``GW``
proven wins; variations show better turns, which have ``TE``. The annotations of the record itself are kept.
``SBKV`` is Black's win rate in per cent, which Sabaki draws as a graph.
"""

from collections.abc import Iterable, Iterator, Sequence

from tengen import __version__
from tengen.apps.review.assessment import (
    Assessment,
    JudgedMove,
    Review,
    ReviewedVariation,
    ReviewPosition,
    summarize,
    value_for,
)
from tengen.apps.review.reasons import reasons
from tengen.engine.errors import TengenError
from tengen.engine.game import Game, Outcome
from tengen.engine.play.position import Position
from tengen.engine.sgf import Node, Properties, Record
from tengen.engine.sgf.node import format_turn

SGF_MARKS: dict[str, Properties] = {"?!": {"DO": [""]}, "?": {"BM": ["1"]}, "??": {"BM": ["2"], "HO": ["1"]}}
SGF_JUDGEMENTS = {"BM", "DO", "IT", "TE"}  # a node has at most one of them
SGF_VALUES = {"DM", "GB", "GW", "UC"}  # likewise
SGF_MARKUP = {"CR", "DD", "MA", "SL", "SQ", "TR"}  # marks on points
MAX_PV_MOVES = 12  # shown of a line
FIRST_SIDE = 0  # comments and tables show values for this side


def annotated(record: Record, review: Review, variations: Sequence[ReviewedVariation] = ()) -> Record:
    """Return a copy of `record` with the results of `review`, and of the reviews of its variations."""
    made = record.copy()
    twins = dict(zip(record.root, made.root, strict=True))
    root = made.root
    start = _values(review, review.positions[0], review.assessments[0])
    root.properties |= {name: values for name, values in start.items() if name not in root.properties}
    root.comment = _joined(root.comment, overview(review))
    _annotate(root.main_line(), review)
    for each in variations:
        first = twins[each.source]
        _annotate([first, *first.main_line()], each.review)
    return made


def _annotate(line: Iterable[Node], review: Review) -> None:
    """Add the results of its review to a line, and beside mistakes the lines that were better."""
    turns = [node for node in line if node.colour]
    for node, move in zip(turns, review.moves, strict=False):
        node.properties = _details(node.properties, review, move)
        node.comment = _joined(node.comment, comment(review, move))
        parent = node.parent
        better = [(side, turn) for side, turn, _ in better_line(move, MAX_PV_MOVES)] if move.mark else []
        if parent is None or not better:
            continue
        known: Node | None = parent
        for played in better if node is parent.next else better[:1]:
            known = known.child(*played) if known else None
        if known is None:
            value = _value_text(review, value_for(move.before, move.before_value, FIRST_SIDE))
            for number, (side, turn) in enumerate(better):
                parent = parent.add(side, turn, {} if number else {"C": [value], "TE": ["1"]})


def _joined(*texts: str) -> str:
    """Return `texts`, the original comment first, with an empty line between."""
    return "\n\n".join(text for text in texts if text)


def overview(review: Review) -> str:
    """Return the root comment: engine and effort, then a summary of each side."""
    lines = [f"Analysed by tengen {__version__}, {review.effort} a position."]
    for side, name in enumerate(review.spec.game.sides):
        played = summarize(side, review.moves)
        marks = ", ".join(f"{count} {mark}" for mark, count in played.mistakes.items())
        agreed = f"{played.agreed} of {played.turns} turns as the engine"
        lines.append(f"{name.capitalize()}: {100 * played.loss:.1f}% lost a turn; {marks}; {agreed}.")
    lines.append(f"Start: {_value_text(review, review.values_for(FIRST_SIDE)[0])}")
    return "\n".join(lines)


def comment(review: Review, move: JudgedMove) -> str:
    """Return the comment on a turn: the win rate after it, its loss and why, and what the engine prefers."""
    lines = [value_after(review, move)]
    preferred = " ".join(move.before_value.pv[:MAX_PV_MOVES])
    if move.mark and move.loss is not None:
        lines.append(f"{move.mark} loses {loss_text(move)}%; better: {preferred}")
        lines += (reason.text for reason in reasons(move))
    elif preferred and not move.agrees:
        lines.append(f"Engine: {preferred}")
    return "\n".join(lines)


def loss_text(move: JudgedMove) -> str:
    """Return the loss of a turn in per cent with its error, where it has one; empty if it is unknown."""
    if move.loss is None:
        return ""
    return f"{100 * move.loss:.1f}" + (f" ±{100 * move.error:.1f}" if move.error else "")


def value_after(review: Review, move: JudgedMove) -> str:
    """Return the value of the position after a turn, or the result, in words."""
    game, position = review.spec.game, move.after.position
    if move.after.is_final:
        outcome = position.outcome()
        if outcome == Outcome.DRAW:
            return ": ".join(filter(None, ("A draw", position.end_reason())))
        return f"{game.sides[outcome - Outcome.FIRST_WINS].capitalize()} wins, {position.result()}"
    text = _value_text(review, value_for(move.after, move.after_value, FIRST_SIDE))
    return f"{text} in the game of {move.after.other.title}" if move.after.other else text


def _value_text(review: Review, found: Assessment) -> str:
    """Return the first side's win rate, followed by its lead or score."""
    game = review.spec.game
    worth = score_text(game, found)
    return f"{game.sides[FIRST_SIDE].capitalize()} {100 * found.rate:.1f}%{worth and f', {worth}'}"


def score_text(game: Game, found: Assessment) -> str:
    """Return the first side's lead, written like a result, or else its score."""
    if found.score is not None and (found.lead is None or found.turns_to_win):
        return str(found.score)
    if found.lead is None:
        return ""
    lead = tenths(found.lead)
    return (
        f"{game.letters[FIRST_SIDE if lead > 0 else 1 - FIRST_SIDE].upper()}+{abs(lead)}" if lead else "even"
    )


def tenths(points: float) -> float:
    """Return `points` rounded to a tenth, never a negative zero."""
    return round(points, 1) + 0.0


def _details(original: Properties, review: Review, move: JudgedMove) -> Properties:
    """Return the properties of a turn: the record's, and ours where it has none of the kind."""
    ours: Properties = {}
    if move.mark and not SGF_JUDGEMENTS & original.keys():
        ours |= SGF_MARKS[move.mark]
        if not SGF_MARKUP & original.keys():
            ours |= _points(review, move)
    ahead = value_for(move.after, move.after_value, review.spec.game.letters.index("b")).turns_to_win
    if ahead and not move.after.other and not SGF_VALUES & original.keys():  # a proven win
        ours["GB" if ahead > 0 else "GW"] = ["2"]
    ours |= _values(review, move.after, move.after_value)
    return {**original, **{name: values for name, values in ours.items() if name not in original}}


def _points(review: Review, move: JudgedMove) -> Properties:
    """Return marks on a square board: a cross on the mistake, a triangle on the better point."""
    spec = review.spec
    if not spec.game.square or move.before.other:
        return {}
    turns = {"MA": move.before.played, "TR": move.before_value.best}
    points = {name: format_turn(spec, turn) for name, turn in turns.items()}
    return {name: [point] for name, point in points.items() if point}


def _values(review: Review, entry: ReviewPosition, value: Assessment) -> Properties:
    """Return the properties of a position: Black's win rate in per cent for Sabaki's graph, and its lead."""
    found = value_for(entry, value, review.spec.game.letters.index("b"))
    lead = {} if found.lead is None else {"V": [str(tenths(found.lead))]}
    return {**lead, "SBKV": [f"{100 * found.rate:.1f}"]}


def better_line(move: JudgedMove, most: int) -> Iterator[tuple[int, str, Position]]:
    """Yield the first turns of the best line instead of a turn: side, text, and the position after each."""
    position = move.before.position.copy()
    for turn in move.before_value.pv[:most]:
        mover = position.side_to_move
        try:
            played = position.push(turn)
        except TengenError:  # a line may go on after a challenge has been decided
            return
        yield mover, played, position
