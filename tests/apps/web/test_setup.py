"""Positions that are set up by clicks in a real browser, and played from."""

import pytest

from tests.apps.web import browser as browsers
from tests.apps.web.browser import CHROMIUM, close_dialog, set_up, wait_for_text, wait_for_turns

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium (make clients)")

LEGAL = "The position is legal."
# By spec: what is put where, fields that are set, what is not legal before those are, the clicks of a
# turn, and that turn.
POSITIONS = {
    "go,size=9": (
        {"Black stone": ["C3", "D4"], "White stone": ["E5"]},
        {"side": "w", "black": "3"},
        "",
        ["F6"],
        "F6",
    ),
    "gomoku:renju,size=9": ({"Black stone": ["c3"], "White stone": ["e5", "a9"]}, {}, "", ["d4"], "d4"),
    "gobang,size=9": (
        {"White stone": ["d5", "e5"], "Black stone": ["c5"]},
        {"black": "4"},
        "",
        ["f5"],
        "f5",
    ),
    "zertz": (
        {"White marble": ["d4"], "Black marble": ["d5"], "No ring": ["a1", "g1"]},
        {"first white": "2", "second grey": "1", "side": "2"},
        "",
        ["d4", "d6"],
        "xd4Bd6",
    ),
    "dvonn": (
        {"White stack": ["c3"], "Black stack": ["d3"], "Lone DVONN piece": ["e3", "f3", "g3"]},
        {"phase": "m"},
        "expected Black to move after 5 placed pieces",
        ["c3", "d3"],
        "c3d3",
    ),
    "gipf:tournament,zertz=2": (
        {"White GIPF-piece": ["e5"], "Black GIPF-piece": ["e2"], "White ZÈRTZ-charged piece": ["d4"]},
        {"rights White": "z", "reserve Black": "9"},
        "white may bring in GIPF-pieces: expected none but GIPF-pieces on the board so far",
        ["b1", "b2"],
        "a1-b2",
    ),
}


@pytest.fixture
def page(browser, address):
    with browsers.opened(browser, address) as opened:
        close_dialog(opened)
        yield opened


@pytest.fixture
def slow_page(browser, address):
    """A page to which all that the server sends comes late."""
    with browsers.opened(browser, address, browsers.SLOW_SERVER) as opened:
        close_dialog(opened)
        yield opened


def choose(page, piece: str) -> None:
    page.locator(".palette").get_by_label(piece, exact=True).check()


def wait_for(page, place: str, words: str) -> None:
    page.wait_for_selector(f'.drawing [data-place="{place}"][aria-label^="{place}, {words}"]')


def put(page, *places: str) -> None:
    for place in places:
        page.click(f'.drawing [data-place="{place}"]')
        page.wait_for_selector(f'.drawing [data-place="{place}"]:not([aria-label^="{place}, empty"])')


def play(page) -> None:
    page.click("dialog button.primary")
    page.wait_for_selector("#dialog:not([open])", state="attached")
    page.wait_for_selector("#board svg .lit")


