"""Boards as text and as drawings."""

import builtins
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tengen.engine.board import goban
from tengen.engine.board.goban import Place
from tengen.engine.board.picture import Circle, Picture, Polygon, Polyline, Shade, Shape, Text, rectangle
from tengen.engine.errors import OptionError
from tengen.engine.play.position import Position
from tests.walks import ALL_SPECS, position_after, scaled, walk

SVG = "{http://www.w3.org/2000/svg}"
STACKS = (
    "-,-,-,-,-,-,-,-,-/-,W1,-,-,-,B3*2,-,-,-,-/-,D,B12,-,-,-,-,-,-,-,-/"
    "-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,- b m"
)

CHARGED = "gipf:tournament,zertz=3,tamsk=2,challenges=1"
KINDS = ("w", "W", "w+", "w*", "w^")

ALL_KINDS = "gipf:basic,zertz=3,tamsk=3,dvonn=3,yinsh=3,punct=3"
NONE_LEFT = "9 9 w -- 0 0 0 0 0 0 0 0 0 0 0 0"
STACK_MARKS = ("", "d", "y", "u", "^", "1", "2", "3", "d1", "d2", "u1", "u2")
CROWDED = "gipf:tournament,zertz=6,tamsk=6,dvonn=6,yinsh=6,extra=3"

PLAYERS = {"first": "Player 1", "second": "Player 2"}
ZERTZ_POOLS = {".": "5,7,9", "w": "4,7,9", "g": "5,6,9", "b": "5,7,8"}  # with one marble on the board


def drawing(spec: str, position: str = "") -> Picture:
    found = Position.parse(spec, position) if position else Position.start(spec)
    picture = found.spec.game.picture.draw(found.state)
    assert isinstance(picture, Picture)
    return picture


def labels(picture: Picture) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


def boards() -> Iterator[tuple[str, ...]]:
    """Yield spec, position, turns and the board of each block of ``boards.txt``."""
    blocks = (Path(__file__).parent / "boards.txt").read_text("utf-8").removeprefix("# ").split("\n# ")
    for block in blocks:
        _, head, board = block.split("\n", 2)
        yield *map(str.strip, head.split(";")), board.strip("\n")


@pytest.mark.parametrize(("spec", "text", "turns", "board"), [*boards()])
def test_boards_in_plain_text(spec, text, turns, board):
    position = position_after(spec, turns, None if text == "-" else text)
    assert position.board() == board


def test_board_of_gipf_fits_into_80_columns():
    lines = Position.start("gipf:tournament,zertz=6,tamsk=6,challenges=6").board().splitlines()
    assert max(map(len, lines)) <= 80
    *_, two, three, _ = Position.start(f"{CROWDED},challenges=6").board().splitlines()
    assert two == "Black: 21 in reserve, may bring in GIPF-pieces, ZERTZ 6, TAMSK 6, DVONN 6,"
    assert three == "  YINSH 6; challenges 6"


def test_board_of_zertz_shows_how_long_the_columns_are():
    for spec, top, bottom in (("zertz,rings=48", "8", "d"), ("zertz,rings=61", "9", "e")):
        lines = Position.start(spec).board().splitlines()
        assert (lines[0].split(), lines[lines.index("") - 1].split()) == ([top], [bottom])
        assert sum(line.split().count(".") for line in lines) == int(spec[-2:])


def test_captions_say_how_the_game_has_ended():
    for spec in ("dvonn", "gomoku,size=5", "gipf:basic", "zertz", "go,size=3"):
        for seed in range(scaled(20)):
            *_, last = walk(spec, seed)
            winner = last.winner()
            expected = "Draw" if winner == "draw" else f"{PLAYERS.get(winner, winner.capitalize())} has won"
            assert last.board().splitlines()[-1].startswith(expected)


@pytest.mark.parametrize("spec", ALL_SPECS)
def test_every_position_of_a_game_is_drawn_within_the_picture(spec):
    for number, position in enumerate(walk(spec, 3)):
        if number % 10:
            continue
        picture = position.spec.game.picture.draw(position.state)
        root = ElementTree.fromstring(picture.to_svg())
        assert root.tag == f"{SVG}svg"
        assert position.board().splitlines()[-1] in root.findtext(f"{SVG}title", "")
        for shape in picture.shapes:
            if isinstance(shape, Circle):
                assert shape.radius < shape.x < picture.width - shape.radius
                assert shape.radius < shape.y < picture.height - shape.radius


