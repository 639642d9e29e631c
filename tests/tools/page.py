"""Measure the page of ``tengen serve``: its first board, clicks, and many tabs under analysis.

    python -m tests.tools.page

Chromium shows the page (`make clients`); Linux only. Wall-clock times depend on what else the machine does:
beside the median stands the least of all rounds, and the processor time of the server and the page's main
thread.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import command_line
from tests.apps.web.browser import launched, opened, serving, start, wait_for_turns
from tests.tools.clicks import memory

GAMES = ("dvonn", "zertz", "gipf", "gomoku", "go", "gobang")
ONE_CLICK = ("dvonn", "zertz", "gomoku", "go", "gobang")  # begin with turns, or steps, of one click
TICKS = os.sysconf("SC_CLK_TCK")
WATCH = """() => {
    const found = new MutationObserver(() => {
        if (!window.firstBoard && document.querySelector("#board svg")) window.firstBoard = performance.now();
    });
    found.observe(document, { childList: true, subtree: true });
}"""
FIRST_BOARD = "() => window.firstBoard - performance.getEntriesByType('navigation')[0].responseStart"
CLICK = """async () => {
    const lit = [...document.querySelectorAll("#board .lit")];
    const [place] = lit; // along an edge, by turns: no five in a row ends the game
    const box = place.getBoundingClientRect();
    const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true, button: 0 };
    const board = document.getElementById("board");
    const choices = () => [...board.querySelectorAll(".lit")].map((each) => each.dataset.place).join();
    const before = choices();
    const shown = new Promise((resolve) => {
        const look = (changes) => {
            const drawn = changes.some((each) => each.type === "childList" && each.target === board);
            if (drawn || choices() !== before) resolve();
        }; // a step that changes nothing on the board changes what can be chosen
        new MutationObserver(look).observe(board, { childList: true, subtree: true, attributes: true });
    });
    const began = performance.now();
    place.dispatchEvent(new PointerEvent("pointerdown", at));
    place.dispatchEvent(new PointerEvent("pointerup", at));
    await shown;
    return performance.now() - began;
}"""


def processor_time(process: int) -> float:
    """Return the processor time of a process in ms."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / TICKS


class Meter:
    """Processor time of the server and of the page's main thread, in ms."""

    def __init__(self, page: Any, server: int) -> None:
        self._server = server
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def read(self) -> tuple[float, float]:
        """Return both."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        (task,) = (metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        return processor_time(self._server), 1000 * task


class Rounds:
    """Wall-clock and processor times of rounds, in ms."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._times: list[tuple[float, float, float]] = []

    @contextmanager
    def measured(self, loads: bool = False) -> Iterator[list[float]]:
        """Measure a round, which appends its wall-clock time; `loads`: the page is loaded anew."""
        wall: list[float] = []
        server, script = self._meter.read()
        yield wall
        server_after, script_after = self._meter.read()
        self._times.append((wall[0], server_after - server, script_after - (0.0 if loads else script)))

    def report(self, label: str) -> None:
        """Print the medians, and the least wall-clock time."""
        wall, server, script = (statistics.median(column) for column in zip(*self._times, strict=True))
        least = min(times[0] for times in self._times)
        print(
            f"{label:20} median {wall:4.0f} ms, least {least:4.0f} ms; "
            f"processor time: server {server:3.0f} ms, page {script:3.0f} ms",
            flush=True,
        )


def measure_first_board(page: Any, meter: Meter, game: str, number: int) -> None:
    """Load the page of a game again and again."""
    rounds = Rounds(meter)
    for _ in range(number):
        with rounds.measured(loads=True) as times:
            page.reload()
            page.wait_for_function("() => window.firstBoard")
            times.append(page.evaluate(FIRST_BOARD))
    rounds.report(f"{game}: first board")


def measure_clicks(page: Any, meter: Meter, game: str, number: int) -> None:
    """Play turns, or steps of turns, of one click."""
    rounds = Rounds(meter)
    for _ in range(number):
        page.wait_for_selector("#board svg .lit")
        with rounds.measured() as times:
            times.append(page.evaluate(CLICK))
    rounds.report(f"{game}: click")


def measure_tabs(browser: Any, address: str, server: int, tabs: int, seconds: float) -> None:
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
        before = processor_time(server)
        time.sleep(1.0)
        print(f"processor time in second {second} after: {processor_time(server) - before:.0f} ms")


def main() -> None:
    """Measure."""
    parser = command_line(__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--tabs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0, help="of analysis in all tabs")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as (address, server),
        launched() as browser,
    ):
        for game in GAMES:
            with opened(browser, address) as page:
                page.add_init_script(f"({WATCH})()")
                meter = Meter(page, server.pid)
                start(page, game)
                wait_for_turns(page, 0)
                measure_first_board(page, meter, game, arguments.rounds)
                if game in ONE_CLICK:
                    measure_clicks(page, meter, game, arguments.rounds)
        measure_tabs(browser, address, server.pid, arguments.tabs, arguments.seconds)


if __name__ == "__main__":
    main()
