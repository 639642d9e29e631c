"""Watch searches while they run, with and without asyncio."""

import asyncio

import tengen


def watch(position: tengen.Position, depth: int) -> list[str]:
    """Return the line of play of a search that ends at a depth."""
    with tengen.Engine() as engine, engine.analysis(position) as analysis:
        for info in analysis:
            if info.depth >= depth:
                return list(info.pv)
    return []


async def think(position: tengen.Position) -> tengen.PlayResult:
    """Return the turn that is found while other things go on."""
    with tengen.Engine(level=5) as engine:
        lines: list[tengen.Info] = await engine.aanalyse(position, tengen.Limit(nodes=500), multipv=3)
        print([line.score for line in lines])
        return await engine.aplay(position, tengen.Limit(time=0.1), on_info=lambda info: print(info.pv))


result = asyncio.run(think(tengen.Position("dvonn")))
seconds: float = result.seconds
if result.choice is not None:
    print(result.turn, watch(tengen.Position("gomoku"), 3))
