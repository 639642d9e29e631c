"""pygomo, a client for Gomocup's engines, against `tengen gomocup`: a game, a board, the best turns.

usage: python pygomo_session.py FOLDER PROGRAM [ARGUMENT...]; prints a JSON object.
"""

import json
import sys

FOLDER, PROGRAM, *ARGUMENTS = sys.argv[1:]
sys.path.insert(0, FOLDER)

from pygomo import BoardPosition, EngineClient, Move  # noqa: E402

SIZE = 15
STONES = ("7,7", "7,8", "8,8", "6,6")  # our own ones and the other side's, in turn
PATIENCE = 300.0  # seconds for an answer


def main() -> None:
    with EngineClient(PROGRAM, args=ARGUMENTS) as engine:
        about = engine.about(timeout=PATIENCE)
        started = engine.start(SIZE, timeout=PATIENCE)
        engine.configure(max_node=2000, timeout_turn=600_000, thread_num=1, caution_factor=3)
        game: list[Move] = []
        corner = (Move((x, 0)) for x in range(SIZE))
        for _ in range(3):
            game.append(next(move for move in corner if move not in game))
            game.append(engine.turn(game[-1], timeout=PATIENCE).move)
        back = engine.takeback(game[-1], timeout=PATIENCE)
        infos: list[object] = []
        position = BoardPosition([(Move(text), 1 + number % 2) for number, text in enumerate(STONES)])
        board = engine.board(position, start_thinking=True, timeout=PATIENCE)
        best = engine.nbest(3, timeout=PATIENCE, on_info=infos.append)
        engine.quit()
    found = {
        "about": about,
        "started": started,
        "game": [move.to_numeric() for move in game],
        "back": back,
        "board": board.move.to_numeric(),
        "best": best.move.to_numeric(),
    }
    print(json.dumps(found))


main()