def test_stacks_show_their_height_and_each_dvonn_piece():
    picture = drawing("dvonn", STACKS)
    bare = drawing("dvonn")
    assert {"3", "12"} <= set(labels(picture))
    assert labels(picture).count("12") == 1
    diamonds = [shape for shape in picture.shapes if isinstance(shape, Polygon) and shape not in bare.shapes]
    assert len(diamonds) == 3


def outlines(picture: Picture, bare: Picture) -> set[tuple[object, ...]]:
    """Return what stands on one board and not on the other, without its colours."""
    found: set[tuple[object, ...]] = set()
    for shape in picture.shapes:
        match shape:
            case Circle(x, y, radius) if shape not in bare.shapes:
                found.add((round(x), round(y), round(radius)))
            case Polyline(points) | Polygon(points) if shape not in bare.shapes:
                found.add((type(shape), *points))
    return found


def gipf_piece(piece: str) -> Picture:
    return drawing(CHARGED, f"W.../...../....../..{piece}..../....../...../...B 9 9 w -- 0 0 1 1 0 0")


def test_kinds_of_gipf_pieces_differ_in_more_than_colour():
    bare = gipf_piece(".")
    drawn = {piece: outlines(gipf_piece(piece), bare) for piece in KINDS}
    assert all(drawn[a] != drawn[b] for a in KINDS for b in KINDS if a != b)
    for piece in KINDS:
        black = piece.replace("w", "b").replace("W", "B")
        assert outlines(gipf_piece(black), bare) == drawn[piece]
    radii = {piece: [radius for *_, radius in drawn[piece] if isinstance(radius, int)] for piece in KINDS}
    assert radii["W"].count(25) == 2 * radii["w"].count(25), "two discs, one on the other"
    assert max(radii["w^"]) < max(radii["w"]), "a used potential is smaller than a piece"


def crowded_piece(piece: str) -> Picture:
    return drawing(ALL_KINDS, f"..../...../....../..{piece}..../....../...../.... {NONE_LEFT}")


def test_stacks_of_gipf_differ_by_what_lies_below_and_by_their_height():
    bare = crowded_piece(".")
    drawn = [outlines(crowded_piece(f"w{mark}"), bare) for mark in STACK_MARKS]
    assert all(drawn[i] != drawn[j] for i in range(len(drawn)) for j in range(i))
    circles = [[shape for shape in drawn[i] if isinstance(shape[0], int)] for i in (5, 6, 7)]
    heights = [min(y for _, y, _ in each) for each in circles]
    assert heights == sorted(heights, reverse=True), "each potential rises over the one below it"
    assert len(set(heights)) == 3


def test_gipf_board_has_its_lines_spots_and_dots():
    shapes = drawing("gipf:tournament").shapes
    fixed = {shape for shape in shapes if isinstance(shape, Polyline) and shape.width == 1.8}
    assert len(fixed) == 21
    assert all(len(line.points) == 2 for line in fixed)
    radii = [shape.radius for shape in shapes if isinstance(shape, Circle)]
    assert (radii.count(4.5), radii.count(6)) == (37, 24)


def zertz_marble(ring: str) -> Picture:
    """Return what is drawn of the column with this ring at its bottom."""
    pool = ZERTZ_POOLS[ring]
    picture = drawing("zertz", f"{ring}.../...../....../......./....../...../.... {pool} 0,0,0 0,0,0 1")
    return replace(picture, shapes=tuple(shape for shape in picture.shapes if leftmost(shape) < 80))


def leftmost(shape: Shape) -> float:
    return min(x for x, _ in shape.points) if isinstance(shape, Polyline | Polygon) else shape.x


def test_marbles_of_zertz_differ_in_more_than_colour():
    bare = zertz_marble(".")
    drawn = {marble: outlines(zertz_marble(marble), bare) for marble in "wgb"}
    assert all(drawn[a] != drawn[b] for a in "wgb" for b in "wgb" if a != b)


def test_zertz_names_every_ring_and_leaves_a_trace_of_those_that_are_gone():
    picture = drawing("zertz", "-w../...../....../......./....../...../...- 4,7,9 0,0,0 0,0,0 1")
    rings = {
        f"{column}{y}"
        for column, n in zip("abcdefg", (4, 5, 6, 7, 6, 5, 4), strict=True)
        for y in range(1, n + 1)
    }
    assert {label for label in labels(picture) if label in rings} == rings - {"a1", "g4"}
    assert sum(isinstance(shape, Circle) and shape.radius == 3 for shape in picture.shapes) == 2


