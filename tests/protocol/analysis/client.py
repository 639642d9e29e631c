"""The other end of KataGo's protocol."""

import json

from tests.protocol.conversation import Inside, Outside

MOVES = [["B", "D4"], ["W", "E5"], ["B", "D5"], ["W", "E4"]]
FIVE = [[player, f"{column}{row}"] for column in "ABCD" for player, row in (("B", 1), ("W", 7))]
ENDLESS = {"moves": [], "maxTime": 1000}
WITHOUT_SIDE = ("currentPlayer", "visits", "thisHash", "symHash")


class Client:
    """Sends queries with ids, and takes answers apart."""

    def __init__(self, talk: Inside | Outside) -> None:
        self.talk = talk

    def send(self, id_: str = "q", /, **query: object) -> None:
        self.talk.send(json.dumps({"id": id_, **query}))

    def reply(self) -> dict:
        line = self.talk.line()
        assert line is not None
        return json.loads(line)

    def final(self) -> dict:
        """Return the next answer that is not one of a search that goes on."""
        while (reply := self.reply()).get("isDuringSearch"):
            pass
        return reply

    def ask(self, **query: object) -> dict:
        """Send a query that is answered by one line, and return it."""
        self.send("q", **query)
        reply = self.reply()
        assert reply.get("id") == "q"
        return reply
