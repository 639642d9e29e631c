"""Reports of a match or a tournament, as JSON and as text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine.columns import columns, named
from tengen.engine.errors import printable

if TYPE_CHECKING:
    from tengen.tuning.match.records import FinishedGame
    from tengen.tuning.match.settings import MatchSettings
    from tengen.tuning.match.statistics import Estimate
    from tengen.tuning.match.tournament import Match, PairScore

PENTANOMIAL = ("0", "½", "1", "1½", "2")
MAX_NAME_LENGTH = 32  # characters of a player in the table; the full name is listed above it
JsonDict = dict[str, Any]


def score_text(score: PairScore) -> str:
    """Return wins, draws and losses, and the share of points."""
    return f"+{score.wins} ={score.draws} -{score.losses} ({percent(score.points, score.games)})"


def percent(points: float, games: int) -> str:
    """Return the share of points; 50% without any game."""
    return f"{100 * points / games if games else 50:.1f}%"


def game_report(game: FinishedGame, match: Match) -> JsonDict:
    """Return a finished game for JSON."""
    settings = match.settings
    texts = [settings.players[player].text for player in settings.pairing(game.number)]
    return {
        "game": game.number,
        **(dict(zip(("first", "second"), texts, strict=True)) if settings.tournament else {}),
        "first_side": settings.game.game.sides[game.first_side],
        "opening": list(game.opening),
        "turns": list(game.turns),
        "result": game.result,
        "points": game.points / 2,
        "reason": game.reason,
        "detail": game.detail,
    }


def summary(
    match: Match, path: Path, anchors: Mapping[int, float] | None = None, los: bool = False
) -> JsonDict:
    """Return the report of a match, which is kept at `path`, for JSON; infinite bounds are null.

    In a tournament `anchors` are known Elo of players; `los` asks for each pair of players who is better with
    which likelihood.
    """
    settings, scores = match.settings, match.pairing_scores.values()
    games = sum(score.games for score in scores)
    turns = sum(score.turns for score in scores)
    names = [player.text for player in settings.players]
    forfeits = sorted(match.forfeits().items())
    return {
        "match": _settings_report(settings),
        "players": [
            {"seat": key, "name": name, "version": version, "mean_seconds": seconds}
            for key, name, version, seconds in zip(
                settings.player_keys, names, match.versions, match.mean_seconds(), strict=True
            )
        ],
        "games": games,
        "planned": max(settings.total, games),
        **(_tournament(match, anchors or {}, los) if settings.tournament else _two_player_report(match)),
        "forfeits": [
            {"player": names[player], "seat": settings.player_keys[player], "reason": reason, "games": count}
            for (player, reason), count in forfeits
        ],
        "reasons": dict(sum((score.reasons for score in scores), Counter())),
        "mean_turns": turns / games if games else 0.0,
        "openings": len(set().union(*(score.openings for score in scores))),
        "file": str(path),
    }


def _settings_report(settings: MatchSettings) -> JsonDict:
    """Return the settings of the match, with numbers as numbers."""
    from tengen.tuning.clocks import clock_text
    from tengen.tuning.openings import RandomTurns

    clock, openings = settings.clock, settings.openings
    overtime = clock and (clock.byoyomi or clock.moves_to_go)
    numbers: JsonDict = {
        "movetime": settings.limits.time,
        "nodes": settings.limits.nodes,
        "depth": settings.limits.depth,
        "clock": clock and (clock_text(clock) if overtime else [clock.remaining, clock.increment]),
        "openings": openings.longest if isinstance(openings, RandomTurns) else str(openings),
        "seed": settings.seed,
        "margin": settings.margin,
        "longest": settings.max_turns,
    }
    if settings.adjudicate is not None:
        numbers["adjudicate"] = settings.adjudicate
    return {**settings.identity(), **numbers}


def _record(score: PairScore) -> JsonDict:
    """Return the score of a pairing, for its first player."""
    return {
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "points": score.points,
        "pentanomial": score.pairs,
    }


def _two_player_report(match: Match) -> JsonDict:
    """Return the result of a match of two, for its first player."""
    from tengen.tuning.match import statistics

    score, sprt = match.score, match.settings.sprt
    report = {
        **_record(score),
        "elo": estimate(statistics.elo(score.pairs)),
        "los": statistics.los(score.pairs),
    }
    if sprt:
        report["sprt"] = {
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "llr": sprt.llr(score.pairs),
            "bounds": sprt.bounds,
            "accepted": sprt.decision(score.pairs),
        }
    return report


def _tournament(match: Match, anchors: Mapping[int, float], los: bool) -> JsonDict:
    """Return the ranking, best first, and the scores of the pairings; for the arguments see `summary`."""
    ratings, scores = match.ratings(anchors), match.scores()
    names, better = [player.text for player in match.settings.players], match.superiority() if los else []
    return {
        "ranking": [
            {
                "rank": rank,
                "player": names[player],
                "elo": estimate(ratings.elo[player]),
                **vars(scores[player]),
                "points": scores[player].points,
            }
            for rank, player in enumerate(ratings.order, 1)
        ],
        "reference": [names[player] for player in sorted(ratings.reference)],
        **({"anchors": {names[player]: elo for player, elo in anchors.items()}} if anchors else {}),
        **({"superiority": [[better[a][b] for b in ratings.order] for a in ratings.order]} if los else {}),
        "pairings": [
            {"first": names[first], "second": names[second], "games": score.games, **_record(score)}
            for (first, second), score in match.pairing_scores.items()
        ],
    }


def estimate(value: Estimate) -> dict[str, float | None]:
    """Return an estimate for JSON, with null for infinite values."""
    return {k: v if math.isfinite(v) else None for k, v in vars(value).items()}


# ------------------------------------------------------------------------------------------------- for people


def table(report: JsonDict) -> str:
    """Return the report of `summary` as text."""
    head = [("game", report["match"]["game"])]
    if "ranking" in report:
        head.append(("schedule", report["match"]["schedule"]))
    for player in report["players"]:
        version = f"   {player['version']}" if player["version"] else ""
        head.append((player["seat"], player["name"] + version))
    proof = ["", *_ranking(report), ""] if "ranking" in report else named(_match_rows(report))
    lines = [*named(head), *proof, *named(_summary_rows(report))]
    if "verdict" in report:  # of a gate
        new, old = (f"{player['name']} ({player['version'] or 'not played'})" for player in report["players"])
        counts = f"{report['games']} games, {report['openings']} openings"
        evidence = f"LLR {report['sprt']['llr']:+.2f} after {counts}"
        lines.append(f"{report['verdict']}: {new} against {old}: {evidence}")
    return "\n".join(map(printable, lines))


def _match_rows(report: JsonDict) -> list[tuple[str, str]]:
    """Return the result of a match of two."""
    games, points = report["games"], report["points"]
    score = f"{report['wins']} - {report['draws']} - {report['losses']}"
    pairs = zip(PENTANOMIAL, report["pentanomial"], strict=True)
    rows = [
        ("W - D - L", f"{score}   {points:g} of {games}   {percent(points, games)}"),
        ("Elo", "   95% in ".join(elo_texts(report["elo"], 2 * points - games))),
        ("LOS", f"{100 * report['los']:.1f}%"),
        ("pairs", "   ".join(f"{points}: {count}" for points, count in pairs)),
    ]
    if sprt := report.get("sprt"):
        low, high = sprt["bounds"]
        verdict = sprt["accepted"] or "undecided"
        hypotheses = f"H0 {sprt['elo0']:g}, H1 {sprt['elo1']:g}"
        rows.append(("SPRT", f"LLR {sprt['llr']:+.2f} in [{low:.2f}, {high:.2f}]   {hypotheses}: {verdict}"))
    return rows


def _summary_rows(report: JsonDict) -> list[tuple[str, str]]:
    """Return how the games went, and the file of the match."""
    forfeits = [f"{f['seat']} ({f['player']}): {f['games']} by {f['reason']}" for f in report["forfeits"]]
    rows = [("forfeits", "; ".join(forfeits) or "none")]
    if adjudicated := report["reasons"].get("adjudication"):
        by_scores = {"resign", "draw"} & report["match"].keys()
        rows.append(("adjudged" if by_scores else "proven", f"{adjudicated} games ended by adjudication"))
    times = [
        f"{player['seat']} {player['mean_seconds']:.3f} s"
        for player in report["players"]
        if player["mean_seconds"] is not None
    ]
    if times:
        rows.append(("a turn", "   ".join(times)))
    return [
        *rows,
        ("games", f"{report['games']} of {report['planned']}   {report['mean_turns']:.1f} turns each"),
        ("openings", f"{report['openings']} different"),
        ("kept in", report["file"]),
    ]


def elo_texts(elo: dict[str, float | None], lead: float = 0.0) -> tuple[str, str]:
    """Return an Elo (`estimate`) and its interval as texts. Unbounded ends are infinite; ? is an unknown Elo.

    An infinite Elo that is unbounded on both sides has the sign of `lead`, points more than the opponent's.
    """
    low, high = elo["low"], elo["high"]
    sign = (high is None) - (low is None) or lead
    value = f"{elo['value']:+.0f}" if elo["value"] is not None else f"{'+' if sign > 0 else '-'}∞"
    if elo["value"] is None and not sign:
        value = "?"
    bottom = "-∞" if low is None else f"{low:+.0f}"
    top = "+∞" if high is None else f"{high:+.0f}"
    return value, f"[{bottom}, {top}]"


def _ranking(report: JsonDict) -> list[str]:
    """Return the table of a tournament: the ranking, and the points against each player, by rank."""
    ranking = report["ranking"]
    points: dict[tuple[str, str], float] = {}
    for pairing in report["pairings"]:
        first, second = pairing["first"], pairing["second"]
        points[first, second] = pairing["points"]
        points[second, first] = pairing["games"] - pairing["points"]
    names = [row["player"] for row in ranking]
    rows = [
        ["", "player", "Elo", "95%", "games", "W - D - L", "points", "", *map(str, range(1, len(names) + 1))]
    ]
    for row in ranking:
        name = row["player"]
        against = [f"{points[name, other]:g}" if (name, other) in points else "-" for other in names]
        value, interval = elo_texts(row["elo"])
        rows.append(
            [
                str(row["rank"]),
                name if len(name) <= MAX_NAME_LENGTH else name[: MAX_NAME_LENGTH - 3] + "...",
                value,
                "" if report["reference"] == [name] else interval,
                str(row["games"]),
                f"{row['wins']} - {row['draws']} - {row['losses']}",
                f"{row['points']:g}",
                percent(row["points"], row["games"]),
                *against,
            ]
        )
    lines = columns(rows, left=(0, 1))
    if table := report.get("superiority"):  # in percent, by rank
        numbers = list(map(str, range(1, len(table) + 1)))
        cells = [["-" if los is None else f"{100 * los:.0f}%" for los in row] for row in table]
        head = ["LOS", *numbers]
        lines += [
            "",
            *columns([head, *([n, *row] for n, row in zip(numbers, cells, strict=True))], left=(0,)),
        ]
    if anchors := report.get("anchors"):
        fixed = ", ".join(f"{name} at {elo:g}" for name, elo in anchors.items())
        lines.append(f"Elo with {'the mean of ' if len(anchors) > 1 else ''}{fixed}")
    elif len(report["reference"]) < len(names):
        mean = "" if len(report["reference"]) == 1 else "the mean of "
        reference = f"{mean}{', '.join(report['reference'])}"
        lines.append(f"Elo relative to {reference}; the other ratings are unbounded")
    return lines
