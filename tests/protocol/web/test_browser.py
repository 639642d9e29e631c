"""The page in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium (make clients)")
SECOND = 1000  # ms
PATIENCE = 120 * SECOND  # kernels may have to be compiled


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a server of its own."""
    command = [sys.executable, "-m", "tengen", "serve", "--port", "0", "--no-browser", "--games"]
    with subprocess.Popen(
        [*command, str(tmp_path_factory.mktemp("games"))], stdout=subprocess.PIPE, text=True
    ) as server:
        yield server.stdout.readline().split()[-1]
        server.terminate()


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def page(browser, address):
    """The page of the server, with the dialog of a new game; no script may fail."""
    errors: list[str] = []
    opened = browser.new_page()
    opened.set_default_timeout(PATIENCE)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(address)
    opened.wait_for_selector("dialog[open]")
    yield opened
    opened.close()
    assert not errors


def start(page, game: str, opponent: str = "person") -> None:
    page.select_option("dialog select[name=game]", game)
    page.locator("dialog select[name=kind]").nth(1).select_option(opponent)
    page.click("dialog button.primary")
    page.wait_for_selector("#board svg .lit")


def point(page, *places: str) -> None:
    for place in places:
        page.click(f'#board .lit[data-place="{place}"]')


def wait_for_turns(page, number: int) -> None:
    page.wait_for_function("n => document.querySelectorAll('#turns .turn').length === n", arg=number)


def test_placement_of_zertz_by_clicks_and_reload(page):
    start(page, "zertz")
    point(page, "W", "d4", "d1")
    wait_for_turns(page, 1)
    page.reload()
    wait_for_turns(page, 1)
    assert "Wd4,d1" in page.inner_text("#turns")
    assert "Second to move" in page.inner_text("#status")


def test_keyboard_alone_plays_a_stone(page):
    start(page, "gomoku")
    page.locator('#board [tabindex="0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_for_turns(page, 1)
    assert "B14" in page.inner_text("#turns")
    label = page.get_attribute('#board [data-place="B14"]', "aria-label")
    assert label.startswith("B14, black stone")


def test_game_against_the_engine_takes_turns_back(page):
    """What was taken back stays in the list of turns, as the line that Redo plays again."""
    start(page, "gipf", "engine")
    point(page, "b1", "b2")
    page.wait_for_selector('#turns [aria-current]:text("2. ")')
    page.click("#undo")
    page.wait_for_selector("#undo:disabled")
    assert page.locator("#turns [aria-current]").count() == 0
    wait_for_turns(page, 2)
    page.click("#redo")
    page.wait_for_selector("#redo:disabled")
    assert "2." in page.inner_text("#turns [aria-current]")
    assert "White to move" in page.inner_text("#status")


def test_analysis_marks_candidates_and_walks_a_line(page):
    start(page, "dvonn")
    page.click("#analyse")
    page.locator("#lines li button.turn").first.click()
    page.wait_for_selector("#turns [aria-current]")
    page.click("#analyse")
    assert "Position after turn" in page.inner_text("#status")


def test_review_on_a_phone_teaches_from_a_mistake(page):
    """White lets a row of three stand; the better turn is one of its ends."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("() => localStorage.setItem('tengen', JSON.stringify({ nodes: 2000 }))")
    page.reload()
    page.click("#dialog-buttons button:has-text('Close')")
    page.click("#open")
    page.select_option("dialog select[name=game]", "gomoku")
    page.fill("dialog textarea", "H8 J8 H7 J7 H6 A15 H5 B14 P1 H4 H9")
    page.click("dialog button.primary")
    wait_for_turns(page, 11)
    page.click("#review")
    page.locator("#puzzles button:enabled", has_text="White").click()
    page.click("text=Show the solution")
    assert "The best turn is" in page.inner_text("#status")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
