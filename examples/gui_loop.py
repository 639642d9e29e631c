"""The loop of a graphical interface: it stays awake while the engine thinks, and shows what is found.

    python examples/gui_loop.py gomoku,size=9

Here the clicks come from a list, and the window is this terminal. With a toolkit that runs in asyncio,
`clicks` is a queue that its callbacks fill, and `show` draws.
"""

import asyncio
import sys

import tengen

THINKING = tengen.Limit(time=0.5)


class Window:
    """What a person sees."""

    def __init__(self, spec: str) -> None:
        self.position = tengen.Position(spec)
        self.clicks: asyncio.Queue[str] = asyncio.Queue()
        self.shown: list[str] = []

    def show(self, text: str) -> None:
        """Show a line."""
        self.shown.append(text)
        print(text)

    def show_info(self, info: tengen.Info) -> None:
        """Show what the engine thinks of; the loop of events calls it while the engine searches."""
        self.show(f"  depth {info.depth}: {info.score} {' '.join(info.pv[:4])}")

    async def play(self, engine: tengen.Engine, turns: int) -> None:
        """Play some turns of a person against the engine."""
        for _ in range(turns):
            try:
                self.position.push(await self.clicks.get())
            except tengen.TengenError as error:
                self.show(str(error))
                continue
            if self.position.is_over():
                break
            found = await engine.aplay(self.position, THINKING, on_info=self.show_info)
            self.show(f"engine: {self.position.push(found.turn)}")


async def main(spec: str, clicks: list[str] | None = None) -> Window:
    """Open a window, and click."""
    window = Window(spec)
    for click in clicks or [window.position.legal_turns[0], "nonsense", window.position.legal_turns[3]]:
        window.clicks.put_nowait(click)
    with tengen.Engine(level=5) as engine:
        await window.play(engine, window.clicks.qsize())
    return window


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if sys.argv[1:] else "gomoku,size=9"))
