"""The page in a real browser, driven by Playwright: for tests and tools."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from tengen.apps.play.kept import KeptGame
from tengen.protocol.archive import DATA

CHROMIUM = shutil.which("chromium")
SECOND = 1000  # ms
PATIENCE = 120 * SECOND  # kernels may have to be compiled
CLICKER = (Path(__file__).parent / "clicker.js").read_text("utf-8")
MAX_CLICKS = 20_000  # of a game
# A script for a page: what the server sends takes 300 ms.
SLOW_SERVER = """
const { get, set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", {
  get,
  set(listener) {
    set.call(this, (message) => setTimeout(() => listener(message), 300));
  },
});
"""


@contextlib.contextmanager
def serving(folder: Path, port: str = "0") -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run a server with its games in `folder`, on a free port if none is named; yield address and process.

    Its user's data are in a folder beside that.
    """
    options = ["--port", port, "--no-browser", "--games", str(folder)]
    command = [sys.executable, "-m", "tengen", "serve", *options]
    environment = {**os.environ, DATA: f"{folder}-data"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().split()[-1], server
        finally:
            server.terminate()


@contextlib.contextmanager
def launched() -> Iterator[Any]:
    """Run Chromium without a window; yield Playwright's browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@lru_cache(maxsize=4)  # kinds of screens
def profile(browser: Any, width: int, height: int, phone: bool) -> Any:
    """Return a profile of the browser with such a screen; making one takes as long as loading the page."""
    viewport = {"width": width, "height": height}
    return browser.new_context(viewport=viewport, has_touch=phone, is_mobile=phone)


@contextlib.contextmanager
def first_screen(
    browser: Any, address: str, script: str = "", width: int = 1280, height: int = 1100, phone: bool = False
) -> Iterator[Any]:
    """Open the page of a server, which has kept nothing here; no script may fail meanwhile.

    What `script` does comes before what the page does.
    """
    errors: list[str] = []
    context = profile(browser, width, height, phone)
    page = context.new_page()
    kept = {"origin": address.rstrip("/"), "storageTypes": "all"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", kept)
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(script)
    page.goto(address)
    page.wait_for_selector("#cards li")
    yield page
    page.close()
    assert not errors, errors


@contextlib.contextmanager
def opened(browser: Any, address: str, script: str = "") -> Iterator[Any]:
    """Open the page of a server as `first_screen` does, with the dialog of a new game."""
    with first_screen(browser, address, script) as page:
        page.click("#new-game")
        page.wait_for_selector("dialog[open]")
        yield page


def close_dialog(page: Any) -> None:
    """Close the dialog that is open."""
    page.click("#dialog-buttons button:has-text('Close')")
    page.wait_for_selector("#dialog:not([open])", state="attached")


def choose_spec(page: Any, spec: str) -> None:
    """Choose a game with its variant and options in the dialog that is open."""
    head, *options = spec.split(",")
    name, _, variant = head.partition(":")
    page.select_option("dialog select[name=game]", name)
    if variant:
        page.select_option("dialog select[name=variant]", variant)
    if options and not page.evaluate("() => document.querySelector('dialog details').open"):
        page.click("dialog details summary")
    for option in options:
        key, _, value = option.partition("=")
        control = page.locator(f"dialog .options [name={key}]")
        if control.evaluate("control => control.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(value)
            control.dispatch_event("change")


def open_text(page: Any, text: str, spec: str = "") -> None:
    """Open a text by the dialog for that, as one of `spec` if it is named."""
    page.click("#open")
    page.wait_for_selector("dialog[open]")
    if spec:
        choose_spec(page, spec)
    page.fill("dialog textarea", text)
    page.click("dialog button.primary")
    page.wait_for_selector("#dialog:not([open])", state="attached")


def set_up(page: Any, spec: str) -> None:
    """Open the dialog in which positions are set up, at the start of a game."""
    page.click("#set-up")
    page.wait_for_selector("dialog .palette label")
    choose_spec(page, spec)
    wait_for_text(page, ".legality", "The position is legal.")


def point(page: Any, *places: str) -> None:
    """Click places that can be chosen."""
    for place in places:
        page.click(f'#board .lit[data-place="{place}"]')


def wait_for_text(page: Any, selector: str, text: str) -> None:
    """Wait until an element has this text in it."""
    page.locator(selector).filter(has_text=text).wait_for()


def start(page: Any, spec: str, opponent: str = "person") -> None:
    """Begin a game by the dialog."""
    choose_spec(page, spec)
    page.locator("dialog select[name=kind]").nth(1).select_option(opponent)
    page.click("dialog button.primary")
    page.wait_for_selector("#board svg .lit")
    page.wait_for_selector("dialog:not([open])", state="attached")  # as it closes, the focus moves once more


def click_to_the_end(page: Any, seed: int) -> int:
    """Play the game shown to its end by random clicks; return how many it took."""
    clicks: int = page.evaluate(CLICKER, [seed, MAX_CLICKS])
    return clicks


def kept_game(page: Any, folder: Path) -> KeptGame:
    """Return the finished game shown, as it is kept, once the server has written its result."""
    path = folder / f"{page.evaluate('() => location.hash').split('/')[1]}.sgf"
    deadline = time.monotonic() + PATIENCE / SECOND
    while not (kept := KeptGame.read(path)).result:
        assert time.monotonic() < deadline, f"{path}: no result is kept"
        time.sleep(0.05)
    return kept


def wait_for_turns(page: Any, number: int) -> None:
    """Wait until the list of turns has so many."""
    page.wait_for_function("n => document.querySelectorAll('#turns .turn').length === n", arg=number)
