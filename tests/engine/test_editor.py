"""Positions set up piece by piece."""

import random

import pytest

from tengen.engine.errors import NotationError
from tengen.engine.go import agreement
from tengen.engine.play.editor import Setup, inspect, layout_of
from tengen.engine.play.position import Position
from tengen.engine.play.steps import contents
from tengen.engine.spec import GameSpec
from tests.walks import ALL_SPECS, walk

DVONN_START = (
    "-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,- w p"
)


def new_setup(spec: str) -> Setup:
    parsed = GameSpec.parse(spec)
    return Setup(layout_of(parsed), Position.start(parsed).text())


@pytest.mark.parametrize("spec", ALL_SPECS)
def test_the_parts_of_every_position_of_a_game_make_its_text_again(spec):
    layout = layout_of(GameSpec.parse(spec))
    for position in walk(spec, 1):
        assert Setup(layout, position.text()).text() == position.text()


@pytest.fixture
def hasty_scores(monkeypatch):
    """Score positions of Go that are over after a short look: boards set up at random are wild."""
    monkeypatch.setattr(agreement, "FINAL_BUDGET", 1_000)
    agreement._final_marks.cache_clear()
    yield
    agreement._final_marks.cache_clear()


@pytest.mark.usefixtures("hasty_scores")
@pytest.mark.parametrize("spec", ALL_SPECS)
def test_whatever_is_set_up_is_drawn_or_refused_in_words(spec):
    parsed, rng = GameSpec.parse(spec), random.Random(1)
    setup = new_setup(spec)
    layout = setup.layout

    def some_value(field) -> str:
        if field.choices:
            return rng.choice(list(field.choices))
        return str(rng.randint(field.low, min(field.high, 30))) if field.high else "A1"

    for number in range(120):
        if rng.random() < 0.8:
            features = {each.name: some_value(each) for each in layout.features}
            setup.put(rng.choice(list(setup.cells)), rng.choice(layout.pieces).symbol, features)
        else:
            field = rng.choice(layout.fields)
            setup.set(field.name, some_value(field))
        text = setup.text()
        if number % 3:
            continue
        found = inspect(parsed, text)
        assert all(found.faults)
        drawn = parsed.game.picture.draw(found.state)
        assert {*setup.cells} <= {place.name for place in drawn.places}
        assert {*contents(parsed.game, found.state)} <= {*setup.cells}
        assert isinstance(layout.note(found.state), str), number
    setup.clear()
    assert {*setup.cells.values()} == {layout.pieces[0].symbol}


def test_a_piece_that_is_put_twice_is_removed():
    setup = new_setup("go,size=5")
    for expected in ("X", "."):
        setup.put("C3", "X", {})
        assert setup.cells["C3"] == expected


def test_marbles_come_from_the_pool_and_go_back():
    setup = new_setup("zertz")
    setup.put("d4", "g", {})
    setup.set("first white", "2")
    assert setup.text().endswith(" 3,6,9 2,0,0 0,0,0 1")
    setup.put("d4", "-", {})
    setup.set("first white", "0")
    assert setup.text().endswith(" 5,7,9 0,0,0 0,0,0 1")


def test_a_charged_piece_of_gipf_comes_from_the_reserve_and_the_potentials():
    setup = new_setup("gipf:tournament,zertz=3")
    setup.put("e5", "w+", {})
    setup.put("e4", "B", {})
    assert setup.text().split()[1:3] == ["17", "16"]
    assert setup.text().split()[5:7] == ["2", "3"]


def test_a_stack_of_dvonn_has_height_and_dvonn_pieces():
    setup = new_setup("dvonn")
    setup.put("c3", "W{height}{red}", {"height": "12", "red": "*2"})
    assert setup.cells["c3"] == "W12*2"
    setup.move("c3", "d3")
    assert (setup.cells["c3"], setup.cells["d3"]) == ("-", "W12*2")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda s: s.put("z9", "D", {}), "place: expected one from a1 to k5, got 'z9'"),
        (lambda s: s.put("c3", "Q", {}), "piece: expected Empty, White stack, .*, got 'Q'"),
        (lambda s: s.put("c3", "W{height}{red}", {"height": "50"}), "Height: expected 1 to 49, got '50'"),
        (lambda s: s.put("c3", "W{height}{red}", {}), "Height: expected 1 to 49, got ''"),
        (lambda s: s.set("side", "x"), "To move: expected White or Black, got 'x'"),
        (lambda s: s.set("colour", "w"), "field: expected one of side, phase, got 'colour'"),
        (lambda s: s.move("c3", "C3"), "place: expected one from a1 to k5, got 'C3'"),
    ],
)
def test_what_cannot_be_set_is_refused_and_changes_nothing(change, said):
    setup = new_setup("dvonn")
    with pytest.raises(NotationError, match=said):
        change(setup)
    assert setup.text() == DVONN_START


def test_a_position_that_no_game_reaches_is_drawn_with_its_faults():
    setup = new_setup("dvonn")
    setup.put("c3", "D", {})
    found = inspect(GameSpec.parse("dvonn"), setup.text())
    assert found.faults == ("expected Black to move after 1 placed pieces",)
    assert 'data-piece="c3"' in GameSpec.parse("dvonn").game.picture.draw(found.state).to_svg()


@pytest.mark.parametrize("others", [(), ("e3",), ("e3", "f3", "g3")])
@pytest.mark.parametrize(
    ("mark", "held"), [("", ""), ("*", " with a DVONN piece"), ("*2", " with 2 DVONN pieces")]
)
def test_a_stack_that_is_being_set_up_holds_as_many_dvonn_pieces_as_were_put(others, mark, held):
    setup = new_setup("dvonn")
    setup.put("c3", "W{height}{red}", {"height": "7", "red": mark})
    for place in others:
        setup.put(place, "D", {})
    found = inspect(GameSpec.parse("dvonn"), setup.text())
    assert contents(GameSpec.parse("dvonn").game, found.state)["c3"] == f"white stack of 7{held}"
    assert found.text == setup.text()
