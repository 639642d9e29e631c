"""Random messages to the server of the board in the browser: each is answered, and none meets a defect."""

import contextlib
import json
import random
import tempfile
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

from tests.soak.parts import VOCABULARY, Report

HOST = {"host": "127.0.0.1:8361", "origin": "http://127.0.0.1:8361"}
COMMANDS = VOCABULARY["commands"]
FIELDS = VOCABULARY["fields"]
PLAIN = [
    None,
    True,
    -1,
    0,
    1,
    2,
    1.5,
    1e308,
    10**30,
    "",
    "dvonn",
    "go,size=5",
    "x",
    "D4",
    "a1",
    "pass",
    [],
    {},
    [0],
]
VALUES = [
    *PLAIN,
    ["D4", "pass"],
    [[["x"]]],
    {"kind": "engine", "level": 1},
    {"put": "D4", "piece": "X"},
    "\x1b[2J",
    "\u202e",
    "../x",
    "n" * 50_000,
    "\ud800bad",
    {"kind": "person", "name": "\ud800bad"},
]
TEXTS = ["(;GM[1]SZ[5];B[aa])", "(;TG[dvonn];W[a1])", "(;", "dvonn", "(;GM[4]SZ[9];B[ee](;W[dd])(;W[ff]))"]
TEXTS += [  # settings of the page itself, which anybody may have written; variations within variations
    '(;TG[dvonn]TW[{"ended":{"x":"y"},"seats":[1,2\\],"clock":{"main":"x"}}];W[a1])',
    '(;TG[go,size=5]TW[{"dead":["Z9",1\\],"current":[\\]}];B[cc];W[];B[])',
    '(;GM[4]SZ[15]TW[{"swap2":true,"choices":["more","more","white"\\]}];B[hh];W[ii];B[gg])',
    "(;GM[1]SZ[19]" + "(;B[aa])(;B[bb](;W[cc])(;W[dd]" * 200 + "))" * 200 + ")",
]


def message(chance: random.Random, games: list[str]) -> str:
    """Return a random message; half of them are about a game that exists."""
    if chance.random() < 0.05:
        return chance.choice(("{", "[]", "1", "[" * 50_000, '{"do": 1}', "\x00"))
    fields: dict[str, Any] = {
        name: chance.choice(VALUES) for name in chance.sample(FIELDS, chance.randrange(4))
    }
    fields["do"] = chance.choice(COMMANDS)
    if games and chance.random() < 0.7:
        fields["game"] = chance.choice(games)
    if chance.random() < 0.5:
        fields["text"] = chance.choice(TEXTS)
    if chance.random() < 0.5:
        fields["spec"] = chance.choice(("dvonn", "gomoku,size=7", "go,size=5"))
    if fields["do"] in ("analyse", "review", "solve", "hint"):  # these would search for long
        fields |= {"nodes": 50, "seconds": 0.01}
    return json.dumps({"id": chance.randrange(1000), **fields})


def attack(seed: int, count: int) -> Report:
    """Send `count` messages over one connection; the server must answer the last one as well as the first."""
    from starlette.testclient import TestClient

    from tengen.apps.web.hub import Hub
    from tengen.apps.web.pool import SearchPool
    from tengen.apps.web.security import Gate
    from tengen.apps.web.server import make_app

    chance, report, games = random.Random(seed), Report(), []
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(Path(folder), SearchPool(1, 1))
        app = make_app(hub, Gate("127.0.0.1", 8361))
        client = TestClient(app, base_url=HOST["origin"])
        ended = contextlib.suppress(CancelledError)  # how the client leaves its socket
        with client, ended, client.websocket_connect("/socket", headers=HOST) as socket:
            for _ in range(count):
                text = message(chance, games)
                socket.send_text(text)
                reply = next_reply(socket)
                report.cases += 1
                if "internal error" in reply.get("error", ""):
                    report.faults.append(f"pages, seed {seed}: {text[:200]}: {reply['error']}"[:500])
                made = reply.get("ok") or {}
                if isinstance(made.get("game"), str):
                    games.append(made["game"])
            socket.send_json({"id": 7, "do": "hello"})
            if "games" not in next_reply(socket).get("ok", {}):
                report.faults.append(f"pages, seed {seed}: no greeting after {count} messages")
    return report


def next_reply(socket: Any) -> dict[str, Any]:
    """Return the next answer; what the server tells by itself is skipped."""
    while "event" in (reply := socket.receive_json()):
        pass
    return dict(reply)
