"""Commands that Yixin's board and Rapfi have added to Gomocup's protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tengen.protocol.dialogue import Commands
from tengen.protocol.errors import CommandError
from tengen.protocol.gomocup.dialogue import GomocupBase
from tengen.protocol.gomocup.stones import BLACK
from tengen.protocol.numbers import parse_integer
from tengen.search.info import Info, Result
from tengen.search.limits.limit import MAX_MULTIPV, MAX_THREADS, max_hash_mb

MAX_BIAS = 10_000  # hundredths of a point
ABOUT_EVEN = 25  # hundredths of a point: no search is more exact
NO_DATABASE = "tengen keeps no database of positions"
NO_HASH_FILES = "tengen keeps no hash table in files"


class YixinCommands(GomocupBase):
    """Commands for analysis."""

    commands = Commands()

    @commands.add("YXSHOWINFO")
    def yxshowinfo(self, arguments: list[str]) -> None:
        """Tell Yixin's interface which values can be set."""
        self._settings.yixin = True
        hash_bits = (max_hash_mb() << 10).bit_length() - 1
        self._reply(
            f"MESSAGE INFO MAX_THREAD_NUM {MAX_THREADS}",
            f"MESSAGE INFO MAX_HASH_SIZE {hash_bits}",
        )

    @commands.add("YXHASHCLEAR")
    def yxhashclear(self, arguments: list[str]) -> None:
        """Clear the transposition table."""
        self.session.clear_search()
        self._hashfull = 0

    @commands.add("YXSHOWHASHUSAGE")
    def yxshowhashusage(self, arguments: list[str]) -> None:
        """Tell how much of the transposition table the last search has filled."""
        self._reply(f"MESSAGE the last search has filled {self._hashfull / 10:.1f}% of the hash table")

    @commands.add("YXNBEST TURNS")
    def yxnbest(self, arguments: list[str]) -> None:
        """Play, and report the best turns."""
        multipv = min(parse_integer("TURNS", arguments[0], 1), MAX_MULTIPV)
        self._require_turn()
        self._play_best_move(multipv)

    @commands.add("YXSEARCHDEFEND")
    def yxsearchdefend(self, arguments: list[str]) -> None:
        """Play, and report what every turn is worth."""
        self._require_turn()
        self._play_best_move(MAX_MULTIPV, every=True)

    @commands.add("YXSHOWFORBID")
    def yxshowforbid(self, arguments: list[str]) -> None:
        """Write the points forbidden to Black, if Black is to move."""
        self._require_started()
        position, size = self.session.position, self._size
        forbidden: list[tuple[int, int]] = []
        if position.side_to_move == BLACK and not position.outcome():
            legal = {self._point(turn) for turn in position.turns()}
            stones = {(x, size - 1 - y) for x, y in self._stones()}
            points = {(x, y) for y in range(size) for x in range(size)} - stones
            forbidden = sorted((x, y) for x, y in points if f"{x},{y}" not in legal)
        self._reply(f"FORBID {''.join(f'{x:02}{y:02}' for x, y in forbidden)}.")

    # ---------------------------------------------------------------------------------------- blocked points

    @commands.add("YXBLOCK")
    def yxblock(self, arguments: list[str]) -> None:
        """Begin the points where no search may play."""
        self._begin_list(lambda lines: self._block(lines, self._blocked.union))

    @commands.add("YXBLOCKUNDO")
    def yxblockundo(self, arguments: list[str]) -> None:
        """Begin the points where searches may play again."""
        self._begin_list(lambda lines: self._block(lines, self._blocked.difference))

    @commands.add("YXBLOCKRESET")
    def yxblockreset(self, arguments: list[str]) -> None:
        """Let searches play everywhere."""
        self._require_started()
        self._blocked = frozenset()

    def _block(self, lines: Sequence[str], changed: Callable[[set[str]], frozenset[str]]) -> None:
        """Change the blocked points by those in lines ``x,y``, or ``x,y,field``."""
        points = {",".join(line.split(",")[:2]) for line in lines}
        self._blocked = changed({self._vertex(point) for point in points})

    # ---------------------------------------------------------------------------------------------- balance

    @commands.add("YXBALANCEONE BIAS")
    def yxbalanceone(self, arguments: list[str]) -> None:
        """Play the turn after which the game is even."""
        self._play_balanced(arguments[0], 1)

    @commands.add("YXBALANCETWO BIAS")
    def yxbalancetwo(self, arguments: list[str]) -> None:
        """Play a turn and the reply to it after which the game is even."""
        self._play_balanced(arguments[0], 2)

    def _play_balanced(self, text: str, stones: int) -> None:
        """Play the turns after which the score of the side to move is nearest to the bias in `text`."""
        bias = parse_integer("BIAS", text, -MAX_BIAS, MAX_BIAS)
        self._require_turn()

        def answer(result: Result) -> str:
            line = balanced_line(result.lines, bias, stones)
            if line is None:
                raise CommandError(f"no line of {stones} turns was found")
            return " ".join(self._point(self.session.position.push(turn)) for turn in line.pv[:stones])

        def chosen(result: Result) -> tuple[Info, ...]:
            line = balanced_line(result.lines, bias, stones)
            return (line,) if line else ()

        self._start_search(answer, MAX_MULTIPV, every=True, reported=chosen)

    # ------------------------------------------------------------------------------------- what there is not

    @commands.add("YXSAVEDATABASE")
    @commands.add("YXSETDATABASE [PATH...]", "YXLIBTODB", "YXDBSPLIT", "YXDBMERGE")
    @commands.add("YXDBTOTXT [PATH...]", "YXDBTOTXTALL")
    def yxsetdatabase(self, arguments: list[str]) -> None:
        """Say that there is no database."""
        self._reply(f"MESSAGE {NO_DATABASE}")

    @commands.add("YXQUERYDATABASEALL", "YXQUERYDATABASEONE", "YXQUERYDATABASETEXT", "YXQUERYDATABASEALLT")
    @commands.add("YXEDITTVDDATABASE [TEXT...]", "YXEDITTEXTDATABASE", "YXEDITLABELDATABASE")
    @commands.add("YXDELETEDATABASEALL [TEXT...]", "YXDELETEDATABASEONE")
    def yxquerydatabaseall(self, arguments: list[str]) -> None:
        """Begin the stones of a position, then say that there is no database."""
        self._begin_list(lambda lines: self._reply(f"MESSAGE {NO_DATABASE}"))

    @commands.add("YXHASHDUMP [PATH...]", "YXHASHLOAD")
    def yxhashdump(self, arguments: list[str]) -> None:
        """Say that the table stays in memory."""
        self._reply(f"MESSAGE {NO_HASH_FILES}")


def balanced_line(lines: Sequence[Info], bias: int, turns: int) -> Info | None:
    """Return the line of at least `turns` turns whose score is nearest to `bias`, proven results last.

    Of lines that are about as near, the one with the best score is taken.

    Parameters
    ----------
    lines : sequence of Info
        The best first.
    bias : int
        Hundredths of a point, for the side to move.
    turns : int
    """

    def distance(line: Info) -> tuple[bool, int]:
        return line.score.is_proven, abs(line.score.value - bias) // ABOUT_EVEN

    return min((line for line in lines if len(line.pv) >= turns), key=distance, default=None)
