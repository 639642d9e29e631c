"""The colours of the page, by the contrast that WCAG 2.2 asks for (1.4.3 and 1.4.11, level AA)."""

import re

import pytest

from tengen.apps.web.server import STATIC
from tengen.engine.board.picture import FAINT_INK, INK, WOOD

STYLE = (STATIC / "style.css").read_text("utf-8")
TEXT, MARK = 4.5, 3.0  # least contrast
VARIABLE = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")
WHITE = "#ffffff"


def colours(selector: str) -> dict[str, str]:
    """Return the variables of the first rule with a selector."""
    return dict(VARIABLE.findall(STYLE.partition(f"{selector} {{")[2].partition("}")[0]))


THEMES = {"light": colours(":root"), "dark": colours(':root[data-theme="dark"]')}
MARKS = colours("#board, .drawing")


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour such as ``#d8cfc3``."""
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_definition():
    assert contrast("#000000", WHITE) == pytest.approx(21)
    assert contrast("#767676", WHITE) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_texts_can_be_read_and_controls_be_seen(theme):
    found = THEMES[theme]
    for ground in ("ground", "panel"):
        for text in ("ink", "faint", "bad"):
            assert contrast(found[text], found[ground]) >= TEXT, (text, ground)
        for mark in ("edge", "accent"):
            assert contrast(found[mark], found[ground]) >= MARK, (mark, ground)
    assert contrast(found["accent-ink"], found["accent"]) >= TEXT


def test_both_ways_to_the_dark_theme_have_the_same_colours():
    assert colours(':root:not([data-theme="light"])') == THEMES["dark"]


@pytest.mark.parametrize("mark", MARKS)
def test_marks_can_be_seen_on_wood_and_by_their_light_edge(mark):
    assert contrast(MARKS[mark], WOOD) >= MARK
    assert contrast(MARKS[mark], WHITE) >= TEXT, "win rates stand on them in white"


def test_texts_on_the_board_can_be_read():
    for ink in (INK, FAINT_INK):
        assert contrast(ink, WOOD) >= TEXT
