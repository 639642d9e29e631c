"""How the tests here talk to the engine."""

MOVE = r"\d+,\d+$"
MB = 1 << 20


def answer(talk, *lines: str) -> str:
    """Send lines and return the first line of output that is no message."""
    talk.send(*lines)
    return talk.until(r"(?!MESSAGE)")[-1]


def board(talk, *stones: str) -> str:
    """Have a position set up, and return its text."""
    assert answer(talk, "YXBOARD", *stones, "DONE", "YXSHOWFORBID").startswith("FORBID ")
    return talk.session.position.text()


def position_text(size: int, stones: dict[tuple[int, int], str], letter: str) -> str:
    rows = ["".join(stones.get((x, y), ".") for x in range(size)) for y in range(size)]
    return f"{'/'.join(rows)} {letter}"
