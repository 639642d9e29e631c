"""Rate the levels of play by a tournament: every level plays against the one below it.

Games are played and kept as in `tengen match`: in pairs, from different openings, in an SQLite file. The same
command resumes. The table has the Elo of each level, fitted to all games, and its score against the level
below, both with 95% intervals. Elo counts from the rating that the game gives to the lowest level.

Levels below 20 search numbers of positions of their own, whatever the limits are. Level 20 searches 200,000
positions a turn by default.
"""

from dataclasses import dataclass, replace

from tengen.apps.cli.tuning.matches import MatchOptions, parse_settings, run_match
from tengen.engine.columns import columns
from tengen.engine.errors import OptionError
from tengen.protocol.arguments import int_in_range, option
from tengen.search.limits.limit import MAX_LEVEL
from tengen.tuning.match.report import JsonDict, elo_texts, percent

DEFAULT_NODES = 200_000
MIN_LEVELS = 3  # two players are a match: tengen match --first tengen,level=7 --second tengen,level=8
EXAMPLES = """examples:
  tengen levels --game dvonn --games 100 --out dvonn-levels.sqlite
  tengen levels --game go,size=9 --highest 10 --games 200 --concurrency 2"""
HEADINGS = ("level", "Elo", "95%", "games", "against the level below", "95%")


@dataclass(frozen=True, kw_only=True)
class Arguments(MatchOptions):
    """The options of ``tengen levels``."""

    lowest: int = option("the lowest level (default: 1)", "N", int_in_range(1, MAX_LEVEL), default=1)
    highest: int = option(
        f"the highest (default: {MAX_LEVEL})", "N", int_in_range(1, MAX_LEVEL), default=MAX_LEVEL
    )


def run(options: Arguments) -> int:
    """Play the tournament, or what is left of it, and print its table."""
    from tengen.tuning.match.settings import LADDER

    if options.highest - options.lowest + 1 < MIN_LEVELS:
        raise OptionError(
            f"--highest: expected at least {MIN_LEVELS} levels from --lowest {options.lowest} on, "
            f"got --highest {options.highest} (for two levels: tengen match)"
        )
    if not (options.movetime or options.clock or options.depth or options.nodes):
        options = replace(options, nodes=DEFAULT_NODES)
    players = [f"tengen,level={level}" for level in range(options.lowest, options.highest + 1)]
    settings = parse_settings(options, players, LADDER)
    return run_match(options, settings, command="levels", text=levels_table)


def levels_table(report: JsonDict) -> str:
    """Return the report of a tournament of levels as text."""
    from tengen.engine.spec import GameSpec
    from tengen.search.levels import ratings

    names = [player["name"] for player in report["players"]]
    lowest = int(names[0].rpartition("=")[2])
    base = ratings(GameSpec.parse(report["match"]["game"]).game)[lowest - 1]
    rows = [HEADINGS, *_rows(report, names, lowest, base)]
    match, units = report["match"], {"nodes": "positions", "movetime": "s", "depth": "actions deep"}
    spent = [f"{match[name]:,} {unit}" for name, unit in units.items() if match[name] is not None]
    spent += [f"clock {match['clock']}"] if match["clock"] else []
    return "\n".join(
        [
            f"game       {match['game']}",
            f"version    {report['players'][0]['version'] or 'not played'}",
            f"level {MAX_LEVEL}   {', '.join(spent)} a turn",
            "",
            *columns(rows, left=()),
            "",
            f"games      {report['games']} of {report['planned']}   {report['mean_turns']:.1f} turns each",
            f"kept in    {report['file']}",
        ]
    )


def _rows(report: JsonDict, names: list[str], lowest: int, base: int) -> list[tuple[str, ...]]:
    """Return a row for every level, the lowest first."""
    from tengen.tuning.match.statistics import score

    elo = {row["player"]: row["elo"] for row in report["ranking"]}
    shift = base - (elo[names[0]]["value"] or 0.0)
    below = {pairing["second"]: pairing for pairing in report["pairings"]}
    rows = []
    for level, name in enumerate(names, lowest):
        shifted = {k: None if v is None else v + shift for k, v in elo[name].items()}
        value, interval = elo_texts(shifted)
        cells = ["", "", ""]
        if pairing := below.get(name):
            got = score(pairing["pentanomial"][::-1])
            points = pairing["games"] - pairing["points"]
            cells = [str(pairing["games"]), percent(points, pairing["games"])]
            cells.append(f"[{100 * got.low:.0f}%, {100 * got.high:.0f}%]")
        rows.append((str(level), value.removeprefix("+"), interval.replace("+", ""), *cells))
    return rows
