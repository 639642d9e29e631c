"""The modules of a game for people, as typed protocols: texts, displays, records, agreements.

Searches never call them, and all their functions are Python. `Game.module` finds them. Modules without a
protocol:

``state``
    ``STATE``, the record dtype of a position, and the tables of the board.
``challenge``
    Of games whose turns can be challenged: see `engine.play.challenge`.
``handicap``
    Of games with handicap stones: ``fixed_handicap_points(size, number)``, the fixed points of GTP, and
    ``free_handicap_points(size, number)``, the engine's own choice.
``katago``
    Of games whose rules KataGo has names for: ``options_by_name(name)``,
    ``options_from_rules(fields, values)``, ``options_with_rule(values, key, value)``,
    ``katago_rules(values)``, ``katago_rules_in_full(values)`` and ``usual_komi(values)``.
``former``
    Of games whose state has had another layout: ``STATE``, the record dtype of positions in older files of
    self-play; ``current(states)``, an array of them as today's.
``planes``
    Of games with a net of planes of bits: what `engine.contract.Planes` lists for self-play in batches, and
    for learning ``scratch()``, ``replay_bits`` (a kernel), ``komi_ranges(starts)``, ``policy_indices(size)``,
    ``owner_indices(points, size)``, ``batch_start(options, size)`` (the start position of such games),
    ``KOMIS`` (drawn from, hundredths), ``LEARNED_KOMIS`` and ``ALL_KOMIS`` (what ``komis`` of a net then
    holds, without and with rare ones), ``SIZE_INPUT`` and ``SCORING_INPUTS`` (their places among the numbers
    about a position), ``size_input(size)``.
``teacher``
    Of games that a net of another program can teach: ``TeacherView(size)``, what such a net sees of a game,
    and ``PLANES`` and ``NUMBERS``, how much that is.
``fallback``
    Of five-in-a-row games: ``Fallback(spec)``, which knows the rules before they are compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tengen.engine.contract import RepetitionRules, ResumableRules, SetUpRules, State, names_of

if TYPE_CHECKING:
    from tengen.engine.board.picture import Picture
    from tengen.engine.board.sketch import Sketch
    from tengen.engine.options import Value
    from tengen.engine.play.editor import Layout
    from tengen.engine.play.motifs import Motif
    from tengen.engine.play.steps import Choice
    from tengen.engine.sgf import Record
    from tengen.engine.sgf.node import Properties
    from tengen.engine.sgf.syntax import Notes
    from tengen.engine.spec import GameSpec


class RequiredText(Protocol):
    """``text``: always."""

    def format_position(self, s: State) -> str:
        """Return the canonical text of the position."""

    def parse_position(self, options: Mapping[str, Value], text: str) -> State:
        """Return the state; raise NotationError or PositionError when the text is faulty."""

    def format_turn(self, s: State, actions: Sequence[int]) -> str:
        """Return the canonical text of a turn, without blanks."""

    def parse_turn(self, s: State, text: str) -> list[int]:
        """Return the actions of a turn; raise NotationError or IllegalTurnError when there is none."""

    def status(self, s: State) -> list[str]:
        """Return all reasons why no game can come to the position, in words."""

    def result(self, s: State) -> str:
        """Return the score at the end as GTP writes it: ``B+1``, ``W+5``, ``0``."""


class OptionalText(Protocol):
    """``text``: each of these for itself.

    ``canonical_turns`` where `MERGES_TRANSPOSITIONS`: turns to the same position are one. With
    ``without_details`` candidates can be grouped (`engine.play.turns.groups`); with ``parse_action``, where
    turns are one action, those below a root can be left out.
    """

    def canonical_turns(self, s: State) -> Iterator[tuple[int, ...]]:
        """Yield the legal turns as actions, one to each position, from the beginning of a turn."""

    def without_details(self, turn: str) -> str:
        """Return the canonical text of a turn, but for what matters least."""

    def parse_action(self, s: State, text: str) -> int:
        """Return the action of a turn, legal in `s` or not; raise NotationError if there is none."""


class CountedText(Protocol):
    """``text``: for games that declare `Game.ends_by_agreement`."""

    def counted_result(self, s: State, dead: Any) -> str:
        """Return what `result` does if these vertices hold dead stones."""


class Text(RequiredText, OptionalText, CountedText, Protocol):
    """The module ``text`` with all that it may offer."""


class RequiredPicture(Protocol):
    """``picture``: always."""

    def board(self, s: State) -> str:
        """Return the board in plain text, several lines."""

    def draw(self, s: State) -> Picture:
        """Return the board as a drawing."""


class CountedPicture(Protocol):
    """``picture``: for games that declare `Game.ends_by_agreement`."""

    def draw_counted(self, s: State, dead: Any) -> Picture:
        """Return what `draw` does, with the owners if these vertices hold dead stones."""


class Picturing(RequiredPicture, CountedPicture, Protocol):
    """The module ``picture`` with all that it may offer."""


class Sketching(Protocol):
    """``sketch``: optional. Terminals show it; without it they show `RequiredPicture.board`."""

    def sketch(self, s: State) -> Sketch:
        """Return the board as characters with lines between them."""


class Steps(Protocol):
    """``steps``: optional. A turn can then be put together by pointing at places (`engine.play.steps`).

    It may also have

    ``moves(state, action)``
        The pieces that an action moves: pairs of places, from and to, in order.
    ``removable_places(state)``
        The places of the board that may leave it.
    ``prompts(state)``
        What to do next: a sentence for each place to point at.
    ``refusal(state, places)``
        Why these places, pointed at one after another, choose nothing: a reason with its rule; empty if they
        make the text of a turn, which is then refused with the reason.
    ``ending(state)``
        Why the game is over in words, with the rule, and the places of what has won, such as a row; with the
        vertices of dead stones as a second argument for games that declare `Game.ends_by_agreement`.
    """

    VERB: str  # what happens to pieces that are taken, such as ``captured``

    def choices(self, s: State, legal: Sequence[int]) -> dict[int, Choice]:
        """Return what each of the legal actions points at."""

    def contents(self, s: State) -> dict[str, str]:
        """Return what stands on each place of the board that is not empty, in words."""


class Editor(Protocol):
    """``editor``: optional. Positions can then be set up piece by piece (`engine.play.editor`)."""

    def layout(self, options: Mapping[str, Value]) -> Layout:
        """Return how position texts are built."""


class Notation(Protocol):
    """``notation``: optional, where people write something otherwise than protocols (`engine.notation`).

    It may also have

    ``edge(text)``
        What stands at the edge of a board, such as the letter of a column, as people write it.
    ``typed(text)``
        What a person has typed, with the turns and places in it as protocols write them.
    """

    def shown(self, text: str) -> str:
        """Return a text with the turns, places and names in it as people write them; those that are stay."""


class Motifs(Protocol):
    """``motifs``: optional. Reviews tell by it why a turn loses (`engine.play.motifs`).

    It may also have ``candidates(state, motif)``, the turns that may have a motif, if these are not all.
    """

    def motifs(self, s: State, actions: Sequence[int]) -> list[Motif]:
        """Return what a turn does for certain."""


class Pace(Protocol):
    """``pace``: optional. `search.limits.clock` shares out the time of a game with it."""

    TURNS: Sequence[tuple[float, float]]  # in ascending order: a progress, and by how many turns to divide
    # the time left there

    def progress(self, s: State) -> float:
        """Return a number by which one can tell how far the game has come."""


class Levels(Protocol):
    """``levels``: optional; `search.levels` has defaults.

    It may also have ``ELO``, the measured ratings of all levels, the weakest first.
    """

    LEVELS: Sequence[
        Sequence[float]
    ]  # a row for each level below the highest: depth in actions (0: no limit),
    # positions or simulations, turns scored, temperature, forced wins seen (0: none, 1: at leaves, 2: also by
    # solvers)


class Arrays(Protocol):
    """``arrays``: optional, with NumPy. Positions as arrays of numbers, for learning (`engine.arrays`)."""

    PLANES: Sequence[str]  # what each plane of an observation holds, in words

    def actions(self, options: Mapping[str, Value]) -> Any:
        """Return the actions that can occur, in the order of their numbers."""

    def observe(self, states: Any) -> Any:
        """Return float32 (states, planes, rows, columns), for the sides to move."""


class Calls(Protocol):
    """``calls``: optional. Warm-up calls it, so that nothing is compiled in the middle of a game."""

    def call_kernels(self, s: State) -> None:
        """Call the kernels that Python calls beside those that are listed here."""


# ------------------------------------------------------------------------------------- records and agreements


class Agreement(Protocol):
    """``agreement``: for games that declare `Game.ends_by_agreement`.

    Texts and pictures then show the score for dead stones that the players name.
    """

    def agreed_score(self, state: State) -> Any:
        """Return an object with an ``outcome``."""

    def chains_by_status(self, state: State, status: str) -> Any:
        """Return the vertices of chains that are alive, dead or in seki."""

    def dispute(self, state: State) -> State:
        """Return the position to play on from if one side calls its dead stones alive."""


class Archive(Protocol):
    """``archive``: for games that declare `Game.archive_gm`: records in a public archive's dialect."""

    def translate(self, nodes: Sequence[Properties], notes: Notes) -> list[Properties]:
        """Return the nodes of such a record in the form of `engine.sgf`; what is left out is noted."""


