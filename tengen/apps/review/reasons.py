"""Why a turn loses, or is good, in words: only what the rules or proofs make certain.

Reasons are told of marked turns alone, merits of hints. What the opponent can do is told only if the search
expects it, the rules confirm it, and the better turn leaves the opponent nothing of the kind.
"""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tengen.apps.review.assessment import Assessment, JudgedMove
from tengen.engine.errors import TengenError
from tengen.engine.game import Outcome
from tengen.engine.play.motifs import Motif, is_available, motifs_of
from tengen.engine.play.position import Position
from tengen.search.info import Info

MAX_REASONS = 3
MAX_LINE = 6  # turns shown of a proof


@dataclass(frozen=True)
class Reason:
    """A reason why a turn loses."""

    # ``lost`` and ``missed`` are proofs of the search, ``margin`` a solved endgame; else a motif's kind
    kind: str
    text: str  # the reason in words
    # The turns that show it, the first after the turn in question or, if that misses something, in its place
    line: tuple[str, ...]

    def report(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {"kind": self.kind, "text": self.text, "line": list(self.line)}


@functools.lru_cache(maxsize=1024)
def reasons(move: JudgedMove) -> tuple[Reason, ...]:
    """Return why a turn loses, the most important reason first; nothing for a turn that is no mistake."""
    before, after = move.before.position, move.after.position
    same_game = move.before.other is None and move.after.other is None
    if not move.mark or not same_game or before.awaits_answer or after.awaits_answer:
        return ()
    if not move.after.in_turn or after.side_to_move == before.side_to_move:
        return ()
    better = before.copy()
    try:
        better.push(move.before_value.best)
    except TengenError:
        return ()
    found = [*_proofs(move)]
    if not move.after.is_final and (reply := move.after_value.best):
        found += _allowed(after, reply, move.after_value.turns_to_win > 0, better)
    return tuple([*found, *_differences(move)][:MAX_REASONS])


def merits(position: Position, turn: str, lines: Sequence[Info]) -> list[str]:
    """Return what the best turn does, and what the next best one of the `lines` of a search would allow."""
    ahead = (lines[0].score.turns_to_win or 0) if lines else 0
    found = [f"it wins in {ahead}"] if ahead > 0 else []
    found += [f"it {motif.words}" for motif in _certain(position, turn, ahead > 0)]
    if ahead <= 0 and len(lines) > 1 and len(lines[1].pv) > 1:
        (other, reply, *_), loses = lines[1].pv, (lines[1].score.turns_to_win or 0) < 0
        better, after = position.copy(), position.copy()
        better.push(turn)
        after.push(other)
        if not any(each.in_trial or each.awaits_answer for each in (position, better, after)):
            found += [f"after {other}, {each.text}" for each in _allowed(after, reply, loses, better)]
    return found[:MAX_REASONS]


def _line(value: Assessment) -> str:
    return " ".join(value.pv[:MAX_LINE])


def _proofs(move: JudgedMove) -> Iterator[Reason]:
    """Yield what the search has proven about the positions before and after the turn."""
    values = move.before_value, move.after_value
    then, now = (value.turns_to_win for value in values)
    if now > 0 and then >= 0:
        side = move.after.position.side.capitalize()
        text = f"{side} then wins in {now}: {_line(move.after_value)}"
        yield Reason("lost", text, move.after_value.pv)
    if then > 0 and now >= 0:
        text = f"misses a win in {then}: {_line(move.before_value)}"
        yield Reason("missed", text, move.before_value.pv)
    best, played = (value.score.margin if value.score else None for value in values)
    if best is not None and played is not None and best > -played:
        text = f"costs {best + played} in the final score, by exact solution: {_line(move.after_value)}"
        yield Reason("margin", text, move.after_value.pv)


def _allowed(after: Position, reply: str, wins: bool, better: Position) -> Iterator[Reason]:
    """Yield what a reply does, unless something of the kind is possible in the `better` position."""
    for motif in (each for each in _certain(after, reply, wins) if not each.defends):
        over = better.outcome() != Outcome.ONGOING
        if over or (better.side_to_move == after.side_to_move and not is_available(better, motif)):
            text = f"{after.side.capitalize()} can play {reply}, which {motif.words}"
            yield Reason(motif.kind, text, (reply,))


def _differences(move: JudgedMove) -> Iterator[Reason]:
    """Yield what only the turn played does to its own side, then what only the better one does."""
    before, best, played = move.before.position, move.before_value.best, move.before.played
    spared = {motif.kind: motif.worth for motif in motifs_of(before, best) if motif.harm}
    for motif in motifs_of(before, played):
        if motif.harm and motif.worth > spared.get(motif.kind, 0):
            yield Reason(motif.kind, motif.words, (played,))
    done = {motif.kind: motif.worth for motif in motifs_of(before, played)}
    for motif in _certain(before, best, move.before_value.turns_to_win > 0):
        if motif.worth > done.get(motif.kind, 0):
            yield Reason(motif.kind, f"{best} {motif.words}", (best,))


def _certain(position: Position, turn: str, wins: bool) -> Iterator[Motif]:
    """Yield the motifs of `turn` that are certain; `wins` if a proof says that it wins."""
    return (motif for motif in motifs_of(position, turn) if not motif.harm and (motif.sure or wins))
