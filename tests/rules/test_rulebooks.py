"""The rulebooks' statements: an index of all in ``rulebooks.txt``, and a test of a count that has no other.

Books are named as there; gipf-fr 1.B.2 is part 1, section B, number 2 of the French rulebook of GIPF.
"""

import ast
from pathlib import Path

from tests import rows
from tests.rules.examples import examples
from tests.rules.faces import Face, each_face

face = each_face
TESTS = Path(__file__).parent.parent
STATEMENTS = rows(TESTS / "rules" / "rulebooks.txt")
BOOKS = ("gipf-fr", "gipf-es", "dvonn", "zertz", "go")


def names_of_tests(path: str) -> set[str]:
    """Return the names of the tests in a file, or of the examples."""
    text = (TESTS / path).read_text("utf-8")
    if path.endswith(".txt"):
        return {example.title for example in examples() if example.game == Path(path).stem}
    return {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def test_every_statement_has_its_test_or_says_why_not() -> None:
    """What only a missing picture could tell is listed, too."""
    for part, statement, shown in STATEMENTS:
        assert part.split()[0] in BOOKS
        assert statement
        if shown.startswith(("picture: ", "- ")):
            continue
        for test in shown.split():
            path, name = test.split("::")
            assert name in names_of_tests(path), f"{part}: {test} does not exist"
    assert {part.split()[0] for part, _, _ in STATEMENTS} == {*BOOKS}


def test_the_pieces_of_dvonn_fill_the_board(face: Face) -> None:
    """dvonn A, C and D: 3, 23 and 23 pieces on 49 spaces, 9 of them before each player; White goes on."""
    text = face.start("dvonn")
    rows = [row.split(",") for row in text.split()[0].split("/")]
    assert [len(row) for row in rows] == [9, 10, 11, 10, 9]
    placed = ["D", "D", "D", *["B1", "W1"] * 23]
    movers = ["w", "b", "w", "b", "w", "b"]
    for number, piece in enumerate(placed):
        board, side, phase = text.split()
        assert (side, phase) == (movers[number % 2], "p")
        spaces = face.turns("dvonn", text)
        assert len(spaces) == 49 - number
        text = face.play("dvonn", text, spaces[number * 7 % len(spaces)])
        before, after = (
            sorted(position.replace("/", ",").split(",")) for position in (board, text.split()[0])
        )
        assert sorted([*before, piece]) == sorted([*after, "-"])
    board, side, phase = text.split()
    assert (side, phase) == ("w", "m")
    assert [board.count(piece) for piece in ("W1", "B1", "D", "-")] == [23, 23, 3, 0]
    assert face.outcome("dvonn", text) is None
