"""Play, analyse, and look at the results."""

import tengen
from tengen import Limit, Position

position = Position(tengen.GameSpec("gomoku", size=9))
turns: list[str] = []
with tengen.Engine(threads=1, level=3, method="alphabeta") as engine:
    while position.ply < 4:
        turns.append(position.push(engine.play(position, Limit(nodes=1000)).turn))
    lines = engine.analyse(position, 0.1, multipv=2)
    best: tengen.Score = max(line.score for line in lines)
    print(best.pov("white"), best.side.number, best < lines[-1].score)
    result = engine.play(position, Limit(depth=2))
    choice: str | None = result.choice
    engine.configure(level=20)


class Mine(tengen.Player):
    name = "mine"

    def play(self, position: Position, limit: Limit) -> str:
        return first(position)


def first(position: Position) -> str:
    return position.legal_turns[0]


tengen.match(Mine(), first, game="go,size=5", limit=1.0)
tengen.Engine().play(position, 1.0, on_info=lambda info: print(info.pv))
winner: str | None = position.winner()
mover: tengen.Side = position.side
print(mover == "black", mover == 0, [10, 20][mover], position.outcome())
