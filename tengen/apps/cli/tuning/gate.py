"""Decide whether new weights are better than old ones, by a match with a sequential test.

The test (SPRT) accepts the new weights if they are E1 Elo better, and rejects them if they are not even E0
better; each decision is wrong in 5% of gates. Both players are the same engine. Results name the hashes of
its sources and weights, so a change of either is detected. The same command resumes an interrupted gate. All
other options are those of tengen match.

exit status: 0 accepted, 1 rejected or undecided after all games, 2 bad input, 130 interrupted
"""

from dataclasses import dataclass

from tengen.apps.cli.tuning.matches import GATE, MatchOptions, games_option, parse_settings, run_match
from tengen.engine.errors import OptionError, quoted
from tengen.protocol.arguments import option, replaced

EXAMPLES = """examples:
  tengen gate --game dvonn --new candidate.npz --movetime 0.1
  tengen gate --game gipf --new candidate.npz --old best.npz --nodes 5000 --sprt 0,5 --concurrency 4 && \\
      cp candidate.npz best.npz"""
PLAYER = "tengen"


@dataclass(frozen=True, kw_only=True)
class Arguments(MatchOptions):
    """The options of ``tengen gate``: those of a match of two, with weights in place of players."""

    new: str = option("the new weights", "FILE", required=True)
    old: str | None = option("the weights to beat (default: those that the game ships with)", "FILE")
    games: int = games_option(10_000, "maximum number of games")
    sprt: str = replaced(MatchOptions, "sprt", "0,10")


def run(options: Arguments) -> int:
    """Play the match of the new weights against the old ones, or what is left of it."""
    from tengen.engine.weights import read_weights

    settings = parse_settings(options, [player(options.new), player(options.old)])
    if not settings.openings.longest:
        raise OptionError("--openings: expected at least 1 turn, for games that differ, got 0")
    game = settings.game.game
    new = read_weights(game, options.new)
    old = read_weights(game, options.old) or (game.evaluation and game.evaluation.shipped())
    assert new
    assert old
    if new.fingerprint == old.fingerprint:
        names = f"{options.new} and {options.old or 'those that the game ships with'}"
        raise OptionError(f"weights: expected different ones, got {names}, both {new.fingerprint}")
    # contents, not names alone
    known = {**settings.identity(), "new": new.fingerprint, "old": old.fingerprint}
    return run_match(options, settings, command=GATE, known=known)


def player(file: str | None) -> str:
    """Return the engine with the weights of `file`, or the shipped ones, as a player."""
    if file and "," in file:
        raise OptionError(f"weights: expected a name without a comma, got {quoted(file, 200)}")
    return PLAYER if file is None else f"{PLAYER},weights={file}"
