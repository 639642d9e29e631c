"""Pictures of analysed positions."""

import re
from xml.etree import ElementTree

import pytest

from tengen.apps.review.pages.diagram import BETTER, PLAYED, draw
from tengen.engine.notation import shown, shown_picture
from tengen.engine.play.position import Position
from tengen.search.info import Info, Score


def line(turn: str, rate: float, ownership: tuple[float, ...] = ()) -> Info:
    return Info(1, 1, 1, Score(0), "", 1, 1.0, 0, (turn,), rate=rate, ownership=ownership)


def texts(svg: str) -> list[str]:
    return [
        element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")
    ]


@pytest.mark.parametrize("spec", ["gomoku", "gobang", "go,size=9", "gipf", "zertz", "dvonn"])
def test_candidates_have_their_win_rates_in_every_game(spec):
    position = Position.start(spec)
    first, *_, _last = position.turns()
    position.push(first)
    turns = [turn for turn in position.turns() if turn != "pass"]
    svg = draw(position, [line(turns[0], 0.61), line(turns[-1], 0.125)]).to_svg()
    assert {"61", "12"} <= {*texts(svg)}
    assert any(f"{shown(position.spec, turns[0])} 61.0%" in text for text in texts(svg))
    assert BETTER in svg
    assert PLAYED in svg


def test_without_candidates_it_is_the_board_with_the_last_turn():
    position = Position.start("gomoku")
    plain = draw(position, []).to_svg()
    assert PLAYED not in plain
    assert plain == shown_picture(position.spec, position.draw()).to_svg()
    position.push("H8")
    assert PLAYED in draw(position, []).to_svg()


def test_owners_are_those_of_the_sides_whoever_is_to_move():
    position = Position.start("go,size=2")
    owned = (1.0, 0.0, 0.0, -1.0)  # from the top, for the side to move
    black = draw(position, [line("A1", 0.5, owned)]).to_svg()
    position.push("pass")
    white = draw(position, [line("A1", 0.5, tuple(-each for each in owned))]).to_svg()
    squares = [re.findall(r"<polygon[^>]*stroke-width=\"0.8\"[^>]*>", svg) for svg in (black, white)]
    assert len(squares[0]) == 2
    assert squares[0] == squares[1]


def test_a_line_that_is_too_long_is_cut_at_a_candidate():
    position = Position.start("gomoku,size=5")
    many = draw(position, [line(turn, 0.5) for turn in position.turns()]).to_svg()
    assert any(text.endswith("% ...") for text in texts(many))


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_command_draws_the_position_of_a_turn(review, game, suffix):
    if suffix == "png":
        pytest.importorskip("PIL")
    path = game.with_suffix(f".{suffix}")
    code, _, err = review(game, "--turn", "4", "--nodes", "500", "--multipv", "2", f"--{suffix}", str(path))
    assert (code, err) == (0, [])
    assert path.read_bytes().startswith({"svg": b"<svg", "png": b"\x89PNG"}[suffix])
