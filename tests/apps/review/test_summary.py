"""The page about many reviewed games."""

import re
from pathlib import Path

from tengen.apps.review.assessment import ReviewSummary
from tengen.apps.review.pages.summary import ReviewedSide, write

WHY = {"kind": "capture", "text": "Black can play <C3>", "line": ["C3"]}


def side(folder: Path, name: str, player: str, date: str, losses: list[float]) -> ReviewedSide:
    turns = [
        {
            "turn": 2 * number + 1,
            "played": f"D{number}",
            "best": "E5",
            "loss": loss,
            "mark": "??" * (loss > 0.2),
        }
        | ({"reasons": [WHY]} if loss > 0.2 else {})
        for number, loss in enumerate(losses)
    ]
    marks = {"?!": 0, "?": 0, "??": sum(loss > 0.2 for loss in losses)}
    summary = ReviewSummary(len(losses), 0, len(losses), sum(losses) / len(losses), marks)
    return ReviewedSide(str(folder / name), "black", player, summary, date, tuple(turns))


def test_a_player_has_games_in_order_phases_reasons_and_worst_turns(tmp_path):
    later = side(tmp_path / "games", "a b.sgf", "<Ann>", "2026-02-01", [0.0, 0.0, 0.3])
    earlier = side(tmp_path / "games", "c.sgf", "<Ann>", "2026-01-01", [0.1, 0.5, 0.0])
    path = tmp_path / "all.html"
    write(path, [later, earlier, side(tmp_path, "d.sgf", "", "", [0.0])])
    page = path.read_text("utf-8")
    assert "<Ann>" not in page
    assert "<C3>" not in page
    assert "<script" not in page
    every, player = page.split("<h2>&lt;Ann&gt;</h2>")
    assert [every.index(name) for name in ("a b.sgf", "c.sgf", "d.sgf")] == sorted(
        every.index(name) for name in ("a b.sgf", "c.sgf", "d.sgf")
    )
    assert player.index("c.sgf") < player.index("a b.sgf")  # by date
    assert re.findall(r"<rect .*?<title>(.*?)</title>", player) == [
        "c.sgf 2026-01-01: 20.0%",
        "a b.sgf 2026-02-01: 10.0%",
    ]
    assert "<tr><td class=n>5.0%</td><td class=n>25.0%</td><td class=n>15.0%</td></tr>" in player
    assert "<tr><td>capture</td><td class=n>2</td></tr>" in player
    worst = re.findall(r'href="([^"]*#\d+)"', player)
    assert worst == ["games/c.analyzed.html#3", "games/a%20b.analyzed.html#5"]


def test_a_player_of_one_game_without_mistakes_has_no_empty_parts(tmp_path):
    path = tmp_path / "all.html"
    write(path, [side(tmp_path, "a.sgf", "Bob", "", [0.0, 0.1])])
    page = path.read_text("utf-8")
    assert "1 game<" in page
    assert not any(part in page for part in ("Mean loss by game", "Why turns lost", "worst turns"))