def test_zertz_shows_the_pool_the_captures_and_what_a_goal_needs():
    picture = drawing("zertz", "..../...../....../......./....../...../.... 3,6,8 2,1,0 0,0,1 1")
    assert {"Player 1", "Pool", "Player 2", "Player 1 to move"} <= set(labels(picture))
    counts = [label for label in labels(picture) if label.isdigit()]
    assert counts == ["0", "0", "1", "3", "6", "8", "2", "1", "0"], "from the top: player 2, pool, player 1"
    places = [shape for shape in picture.shapes if isinstance(shape, Circle) and shape.radius == 8.5]
    assert len(places) == 2 * (3 + 4 + 5) - 4, "where marbles for a goal are missing"


def test_gipf_shows_reserves_and_what_may_be_brought_in():
    said = labels(drawing(CHARGED, "..../...../....../.w+....B/....../...../...W 14 16 b zg 2 3 0 1 2 2"))
    assert {"White", "Black", "14 in reserve", "16 in reserve", "Black to move"} <= set(said)
    assert said.count("GIPF-pieces may enter") == 1
    assert {"ZERTZ potentials: 2", "ZERTZ potentials: 3", "challenges left: 0"} <= set(said)
    assert not any("potentials" in label for label in labels(drawing("gipf")))
    piles = [
        len(drawing("gipf:basic", f"..../...../....../w.....b/....../...../.... {n} 1 w --").shapes)
        for n in (1, 2, 12)
    ]
    assert piles[2] - piles[1] == 10 * (piles[1] - piles[0]) > 0


@pytest.mark.parametrize(
    ("caption", "note"),
    [("White to move, Black has passed", "prisoners: Black 0, White 0; life or death not certain: B2, C4")],
)
def test_texts_below_a_small_board_stay_within_it(caption, note):
    picture = goban.draw("", {}, 5, (), caption, note)
    below = [shape for shape in picture.shapes if isinstance(shape, Text)][-3:]
    assert below[0].text == caption
    assert " ".join(shape.text for shape in below[1:]) == note
    assert all(len(shape.text) * shape.size * goban.LETTER <= picture.width for shape in below)
    assert below[-1].y < picture.height


KO_OF_GO = ".XO../XO.O./.XO../...../....."


def test_equal_points_are_written_alike_whatever_was_drawn_before():
    for zero in (-0.0, 0.0, 0):  # in this order: the text of the first is kept
        drawn = Picture(10, 10, "", (Polyline(((zero, 7), (7, zero)), "#000000", 1),))
        assert '"0,7 7,0"' in drawn.to_svg()


def test_go_marks_the_last_stone_and_the_point_of_ko():
    bare = drawing("go,size=5", f"{KO_OF_GO} b - 0 1 0")
    assert len(outlines(drawing("go,size=5", f"{KO_OF_GO} b C4 0 1 0"), bare)) == 1
    position = Position.parse("go,size=5", f"{KO_OF_GO} b - 0 1 0")
    position.push("E1")
    played = position.spec.game.picture.draw(position.state)
    unmarked = drawing("go,size=5", position.text())
    (mark,) = set(played.shapes) - set(unmarked.shapes)
    assert isinstance(mark, Circle)
    assert (mark.fill, (mark.x, mark.y)) == ("", goban.pixel_of(4, 0, 5))


def squares_at_the_end(spec: str, rows: str) -> dict[str, list[Place]]:
    """Return where small squares stand when both have passed, by their colour."""
    found: dict[str, list[Place]] = {}
    places = {goban.pixel_of(x, y, 5): (x, y) for x in range(5) for y in range(5)}
    for shape in drawing(spec, f"{rows} b - 0 0 2").shapes:
        if isinstance(shape, Polygon) and shape.fill in goban.FLAT.values():
            (left, top), _, (right, bottom), _ = shape.points
            found.setdefault(shape.fill, []).append(places[(left + right) / 2, (top + bottom) / 2])
    return {colour: sorted(points) for colour, points in found.items()}


