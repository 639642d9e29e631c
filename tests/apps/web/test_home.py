"""The first screen, and what is brought to the page, in a real browser."""

import re

import pytest

from tests.apps.web import browser as browsers
from tests.apps.web.browser import CHROMIUM, start, wait_for_text, wait_for_turns

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium (make clients)")
DRAWN = "() => [...document.querySelectorAll('#cards img')].every(image => image.naturalWidth)"
SHOWN = "text => document.querySelector('dialog textarea').value.includes(text)"
PASTE = """text => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}"""
DROP = """text => {
    const data = new DataTransfer();
    data.items.add(new File([text], "game.sgf"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
}"""


@pytest.fixture
def page(browser, address):
    """The first screen of a small touch screen, on which a mouse works, too."""
    with browsers.first_screen(browser, address, width=390, height=844, phone=True) as page:
        yield page


def test_all_games_are_shown_with_a_position_and_begin_by_a_click(page):
    page.wait_for_function(DRAWN)
    assert page.locator("#cards img").count() == page.locator("#cards li").count() == 6
    page.click("#cards [aria-label='Play DVONN']")
    assert page.input_value("dialog select[name=game]") == "dvonn"


def test_positions_on_the_first_screen_are_described_in_each_language(page):
    read = "name => fetch(name).then(found => found.text())"
    for language, said in {"en": "White to move", "fr": "À Blanc de jouer", "es": "Juega Blanco"}.items():
        assert f">{said}" in page.evaluate(read, f"covers/{language}/dvonn.svg")


def test_a_game_that_is_not_there_leads_to_the_first_screen(page, address):
    page.goto(f"{address}#/nothing")
    wait_for_text(page, "#welcome", "nothing")
    assert page.locator("#cards li").count() == 6


def test_a_finger_confirms_a_small_point_and_the_mouse_shows_the_stone(page):
    page.click("#new-game")
    start(page, "go,size=19")
    page.hover('#board .lit[data-place="D4"]')
    page.wait_for_selector("#board .ghost.black")
    page.tap('#board .lit[data-place="Q16"]')
    wait_for_text(page, "#status", "Tap Q16 again to play there.")
    page.tap('#board .lit[data-place="Q16"]')
    wait_for_turns(page, 1)
    assert "Q16" in page.inner_text("#turns")


@pytest.mark.parametrize(
    ("script", "text"),
    [(PASTE, "c3 d3"), (DROP, "(;GM[4]FF[4]SZ[19];B[dd];W[pp])")],
    ids=["pasted", "dropped"],
)
def test_what_is_pasted_or_dropped_is_a_record_to_open(page, script, text):
    page.evaluate(script, text)
    page.wait_for_selector("dialog[open] textarea")
    page.wait_for_function(SHOWN, arg=text[-3:])


def test_engines_that_play_each_other_pause_and_play_turn_by_turn(page):
    page.click("#new-game")
    page.select_option("dialog select[name=game]", "gomoku")
    for number in (0, 1):
        page.locator("dialog select[name=kind]").nth(number).select_option("engine")
    page.click("dialog button.primary")
    page.click("#choices button:has-text('Pause')")
    wait_for_text(page, "#status", "The engines wait.")
    before = page.locator("#turns .turn").count()
    page.click("#choices button:has-text('One turn')")
    wait_for_turns(page, before + 1)
    wait_for_text(page, "#status", "The engines wait.")
    page.click("#choices button:has-text('Go on')")
    page.wait_for_selector("#choices button:has-text('Pause')")


def files_of(*records: tuple[str, str]) -> list[dict[str, object]]:
    return [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in records]


def test_of_several_files_all_are_kept_and_those_that_fail_are_named(page):
    page.click("#open")
    page.set_input_files(
        "dialog input[type=file]",
        files_of(
            ("one.sgf", "(;GM[4]SZ[7];B[dd])"),
            ("bad.sgf", "(;GM[99])"),
            ("two.sgf", "(;GM[1]SZ[5];B[bb];W[cc])"),
        ),
    )
    wait_for_text(page, "#status", "2 of 3 files are kept in Games. bad.sgf: ")
    wait_for_turns(page, 1)
    assert "d4" in page.inner_text("#turns")
    page.click("#games")
    page.wait_for_selector("dialog .games li:has-text('Go (size 5)')")
    assert page.locator("dialog .games li", has_text="Gomoku (size 7), 1 turn").count() == 1


def test_stones_have_the_numbers_of_their_turns_and_the_board_is_turned_round(page):
    browsers.open_text(page, "c3 d4 e5", "gomoku,size=7")
    wait_for_turns(page, 3)
    assert page.locator("#board .number").count() == 0
    at = page.locator('#board [data-place="a1"]').bounding_box()
    page.click("#settings")
    page.get_by_label("Numbers of turns on stones").check()
    page.get_by_label("Board turned round").check()
    page.click("dialog button.primary")
    page.wait_for_selector("#board .number")
    assert page.locator("#board .number").all_text_contents() == ["3", "2", "1"]
    assert page.locator('#board [data-place="g7"]').bounding_box() == pytest.approx(at, abs=1)
    places = page.evaluate(COLUMNS)
    assert [letter for letter, _ in places] == [*"abcdefg"]
    assert all(abs(x - y) < 1 for _, (x, y) in places), "letters stand above their columns"
    page.click('#board .lit[data-place="g1"]')
    wait_for_turns(page, 4)
    page.locator("#board .number", has_text="4").wait_for()
    page.reload()
    page.locator("#board .number", has_text="4").wait_for()


COLUMNS = """() => [..."abcdefg"].map((letter) => {
  const texts = [...document.querySelectorAll("#board svg > text")];
  const text = texts.find((each) => each.textContent === letter);
  const place = document.querySelector(`#board [data-place="${letter}1"]`);
  return [letter, [text.getAttribute("x"), place.getAttribute("cx")].map(Number)];
})"""


def test_options_are_chosen_in_words(page):
    page.click("#new-game")
    browsers.choose_spec(page, "gipf:basic,zertz=3,challenges=1,challenge-game=gomoku")
    page.get_by_label("YINSH potentials", exact=True).last.check()
    page.click("dialog button.primary")
    page.wait_for_selector("#board svg .lit")
    page.click("#new-game")
    browsers.close_dialog(page)
    page.click("#set-up")
    page.wait_for_selector("dialog .boxes")
    assert page.evaluate("() => document.querySelector('dialog .boxes').value") == "zertz+yinsh"
    assert page.input_value("dialog [name=challenge-game]") == "gomoku"


def test_the_clock_is_free_and_the_analysis_outlives_a_reload(page):
    page.click("#new-game")
    page.select_option("dialog select[name=clock]", "custom")
    page.fill("dialog [aria-label=Minutes]", "2.5")
    start(page, "dvonn")
    assert page.inner_text(".clock >> nth=0") == "2:30"
    page.click("#analyse")
    page.reload()
    page.wait_for_selector("#lines li")
    assert page.get_attribute("#analyse", "aria-pressed") == "true"
    page.click("#new-game")
    start(page, "gomoku")
    page.locator("#lines li", has_text=re.compile(r"[a-o]\d")).first.wait_for()


def test_a_click_before_the_server_has_answered_is_not_lost(browser, address):
    slower = browsers.SLOW_SERVER.replace("300)", "2000)")
    with browsers.first_screen(browser, address, slower) as page:
        page.reload(wait_until="domcontentloaded")
        assert page.locator("#cards li").count() == 0, "the games are not known yet"
        page.click("#settings")
        page.wait_for_selector("dialog[open]")
        wait_for_text(page, "#dialog-title", "Settings")
