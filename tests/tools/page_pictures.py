"""The pictures of the page in the docs: ``python -m tests.tools.page_pictures`` takes all of them."""

import io
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from tests.apps.web.browser import close_dialog, launched, opened, serving, set_up, start, wait_for_turns

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
LINES = "#lines li:nth-child(3)"
COLOURS = 128
THINKING = 4000  # ms of analysis
GIPF = "b..W/.b.../bbBbb./...b.../....../...../B... 9 1 b --"
GO = "(;GM[1]FF[4]SZ[9]KM[7];B[ee];W[eg];B[cf];W[gc];B[dc];W[gf];B[cg];W[ec];B[eb];W[fb];B[dd];W[fe])"
ZERTZ = "Ge2,e6 Ge1,f1"
FIVE = "H8 J8 H7 J7 H6 A15 H5 B14 P1 H4 H9"


def read(page: Any, text: str, game: str, turns: int | None = None) -> None:
    """Open a record, a position or turns."""
    page.click("#open")
    page.select_option("dialog select[name=game]", game)
    page.fill("dialog textarea", text)
    page.wait_for_selector("dialog .preview svg")
    page.wait_for_timeout(1000)
    page.click("dialog button.primary")
    page.wait_for_selector("#dialog:not([open])", state="attached")
    if turns:
        wait_for_turns(page, turns)


def analyse(page: Any) -> None:
    """Analyse the position shown for a while."""
    page.click("#analyse")
    page.wait_for_selector(LINES)
    page.wait_for_timeout(THINKING)


def take(page: Any, name: str, width: int = 1180, height: int = 820) -> None:
    """Take the picture of the window."""
    page.set_viewport_size({"width": width, "height": height})
    page.mouse.move(2, 2)
    page.evaluate("() => scrollTo(0, 0)")
    page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture.quantize(COLOURS).save(FOLDER / f"serve-{name}.png", optimize=True)


def main() -> None:
    """Take all pictures."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as (address, _),
        launched() as browser,
        opened(browser, address) as page,
    ):
        start(page, "dvonn")
        read(page, ZERTZ, "zertz", 2)
        take(page, "zertz")
        take(page, "phone", 390, 844)
        read(page, GIPF, "gipf")
        analyse(page)
        take(page, "analysis")
        read(page, GO, "go", 12)
        page.wait_for_selector(LINES)
        page.wait_for_timeout(THINKING)
        take(page, "go")
        page.click("#analyse")
        read(page, FIVE, "gomoku", 11)
        page.wait_for_selector("#choices button:has-text('Review')")
        take(page, "end", 768, 1024)
        page.click("#review")
        page.wait_for_selector("#progress:has-text('12 positions')")
        page.click("#turns button:has-text('a15')")
        take(page, "review")
        set_up(page, "dvonn")
        for number, place in enumerate(("c3", "d3", "e3"), 1):  # after the one that empties places
            page.click(f"dialog .palette label >> nth={number}")
            page.click(f'dialog [data-place="{place}"]')
        take(page, "setup")
        page.click("#dialog-buttons button:has-text('Close')")
        page.click("h1 a")
        page.wait_for_selector("#go-on button")
        take(page, "home", height=1100)
        page.click("#cards [aria-label='Learn GIPF']")
        page.wait_for_selector("#lesson h2")
        take(page, "lesson", 768, 1024)
        page.click("#lesson button:has-text('All rules')")
        page.wait_for_selector("#dialog-body li")
        page.evaluate("() => document.querySelector('#dialog-body li').closest('ul').scrollIntoView()")
        take(page, "rules")
        close_dialog(page)
        page.emulate_media(color_scheme="dark")
        page.click("h1 a")
        page.click("#cards [aria-label='Puzzles of GIPF']")
        page.wait_for_selector("#lesson button:has-text('Hint')")
        page.click("#lesson button:has-text('Hint')")
        take(page, "puzzle", 390, 844)
        page.click("h1 a")
        page.click("#cards [aria-label='Play DVONN']")
        start(page, "dvonn")
        page.click('#board .lit[data-place="f3"]')
        take(page, "dark")


if __name__ == "__main__":
    main()
