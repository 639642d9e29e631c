"""A bot for a chat: it plays any game with anybody who writes to it. Here the chat is this terminal.

    python examples/chat_bot.py

``play go,size=9`` begins a game, ``e5`` plays a turn, ``hint`` asks for one, ``board`` shows the board.
"""

import sys

import tengen

LIMIT = tengen.Limit(time=1.0)


class Bot:
    """Answers the messages of one person; a bot for many people has one for each."""

    def __init__(self, level: int = 3) -> None:
        self.engine = tengen.Engine(level=level)
        self.position = tengen.Position("gomoku")

    def reply(self, message: str) -> str:
        """Return the answer to a message."""
        message = message.strip()
        word, _, rest = message.partition(" ")
        try:
            if word == "play":
                self.position = tengen.Position(rest)
            elif word == "hint":
                return f"I would play {self.engine.play(self.position, LIMIT).turn}."
            elif word != "board":
                self.position.push(message)
                if not self.position.is_over():
                    self.position.push(self.engine.play(self.position, LIMIT).turn)
        except tengen.TengenError as error:  # a person's mistake is no reason to stop
            return str(error)
        return (
            f"{self.position.board()}\n{self.position.result() if self.position.is_over() else ''}".rstrip()
        )


if __name__ == "__main__":
    bot = Bot()
    for line in sys.stdin:
        print(bot.reply(line), flush=True)
