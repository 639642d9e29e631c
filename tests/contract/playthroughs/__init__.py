"""Golden games: every answer at each ply of a random game.

``python -m tests.contract.playthroughs GAME`` writes one.
"""

from pathlib import Path

from tests.walks import SPECS, walk

LISTED = 200  # turns; of more only every second, third... is written
GAMES = {"gipf": 2}  # how many of the specs are played, in games where one does not show everything


def playthrough(name: str) -> str:
    """Return the dump of a random game of `name`, or of some."""
    return "\n".join(map(_dump, SPECS.get(name, [name])[: GAMES.get(name, 1)]))


def _dump(spec: str) -> str:
    lines = [f"# {spec}: a random game, all answers at each ply"]
    for position in walk(spec, 2026):
        turns = position.turns()
        lines += [
            "",
            f"played {' '.join(position.turns_played[-1:]) or '-'}",
            f"position {position.text()}",
            f"side {position.side}",
            f"key {int(position.state.key):016x}",
            f"outcome {position.outcome().name} {position.winner() or ''}".rstrip(),
            f"evaluate {position.evaluate()}",
            f"turns {len(turns)}: {' '.join(turns[:: 1 + len(turns) // LISTED])}".rstrip(),
        ]
    lines.append(f"result {position.result()}")
    return "\n".join(lines) + "\n"


def write(name: str) -> Path:
    """Write the golden file of `name` and return its path."""
    path = Path(__file__).parent / f"{name}.txt"
    path.write_text(playthrough(name), "utf-8")
    return path
