"""The opening Swap2 [M-5] between two seats: who acts, and what may be chosen."""

from __future__ import annotations

from tengen.engine.errors import quoted
from tengen.protocol.errors import CommandError

COLORS = BLACK, WHITE = ("black", "white")
MORE = "more"  # put two more stones, and leave the choice to the first player
CHOICES = ((*COLORS, MORE), COLORS)  # of the second player, then of the first
OPENING_STONES, MORE_STONES = 3, 5


class Swap2:
    """The choices of a game that begins with Swap2, of `CHOICES`: those made so far."""

    def __init__(self) -> None:
        self.choices: list[str] = []

    @classmethod
    def of_record(cls, choices: object) -> Swap2:
        """Return the opening with the choices that a record names, as far as they make sense."""
        made = cls()
        for choice, stones in zip(
            choices if isinstance(choices, list) else (), (OPENING_STONES, MORE_STONES), strict=False
        ):
            if choice not in made.question(stones):
                break
            made.choices.append(choice)
        return made

    def question(self, stones: int) -> tuple[str, ...]:
        """Return what may be chosen after `stones`; empty if it is a turn that is asked for."""
        asked = {OPENING_STONES: 0, MORE_STONES: 1 if self.choices[:1] == [MORE] else None}
        number = asked.get(stones)
        if number is None or len(self.choices) > number:
            return ()
        return CHOICES[number]

    def choose(self, choice: str, stones: int) -> None:
        """Answer the question after `stones`.

        Raises
        ------
        CommandError
            If there is none, or it has no such answer.
        """
        question = self.question(stones)
        if choice not in question:
            raise CommandError(f"swap2: expected {', '.join(question) or 'a turn'}, got {quoted(choice)}")
        self.choices.append(choice)

    def forget_after(self, stones: int) -> None:
        """Forget the choices that come later than the position with `stones`."""
        kept = 0 if stones < OPENING_STONES else 1 if stones < MORE_STONES else 2
        self.choices = self.choices[:kept]

    def seat_of(self, side: int) -> int:
        """Return the seat that plays `side`."""
        last = self.choices[-1] if self.choices else ""
        if last not in COLORS:
            return side
        chooser = 2 - len(self.choices)  # the second player chooses first
        black = chooser if last == BLACK else 1 - chooser
        return black if side == 0 else 1 - black

    def seat(self, stones: int) -> int | None:
        """Return the seat that has to act after `stones`; None if that depends on the side to move alone."""
        if stones < OPENING_STONES:
            return 0
        if not self.choices or (self.choices == [MORE] and stones < MORE_STONES):
            return 1
        return 0 if self.choices == [MORE] else None
