"""Points as players of five in a row write them: a letter for the column, i included, and the row: ``i9``.

GTP's vertices leave out the letter I: there the same point is ``J9``. Small letters are of this notation,
capitals of GTP's, unless one of them is an I.
"""

import re
import string

from tengen.engine.board.grids import GTP_LETTERS

VERTEX = re.compile(r"(?<![\w./-])[A-HJ-W][1-9][0-9]?(?!\w|\.\w)|^ +A(?: +[B-HJ-W])+$", re.M)  # or an edge
TYPED = re.compile(r"(?<![\w./-])[A-Za-z][1-9][0-9]?(?!\w|\.\w)")
COLUMNS = string.ascii_lowercase[: len(GTP_LETTERS)]
TO_COLUMNS, TO_GTP = str.maketrans(GTP_LETTERS, COLUMNS), str.maketrans(COLUMNS, GTP_LETTERS)
WITHOUT_I = " (no letter I)"  # of GTP's vertices, in errors


def shown(text: str) -> str:
    """Return `text` with the vertices, and the letters below a board, as players write them."""
    return VERTEX.sub(lambda found: found[0].translate(TO_COLUMNS), text).replace(WITHOUT_I, "")


def edge(text: str) -> str:
    """Return the letter of a column at the edge of a board as players write it; anything else stays."""
    return text.translate(TO_COLUMNS) if len(text) == 1 else text


def typed(text: str) -> str:
    """Return `text` with the points that players have typed as vertices."""
    points = TYPED.findall(text)
    has_i = any(point[0] in "iI" for point in points)
    return TYPED.sub(
        lambda found: found[0].lower().translate(TO_GTP) if has_i or found[0][0].islower() else found[0], text
    )