@pytest.mark.parametrize("spec", POSITIONS)
def test_a_position_is_set_up_by_clicks_and_played_from(page, spec):
    pieces, fields, fault, clicks, turn = POSITIONS[spec]
    set_up(page, spec)
    for piece, places in pieces.items():
        choose(page, piece)
        put(page, *places)
    if fault:
        wait_for_text(page, ".legality.bad", fault)
    for name, value in fields.items():
        control = page.locator(f'.fields [name="{name}"]')
        if control.evaluate("control => control.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(value)
            control.press("Enter")
    if fault:
        wait_for_text(page, ".legality", LEGAL)
    page.locator("dialog select[name=kind]").nth(1).select_option("person")
    play(page)
    for place in clicks:
        page.click(f'#board .lit[data-place="{place}"]')
    if spec == "gipf:tournament,zertz=2":
        page.click("#choices button:has-text('Play it all the same')")
    wait_for_turns(page, 1)
    assert turn in page.inner_text("#turns")


def test_what_is_chosen_and_typed_before_the_server_answers_stays(slow_page):
    page = slow_page
    page.click("#set-up")
    page.wait_for_selector("dialog .palette label")
    choose(page, "White GIPF-piece")
    browsers.choose_spec(page, "gipf:tournament,zertz=2")
    wait_for_text(page, ".legality", LEGAL)
    assert page.locator(".palette").get_by_label("White ZÈRTZ-charged piece").count() == 1
    assert page.locator(".palette").get_by_label("White GIPF-piece", exact=True).is_checked()
    page.click('.drawing [data-place="e5"]')
    page.fill('.fields [name="reserve Black"]', "9")
    wait_for(page, "e5", "white GIPF-piece")
    page.press('.fields [name="reserve Black"]', "Enter")
    page.wait_for_function("""() => document.querySelector("dialog textarea").value.includes(" 9 w ")""")
    assert page.input_value('.fields [name="reserve Black"]') == "9"


def test_a_stack_of_dvonn_is_put_with_its_height_and_its_dvonn_pieces(page):
    set_up(page, "dvonn")
    choose(page, "Lone DVONN piece")
    put(page, "d3")
    choose(page, "White stack")
    page.fill('dialog [name="height"]', "7")
    page.select_option('dialog [name="red"]', "*2")
    page.click('.drawing [data-place="c3"]')
    wait_for(page, "c3", "white stack of 7 with 2 DVONN pieces")
    choose(page, "Lone DVONN piece")
    assert not page.is_visible('dialog [name="height"]')


def test_what_is_put_is_removed_moved_cleared_and_reset(page):
    set_up(page, "zertz")
    put(page, "d4")
    assert page.input_value('.fields [name="pool white"]') == "4"
    page.drag_and_drop('.drawing [data-place="d4"]', '.drawing [data-place="d5"]')
    wait_for(page, "d5", "white")
    wait_for(page, "d4", "empty")
    page.click('.drawing [data-place="d5"]')
    wait_for(page, "d5", "empty")
    assert page.input_value('.fields [name="pool white"]') == "5"
    for button in ("Clear", "Reset"):
        choose(page, "No ring")
        put(page, "a1")
        wait_for(page, "a1", "no ring")
        page.click(f"dialog button:has-text('{button}')")
        wait_for(page, "a1", "empty")


def test_a_text_that_is_refused_leaves_the_board_as_it_is(page):
    set_up(page, "go,size=5")
    put(page, "C3")
    page.click("summary:has-text('Position as text')")
    text = page.get_by_label("Position as text")
    text.fill("XX/.. b")
    text.blur()
    wait_for_text(page, ".legality.bad", "expected rows of . X O between slashes")
    assert text.input_value().startswith("...../...../..X../")
    wait_for(page, "C3", "black stone")
    text.fill("...../..O../.OXO./..O../..... b - 0 0 0")
    text.blur()
    wait_for_text(page, ".legality.bad", "the chain of C3 has no liberty")
    wait_for(page, "C4", "white stone")


def test_the_position_shown_is_where_setting_up_begins_and_is_analysed(page):
    page.click("#new-game")
    page.wait_for_selector("dialog[open]")
    browsers.start(page, "gobang,size=7")
    page.click('#board .lit[data-place="d4"]')
    wait_for_turns(page, 1)
    page.click("#set-up")
    wait_for(page, "d4", "black stone")
    choose(page, "White stone")
    put(page, "e4")
    page.select_option('.fields [name="side"]', "b")
    page.click("dialog button:has-text('Analyse')")
    page.wait_for_selector("#dialog:not([open])", state="attached")
    page.wait_for_selector("#lines li")
    assert page.get_attribute('#board [data-place="e4"]', "aria-label").startswith("e4, white stone")


def test_keyboard_alone_sets_up_a_position_on_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 844})
    set_up(page, "gomoku,size=7")
    page.locator(".palette :checked").focus()
    page.keyboard.press("ArrowRight")
    page.locator('.drawing [tabindex="0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_for(page, "b7", "white stone")
    assert page.evaluate("document.activeElement.dataset.place") == "b7"
    assert page.evaluate("() => document.getElementById('dialog').scrollWidth") <= 390
    play(page)
    assert page.get_attribute('#board [data-place="b7"]', "aria-label").startswith("b7, white stone")
