"""Results of a match for programs that rate players: PGN, as Ordo and BayesElo read it."""

from __future__ import annotations

from pathlib import Path

from tengen.engine.game import Outcome
from tengen.engine.storage.files import replace_file
from tengen.tuning.match.tournament import Match

RESULTS = {Outcome.FIRST_WINS: "1-0", Outcome.SECOND_WINS: "0-1", Outcome.DRAW: "1/2-1/2"}


def write_pgn(path: Path, match: Match) -> None:
    """Write the results of all finished games to `path`; who begins a game is its White.

    There are no moves: these programs read the names and the results only.
    """
    replace_file(path, "\n".join(_game(match, number) for number in range(len(match.games))).encode())


def _game(match: Match, index: int) -> str:
    """Return a finished game, by its place in `Match.games`."""
    game, settings = match.games[index], match.settings
    names = [settings.players[player].text for player in settings.pairing(game.number)]
    white, black = names if game.first_side == 0 else names[::-1]
    tags = {
        "Event": str(settings.game),
        "Site": "?",
        "Date": "????.??.??",
        "Round": str(game.number + 1),
        "White": white,
        "Black": black,
        "Result": RESULTS[game.outcome],
    }
    lines = [f'[{name} "{_quoted(text)}"]' for name, text in tags.items()]
    return "\n".join([*lines, "", RESULTS[game.outcome], ""])


def _quoted(text: str) -> str:
    """Return `text` for a tag."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
