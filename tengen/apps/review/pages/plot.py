"""Graph of a reviewed game: win rate, mistakes and, where known, the lead in points."""

import io
import math
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tengen.apps.review.annotation import FIRST_SIDE
from tengen.apps.review.assessment import MISTAKES, JudgedMove, Review
from tengen.engine.errors import OptionError, quoted
from tengen.engine.extras import missing
from tengen.engine.notation import shown
from tengen.engine.sgf import Record
from tengen.engine.storage.files import replace_file

FORMATS = (".png", ".svg")
COLOURS = {"b": "#33383f", "w": "#f4f1ea"}  # of the sides, by their letters
MARKS = {"?!": ("#e8b100", 45), "?": ("#ee7200", 65), "??": ("#d11f1f", 90)}  # colour and area of the dot
NAMES = {"?!": "doubtful", "?": "mistake", "??": "blunder"}
LINE_COLOR = "#2a6fb0"
LABELLED_MARKS = ("?", "??")  # mistakes labelled with the turn played, if there is room
ROOM = 0.08  # share of the width that such a label needs
CJK_FONTS = (  # fonts for Chinese, Japanese and Korean names
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans",
    "Arial Unicode MS",
)
MAX_NAME = 48  # characters of a name
SIZE = (11, 5.2)  # inches, without the second panel, which is below
PANEL = 2.2
DPI = 130


def require(path: Path) -> None:
    """Raise OptionError unless a graph can be drawn and written to this file."""
    if path.suffix.lower() not in FORMATS:
        raise OptionError(f"--plot: expected a file named *.png or *.svg, got {quoted(str(path), 200)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise missing("--plot needs matplotlib", "plot") from None
    if path.is_dir():
        raise OptionError(f"--plot: expected a file, got the folder {quoted(str(path), 200)}")
    if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise OptionError(f"--plot: expected a writable folder, got {quoted(str(path.parent), 200)}")


def write(path: Path, record: Record, review: Review) -> None:
    """Draw the graph of a game to the file at `path`, which is replaced."""
    values = review.values_for(FIRST_SIDE)
    leads = [math.nan if value.lead is None else value.lead for value in values]
    panels = 1 if all(map(math.isnan, leads)) else 2

    def paint(figure: Any) -> None:
        heights = [SIZE[1], PANEL][:panels]
        axes = figure.subplots(panels, 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
        _draw_rates(axes[0], review)
        if panels == 2:
            _draw_leads(axes[1], review, leads)
        figure.suptitle(title(record), fontsize=11)
        axes[-1].set_xlabel("turn")
        axes[-1].set_xlim(0, max(1, len(values) - 1))
        axes[-1].xaxis.get_major_locator().set_params(integer=True)

    save(path, (SIZE[0], SIZE[1] + PANEL * (panels - 1)), paint)


def save(path: Path, size: tuple[float, float], paint: Callable[[Any], None]) -> None:
    """Draw a figure, `size` in inches, with `paint` and write it to the file at `path`, which is replaced."""
    import matplotlib
    from matplotlib import font_manager
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    installed = {font.name for font in font_manager.fontManager.ttflist}
    fonts = ["DejaVu Sans", *(font for font in CJK_FONTS if font in installed)]  # names may be in any script
    style = {"svg.hashsalt": "tengen", "svg.fonttype": "none", "font.family": fonts}
    with matplotlib.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a name in a script without a font
        figure = Figure(size, dpi=DPI, layout="constrained")
        FigureCanvasAgg(figure)
        paint(figure)
        picture = io.BytesIO()
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else None
        figure.savefig(picture, format=path.suffix[1:].lower(), metadata=metadata)
    replace_file(path, picture.getvalue())


def title(record: Record) -> str:
    """Return the title: the players, the game and the result."""
    game = record.spec.game
    players = []
    for letter, side in zip(game.letters, game.sides, strict=True):
        name = property_text(record, f"P{letter.upper()}")
        players.append(f"{side.capitalize()}: {name}" if name else side.capitalize())
    result = property_text(record, "RE")
    return plain(f"{'   –   '.join(players)}\n{record.spec}{result and f',  {result}'}")


def property_text(record: Record, name: str) -> str:
    """Return the text of a property, in one line that is not too long."""
    text = record.value(name)
    return text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 1]}…"


def plain(text: str) -> str:
    """Return `text` escaped, so that matplotlib does not read it as a formula."""
    return text.replace("$", r"\$")


