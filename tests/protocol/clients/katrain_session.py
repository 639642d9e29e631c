"""KaTrain's own engine, game and nodes against `tengen analysis`: a game, its review, and every ruleset.

usage: python katrain_session.py FOLDER COMMAND; prints a JSON object.
"""

import json
import os
import sys
import time
from typing import Any

FOLDER, COMMAND = sys.argv[1:]
os.environ |= {"KIVY_NO_ARGS": "1", "KIVY_NO_CONSOLELOG": "1", "KIVY_NO_FILELOG": "1", "KIVY_NO_CONFIG": "1"}
sys.path.insert(0, FOLDER)

from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game import Game  # noqa: E402
from pysgf import Move  # noqa: E402

SETTINGS = {"game/size": "9", "game/komi": 6.5, "game/rules": "japanese", "game/handicap": 0}
ENGINE = {"backend": "custom", "altcommand": COMMAND, "max_visits": 40, "fast_visits": 20, "max_time": 600}
ENGINE |= {"wide_root_noise": 0.04, "_enable_ownership": True, "allow_recovery": False}
MOVES = ("D4", "E5", "C3", "pass", "F5")
ERROR = -1  # KaTrain's level of errors in its log; what the engine says on stderr has another


class KaTrain:
    """What the engine wants of the program around it: settings, and a place for its log."""

    pondering = False

    def __init__(self) -> None:
        self.errors: list[str] = []

    def log(self, message: object, level: int = ERROR) -> None:
        if level == ERROR:
            self.errors.append(str(message))

    def config(self, name: str, default: Any = None) -> Any:
        return SETTINGS.get(name, default)

    def update_state(self) -> None:
        pass


def settle(engine: KataGoEngine) -> None:
    """Wait until every query is answered."""
    while not engine.is_idle():
        time.sleep(0.01)


def main() -> None:
    katrain = KaTrain()
    engine = KataGoEngine(katrain, ENGINE)
    game = Game(katrain, engine)
    for name in MOVES:
        game.play(Move.from_gtp(name, player=game.current_node.next_player))
    settle(engine)
    nodes = game.current_node.nodes_from_root
    reviewed = [
        {
            "complete": node.analysis_complete,
            "candidates": len(node.candidate_moves),
            "score": node.score,
            "winrate": node.winrate,
            "lost": node.points_lost,
            "ownership": len(node.ownership or []),
            "policy": len(node.policy or []),
        }
        for node in nodes
    ]
    rules: dict[str, str] = {}
    for name in {*engine.RULESETS.values()}:
        game.root.set_property("RU", name)

        def answered(reply: dict[str, Any], partial: bool = False, name: str = name) -> None:
            rules[name] = reply.get("error", "")

        engine.request_analysis(game.root, answered, answered, visits=5)
    settle(engine)
    engine.shutdown()
    print(json.dumps({"nodes": reviewed, "rules": rules, "errors": katrain.errors}))


main()
