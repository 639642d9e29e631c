"""Positions that a page sets up: the edits it asks for, and what it is shown."""

from collections.abc import Sequence
from typing import Any

from tengen.engine.errors import quoted
from tengen.engine.notation import shown, shown_picture, typed
from tengen.engine.play.editor import Field, Setup, inspect, layout_of
from tengen.engine.play.position import Position
from tengen.engine.play.steps import contents
from tengen.engine.spec import GameSpec
from tengen.protocol.errors import CommandError
from tengen.protocol.fields import Fields

CONTROL = ("name", "label", "low", "high")  # what a form is told of a field, beside its choices


def setup_view(spec: GameSpec, text: str, edit: object = None) -> dict[str, Any]:
    """Return a position, by default that at the start of the game, with an edit, as a page shows it.

    An edit is one of ``{"put": PLACE, "piece": SYMBOL, "features": {NAME: TEXT}}``, ``{"move": [FROM, TO]}``,
    ``{"set": FIELD, "value": TEXT}``, ``{"clear": true}``.
    """
    layout = layout_of(spec)
    found = inspect(spec, text or Position.start(spec).text())
    setup = Setup(layout, found.text)
    if edit is not None:
        _apply(setup, edit, spec)
        found = inspect(spec, setup.text())
        setup = Setup(layout, found.text)
    drawn = shown_picture(spec, spec.game.picture.draw(found.state))
    pieces = {place: layout.piece_of(cell) for place, cell in setup.cells.items()}
    words = {place: piece.words.lower() for place, piece in pieces.items() if piece != layout.pieces[0]}
    said = {
        "faults": list(found.faults),
        "note": layout.note(found.state),
        "contents": {**words, **contents(spec.game, found.state)},
        "places": list(setup.cells),
        "pieces": [{"symbol": piece.symbol, "words": piece.words} for piece in layout.pieces],
        "features": _controls(layout.features),
        "fields": [
            {**control, "value": setup.values[control["name"]]} for control in _controls(layout.fields)
        ],
    }
    return {"position": found.text, "svg": drawn.to_svg(), "title": drawn.title, **shown(spec, said)}


def _apply(setup: Setup, edit: object, spec: GameSpec) -> None:
    """Change a position as an edit says."""
    if not isinstance(edit, dict):
        raise CommandError(f"edit: expected an object, got {quoted(str(edit)[:60])}")
    fields, features, pair = Fields(edit), edit.get("features", {}), edit.get("move")
    if "put" in edit and isinstance(features, dict):
        chosen = {str(name): str(value) for name, value in features.items()}
        setup.put(typed(spec, fields.required_text("put")), fields.required_text("piece"), chosen)
    elif isinstance(pair, list) and len(pair) == 2:
        setup.move(typed(spec, str(pair[0])), typed(spec, str(pair[1])))
    elif "set" in edit:
        setup.set(fields.required_text("set"), fields.required_text("value"))
    elif "clear" in edit:
        setup.clear()
    else:
        raise CommandError(f"edit: expected put, move, set or clear, got {quoted(str(edit)[:60])}")


def _controls(fields: Sequence[Field]) -> list[dict[str, Any]]:
    """Return fields for a form, without those that leave no choice."""
    return [
        {**{name: getattr(each, name) for name in CONTROL}, "choices": list(each.choices.items())}
        for each in fields
        if len(each.choices) != 1
    ]