def _draw_rates(axes: Any, review: Review) -> None:
    """Draw the first side's win rate in per cent, with the mistakes on it."""
    game = review.spec.game
    rates = [100 * value.rate for value in review.values_for(FIRST_SIDE)]
    turns = range(len(rates))
    other = [entry.other is not None for entry, _ in review.shown]
    ours, theirs = (COLOURS[game.letters[side]] for side in (FIRST_SIDE, 1 - FIRST_SIDE))
    axes.set_facecolor(theirs)
    axes.fill_between(turns, rates, color=ours, linewidth=0)
    axes.axhline(50, color="#888888", linewidth=0.8, linestyle=(0, (4, 3)))
    own = [math.nan if elsewhere else rate for rate, elsewhere in zip(rates, other, strict=True)]
    axes.plot(turns, own, color=LINE_COLOR, linewidth=1.8, label=f"win rate of {game.sides[FIRST_SIDE]}")
    if any(other):
        away = [rate if elsewhere else math.nan for rate, elsewhere in zip(rates, other, strict=True)]
        axes.plot(
            turns, away, color=LINE_COLOR, linewidth=1.8, linestyle=":", label="in the game for a challenge"
        )
    _draw_mistakes(axes, review, rates)
    axes.set_ylim(0, 100)
    axes.set_yticks(range(0, 101, 25))
    axes.set_ylabel(f"win rate of {game.sides[FIRST_SIDE]}, %")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0, frameon=False)


def _draw_mistakes(axes: Any, review: Review, rates: list[float]) -> None:
    """Mark every mistake at the position it led to: colour and size by its mark, shape by its side."""
    game = review.spec.game
    mistakes = [move for move in review.moves if move.mark]
    for mark in MISTAKES:
        for side in (0, 1):
            chosen = [move.number for move in mistakes if move.mark == mark and move.before.mover == side]
            colour, area = MARKS[mark]
            axes.scatter(
                chosen,
                [rates[number] for number in chosen],
                s=area,
                marker="ov"[side],
                color=colour,
                edgecolors="white",
                linewidths=0.9,
                zorder=3,
                clip_on=False,
                label=f"{mark} {NAMES[mark]}, {game.sides[side]}" if chosen else None,
            )
    for move in _labelled(mistakes, len(rates)):
        above, place = rates[move.number] < 50, move.number / (len(rates) - 1)
        axes.annotate(
            plain(shown(review.spec, f"{move.number} {move.before.played[:12]} {move.mark}")),
            (move.number, rates[move.number]),
            xytext=(0, 9 if above else -9),
            textcoords="offset points",
            ha="left" if place < ROOM else "right" if place > 1 - ROOM else "center",  # inside the picture
            va="bottom" if above else "top",
            fontsize=8,
            color="#111111",
            bbox={"boxstyle": "round,pad=0.2", "facecolor": "#ffffffd0", "edgecolor": "none"},
            zorder=4,
        )


def _labelled(mistakes: list[JudgedMove], width: int) -> list[JudgedMove]:
    """Return the mistakes to label: the worst first, as long as labels do not overlap."""
    chosen: list[JudgedMove] = []
    for move in sorted(mistakes, key=lambda move: -(move.loss or 0)):
        free = all(abs(move.number - other.number) >= ROOM * width for other in chosen)
        if free and move.mark in LABELLED_MARKS:
            chosen.append(move)
    return chosen


def _draw_leads(axes: Any, review: Review, leads: list[float]) -> None:
    """Draw the first side's lead in points."""
    side = review.spec.game.sides[FIRST_SIDE]
    turns = range(len(leads))
    most = max(1.0, 1.1 * max(abs(lead) for lead in leads if not math.isnan(lead)))
    ours, theirs = (COLOURS[review.spec.game.letters[side]] for side in (FIRST_SIDE, 1 - FIRST_SIDE))
    axes.set_facecolor("#bcc2c7")
    area = {"interpolate": True, "linewidth": 0}
    axes.fill_between(turns, leads, where=[lead >= 0 for lead in leads], color=ours, **area)
    axes.fill_between(turns, leads, where=[lead <= 0 for lead in leads], color=theirs, **area)
    axes.axhline(0, color="#888888", linewidth=0.8)
    axes.plot(turns, leads, color=LINE_COLOR, linewidth=1.5)
    axes.set_ylim(-most, most)
    axes.set_ylabel(f"lead of {side}, points")
