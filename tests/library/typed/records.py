"""Walk through a record, with asyncio for the engine."""

import asyncio
from collections.abc import Iterator

import tengen


def losses(path: str, side: str) -> Iterator[tuple[str, float]]:
    """Yield the turns of a side, and what the position was worth before."""
    record = tengen.Record.read(path)
    with tengen.Engine() as engine:
        for node, position in record.positions():
            if node.turn and node.side == side:
                yield node.turn, engine.analyse(position, tengen.Limit(nodes=100))[0].score.win_rate


async def first(engine: tengen.BaseEngine, position: tengen.Position) -> str:
    """Return the first turn that an analysis finds."""
    engine.configure(Threads=2)
    async for info in engine.analysis(position):
        return info.turn
    return (await engine.aplay(position, 1.0)).turn


with tengen.external("tengen ugi", "ugi", Threads=1) as program:
    print(asyncio.run(first(program, tengen.Position("dvonn"))))
try:
    print(*losses("missing.sgf", "white"))
except FileNotFoundError as error:
    print(error.filename)