def test_go_shows_the_owners_of_empty_points_at_the_end():
    """Black's points are black, White's white, neutral ones bare [O-5]."""
    assert squares_at_the_end("go,size=5,rules=tromp-taylor", ".X.O./.X.O./XX.O./...OO/XX.O.") == {
        goban.FLAT[goban.BLACK]: [(0, 3), (0, 4)],
        goban.FLAT[goban.WHITE]: [(4, 0), (4, 2), (4, 3), (4, 4)],
    }


def test_go_shows_dead_stones_as_points_of_who_takes_them():
    """White's stone in the corner cannot live [O-5]."""
    assert squares_at_the_end("go,size=5", "O.XO./..XO./XXXO./.XXOO/.XOO.") == {
        goban.FLAT[goban.BLACK]: [(0, 0), (0, 1), (0, 3), (0, 4), (1, 3), (1, 4)],
        goban.FLAT[goban.WHITE]: [(4, 0), (4, 2), (4, 3), (4, 4)],
    }


def test_go_shows_prisoners_and_komi():
    said = labels(drawing("go,size=5,komi=-3.5", f"{KO_OF_GO} b - 4 1 0"))
    assert {"Black to move", "prisoners: Black 4, White 1; komi -3.5"} <= set(said)


def test_coordinates_stand_beside_the_board():
    dots = {f"{column}{row}" for column in "ai" for row in range(1, 6)}
    dots |= {f"{column}1" for column in "bcdefgh"} | {"b6", "c7", "d8", "e9", "f8", "g7", "h6"}
    assert dots <= set(labels(drawing("gipf")))
    assert set("abcdefghijk12345") <= set(labels(drawing("dvonn")))
    assert "I" not in labels(drawing("gomoku"))
    assert labels(drawing("gomoku")).count("15") == 2


def test_svg_is_ascii_and_escaped():
    picture = Picture(10, 10, "<&\x00ZÈRTZ>", (Text(5, 5, 'é"<b>', 4, "#00000080", bold=True),))
    svg = picture.to_svg()
    assert svg.isascii()
    root = ElementTree.fromstring(svg)
    assert root.findtext(f"{SVG}title") == "<&\ufffdZÈRTZ>"
    text = root.find(f"{SVG}text")
    assert text is not None
    assert (text.text, text.get("fill"), text.get("fill-opacity")) == ('é"<b>', "#000000", "0.5")


def test_png_is_as_large_as_asked_for(tmp_path):
    pytest.importorskip("PIL")
    picture = drawing("dvonn", STACKS)
    for scale in (0.5, 1, 2):
        path = tmp_path / f"{scale}.png"
        picture.save_png(path, scale)
        head = path.read_bytes()[:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", head[16:])
        assert (width, height) == (round(picture.width * scale), round(picture.height * scale))


def test_png_shows_every_shape(tmp_path):
    image_module = pytest.importorskip("PIL.Image")
    shapes = (
        Polygon(rectangle(0, 0, 40, 40), "#ffffff"),
        Circle(10, 10, 8, Shade("#ff8080", "#800000"), "#000000"),
        Circle(30, 10, 8, "", "#0000ff", 4),
        Polyline(((2, 30), (18, 30)), "#00ff00", 6),
        Polygon(rectangle(24, 24, 36, 36), "#00000080"),
    )
    Picture(40, 40, "", shapes).save_png(tmp_path / "shapes.png", 1)
    image = image_module.open(tmp_path / "shapes.png")
    red, green, blue = image.getpixel((7, 7))
    assert red > 200 > green == blue
    assert image.getpixel((30, 10)) == (255, 255, 255)
    assert image.getpixel((22, 10)) == (0, 0, 255)
    assert image.getpixel((10, 30)) == (0, 255, 0)
    assert image.getpixel((30, 30)) == pytest.approx((127, 127, 127), abs=2)


@pytest.mark.parametrize("scale", [0, -1, 9, float("nan"), float("inf")])
def test_absurd_scales_are_refused(tmp_path, scale):
    with pytest.raises(OptionError, match="expected a number above 0 up to 8"):
        drawing("dvonn").save_png(tmp_path / "x.png", scale)


def test_without_pillow_png_says_how_to_get_it(tmp_path, monkeypatch):
    real = builtins.__import__

    def without_pillow(name, *rest):
        if name.partition(".")[0] == "PIL":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_pillow)
    with pytest.raises(OptionError, match=r"^PNG needs Pillow: .* -m pip install 'pillow>=10.1'$"):
        drawing("dvonn").save_png(tmp_path / "x.png")
