"""Entering a turn in steps: one part after another, with the choices listed (see `engine.play.steps`)."""

from __future__ import annotations

import re
import textwrap

from tengen.apps.language import translate
from tengen.engine.errors import TengenError, nearest, quoted
from tengen.engine.play.position import Position
from tengen.engine.play.steps import Choice, Stage, stage

MOST_NUMBERED = 12  # choices that are listed one a line, with numbers
BACK, CANCEL = "back", "cancel"
WORDS = {BACK: "the choice before", CANCEL: "another turn"}


class StepError(TengenError):
    """An entry that is none of the choices."""


class TurnEntry:
    """A turn that is being entered."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._stage: Stage = stage(position)
        self._entered: list[tuple[tuple[int, ...], str]] = []  # what was chosen before each, and its text

    @classmethod
    def begun(cls, position: Position, text: str) -> TurnEntry | None:
        """Return the turn that `text` begins but does not complete; None if it begins none."""
        if position.awaits_answer or not position.game.rules.MULTI_ACTION_TURNS:
            return None
        word = re.sub(r"[^a-z0-9]", "", text.lower())
        without_colours = re.sub(r"[a-z](?=[a-z]\d)", "", word)  # x and colours in captures, j of a jump
        for entered in (word, without_colours):
            steps = cls(position)
            if steps._consume(entered) and not steps.done:
                steps._entered = [((), text)]
                return steps
        return None

    def _consume(self, word: str) -> bool:
        """Choose what `word` spells, part after part; return whether it spells only choices."""
        while word and not self.done:
            found = [
                (len(spelling), action)
                for action, choice in self._stage.choices.items()
                for spelling in map(_letters, _entries(choice))
                if spelling and word.startswith(spelling)
            ]
            if not found:
                return False
            length, action = max(found)
            self._choose(action)
            word = word[length:]
        return bool(self._stage.chosen) and not word

    @property
    def done(self) -> bool:
        """Whether the turn is complete."""
        return bool(self._stage.turn)

    @property
    def so_far(self) -> str:
        """What has been entered."""
        return " ".join(text for _, text in self._entered)

    @property
    def turn(self) -> str:
        """The text of the complete turn."""
        return self._stage.turn

    @property
    def _numbered(self) -> bool:
        return len(self._stage.choices) <= MOST_NUMBERED

    def menu(self, width: int) -> str:
        """Return the choices in lines of `width` characters: a few with numbers, many by what is entered."""
        choices = list(self._stage.choices.values())
        if self._numbered:
            entries = [next(iter(_entries(choice)), "") for choice in choices]
            wide = max(map(len, entries))
            return "\n".join(
                f"  {number:>2}  {entry:<{wide}}  {translate(choice.label)}".rstrip()
                for number, (entry, choice) in enumerate(zip(entries, choices, strict=True), 1)
            )
        entries = sorted(next(iter(_entries(choice)), choice.label) for choice in choices)
        listed = textwrap.wrap(
            " ".join(entries), width - 2, break_on_hyphens=False, initial_indent="  ", subsequent_indent="  "
        )
        label, first = choices[0].label, next(iter(_entries(choices[0])), "")
        if first:
            head = translate(label if first in label else f"such as {first}: {label}")
            listed.insert(0, f"  {head.replace(first, '...') if first in label else head}")
        return "\n".join(listed)

    def enter(self, answer: str) -> None:
        """Add the part that `answer` names: by its number in the menu, its places or its label."""
        choices = self._stage.choices
        if self._numbered and re.fullmatch("[0-9]{1,2}", answer) and 1 <= int(answer) <= len(choices):
            action = list(choices)[int(answer) - 1]
        else:
            named = {
                _letters(entry): action
                for action, choice in choices.items()
                for entry in (choice.label, *_entries(choice))
            }
            if _letters(answer) not in named:
                examples = [next(iter(_entries(choice)), choice.label) for choice in choices.values()]
                few = " or ".join(examples[:3]) + (" ..." if len(examples) > 3 else "")
                numbers = f", or a number from 1 to {len(choices)}" if self._numbered else ""
                raise StepError(f"expected {few}{numbers}, got {quoted(answer)}{nearest(answer, WORDS)}")
            action = named[_letters(answer)]
        entry = next(iter(_entries(choices[action])), choices[action].label)
        self._entered.append((self._stage.chosen, entry))
        self._choose(action)

    def back(self) -> bool:
        """Take the last entry back; return whether there was one."""
        if not self._entered:
            return False
        before, _ = self._entered.pop()
        self._stage = stage(self._position, before)
        return True

    def _choose(self, action: int) -> None:
        self._stage = stage(self._position, (*self._stage.chosen, action))


def _entries(choice: Choice) -> list[str]:
    """Return what may be entered for a choice besides its label, as it is written in turns."""
    paths = ["-".join(path) if len(path) > 1 else path[0] for path in choice.paths]
    return [*paths, *(["x" + ",".join(choice.taken)] if choice.taken else [])]


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
