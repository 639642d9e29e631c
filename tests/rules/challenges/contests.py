"""A game of GIPF in which a jump may be challenged [P-9], for the tests of whatever meets one."""

from tengen.engine.play.challenge import ChallengeGame
from tengen.engine.play.position import Position

SPEC = "gipf:basic,zertz=3,challenges=2,challenge-game=gomoku"


def with_contest(kind: str) -> str:
    """Return the spec of the same game in which `kind` is played for a challenge."""
    return SPEC.replace("gomoku", kind)


# White's c3 may jump over c4; White has one challenge left, Black two.
JUMP = "jc3-c5"
READY = "b..w/.w+b../....../w.....b/....../...../b..w 10 11 w zz 1 2 1 2"
ACCEPTED = "b..w/.wbw^./....../w.....b/....../...../b..w 10 11 b zz 1 2 1 2"
WON = "b..w/.wb../....../w.....b/....../...../b..w 10 11 w zz 1 2 1 1"
LOST = "b..w/.wbw^./....../w.....b/....../...../b..w 10 11 b zz 1 2 1 1"

# Black begins at Gomoku.
BLACK_WINS = ["A1", "A9", "B1", "B9", "C1", "C9", "D1", "D9", "E1"]
WHITE_WINS = ["A1", "A9", "B1", "B9", "C1", "C9", "D1", "D9", "P15", "E9"]


def contest(text: str = READY, *turns: str, spec: str = SPEC) -> ChallengeGame:
    position = Position(spec, text)
    assert isinstance(position, ChallengeGame)
    for turn in turns:
        position.push(turn)
    return position
