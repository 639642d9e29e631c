"""Measure the memory of ``tengen serve``, with many pages under analysis: ``python -m tests.tools.page``.

Chromium shows the pages (`make clients`); Linux only. What the server does when they are gone is measured in
processor time.
"""

import tempfile
import time
from pathlib import Path
from typing import Any

from tests import command_line
from tests.apps.web.browser import launched, opened, serving, start, wait_for_turns
from tests.processes import cpu_seconds
from tests.tools.clicks import memory

GAMES = ("dvonn", "zertz", "gipf", "gomoku", "go", "gobang")


def measure(browser: Any, address: str, server: int, tabs: int, seconds: float) -> None:
    """Let many pages analyse at the same time; print memory, and what the server does when they are gone."""
    print(f"memory of the server with one page: {memory(server):.0f} MB")
    context = browser.new_context()
    pages = []
    for number in range(tabs):
        page = context.new_page()
        page.goto(address)
        page.click("#new-game")
        start(page, GAMES[number % len(GAMES)])
        page.click("#analyse")
        pages.append(page)
    pages[-1].wait_for_selector("#lines li")
    time.sleep(seconds)
    print(f"memory of the server with {tabs} pages analysing: {memory(server):.0f} MB")
    busy = sum(page.locator("#lines li").count() > 0 for page in pages)
    print(f"pages that show candidates: {busy} of {tabs}")
    context.close()
    for second in range(1, 6):
        before = cpu_seconds(server)
        time.sleep(1.0)
        print(f"processor time in second {second} after: {1000 * (cpu_seconds(server) - before):.0f} ms")


def main() -> None:
    """Measure."""
    parser = command_line(__doc__)
    parser.add_argument("--tabs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0, help="of analysis in all tabs")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as (address, server),
        launched() as browser,
    ):
        with opened(browser, address) as page:
            start(page, "dvonn")
            wait_for_turns(page, 0)
        measure(browser, address, server.pid, arguments.tabs, arguments.seconds)


if __name__ == "__main__":
    main()