class RecordOptions(Protocol):
    """``record``: for games that declare `Game.sgf_properties`."""

    TELLING: Sequence[str]  # properties without which something is assumed

    def options(
        self,
        root: Mapping[str, Sequence[str]],
        size: int,
        stones: Mapping[tuple[int, int], int],
        first: int,
        guess: Callable[[str], None],
    ) -> dict[str, Value]:
        """Return the options that a root names; `guess` is told what is not understood."""

    def properties(self, spec: GameSpec) -> Properties:
        """Return the properties that say them."""


class Transcript(Protocol):
    """``transcript``: optional. Records as texts of the game's own, named ``.txt``."""

    def recognize(self, text: str) -> GameSpec | None:
        """Return the game if `text`, perhaps cut off, can only be a record of it."""

    def read(self, text: str, spec: GameSpec) -> Record:
        """Return the record in a text."""

    def write(self, record: Record) -> str:
        """Return a record as a text."""


# What ``GAME`` asks of the modules besides, by the attribute of `engine.game.Game` that declares it.
DECLARED = {
    "out_of_turn": {"rules": names_of(SetUpRules)},
    "ends_by_agreement": {
        "rules": names_of(ResumableRules),
        "agreement": names_of(Agreement),
        "text": names_of(CountedText),
        "picture": names_of(CountedPicture),
    },
    "five_in_a_row": {"fallback": ("Fallback",)},
    "sgf_properties": {"record": names_of(RecordOptions)},
    "archive_gm": {"archive": names_of(Archive)},
    "repetition": {"rules": names_of(RepetitionRules)},
    "challenge": {
        "challenge": ("RULE", "challenges_left", "answered", "stake", "forfeit", "name", "max_stakes")
    },
}
