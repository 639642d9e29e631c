"""Random bytes and mutated commands into the protocols: they must go on answering, in their own words.

``python -m tests.protocol.fuzz --lines 10000`` runs all protocols; exits with 1 after naming what was wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator

from tests.protocol.conversation import Outside

CONTEST = "gipf:basic,zertz=3,challenges=2,challenge-game=gomoku"
TRIALS = "gipf:basic,zertz=3,challenges=2,challenge-uses=first,challenge-game"
JUMPER = "w+b../...../....../......./....../...../...b 9 9 w -- 0 0 1 2"  # White can jump from b2 to b4
POTENTIALS = "gipf:basic,zertz=3,tamsk=3,dvonn=3,yinsh=3,punct=3,challenges=1"
STACKS = "wdbw1./buwu.../.b1.wu1../...b*.../....../...../wy.b. 1 5 w zz 1 1 1 1 1 1 0 0 1 1 0 1"  # to jb2-b3
CLAIM = "wg--/.----/....../......./....../...../.... 4,6,9 0,0,0 0,0,0 1"  # without b1, a1 and a2 are cut off
BATCH = 50  # lines between two checks that an answer still comes
FIRST = {"player": "B", "moves": ["A1", "B2"], "untilDepth": 1}
ACTIONS = (
    {"action": "query_version"},
    {"action": "query_models"},
    {"action": "clear_cache"},
    {"action": "terminate", "terminateId": "q5", "turnNumbers": [0, 1]},
    {"action": "terminate_all"},
)
QUERIES = (
    {"moves": [["B", "D4"], ["W", "E5"]], "analyzeTurns": [0, 1, 2], "priorities": [1, 2, 3], "maxDepth": 2},
    {"moves": [], "initialStones": [["B", "A1"], ["W", "C3"]], "initialPlayer": "W", "maxTime": 0.01},
    {"moves": [["B", "A1"], ["B", "B1"]], "boardXSize": 6, "boardYSize": 6, "maxVisits": 99},
    {"moves": [["W", "a1"], ["B", "b1"]], "game": "dvonn", "maxDepth": 1, "multiPV": 2},
    {"moves": [["W", "jb2-b4"], ["B", "accept"]], "game": CONTEST, "position": JUMPER, "maxDepth": 1},
    {"moves": [["W", "jb2-b3"], ["B", "p-;Ua1-b2"]], "game": POTENTIALS, "position": STACKS, "maxDepth": 1},
    {"moves": [["W", "Wd4,b1xWa1Ga2"]], "game": "zertz", "position": CLAIM, "maxDepth": 1, "multiPV": 2},
    {"moves": [], "maxTime": 0.02, "reportDuringSearchEvery": 0.001, "analysisPVLen": 1, "priority": 3},
    {"moves": [], "maxDepth": 1, "avoidMoves": [FIRST]},
    {"moves": [], "maxDepth": 1, "allowMoves": [FIRST]},
    {"moves": [], "game": "go,size=5", "rules": "aga", "komi": 6.5},
    {"moves": [], "game": "go,size=5", "rules": {"ko": "SIMPLE", "suicide": True}, "komi": 1},
    {"moves": [], "overrideSettings": {"maxTime": 0.01, "reportAnalysisWinratesAs": "WHITE"}},
    {"moves": [], "includeOwnership": True, "includePolicy": True, "maxDepth": 1},
)
SEEDS: dict[str, tuple[str, ...]] = {
    "gtp": (
        "1 play b a1",
        "play w D4",
        "genmove b",
        "reg_genmove w",
        "undo",
        "boardsize 7",
        "clear_board",
        "komi 6.5",
        "showboard",
        "time_settings 1 0 0",
        "time_settings 0 1 5",
        "time_left b 0.1 0",
        "time_left w -3 0",
        "final_score",
        "final_status_list dead",
        "lz-analyze b 1 minmoves 2",
        "kata-analyze w 2 avoid w A1,B2 3",
        "lz-genmove_analyze b 1",
        "kata-genmove_analyze 1 allow b C3 1",
        "kata-search b",
        "kata-search_analyze w 1",
        "known_command play",
        "list_commands",
        "gogui-rules_legal_moves",
        "gogui-rules_board",
        "tengen-game gomoku,size=7",
        "tengen-game dvonn",
        "tengen-game gipf:tournament,zertz=2,tamsk=2",
        "tengen-game gipf:tournament,dvonn=2,yinsh=2,extra=3",
        f"tengen-game {POTENTIALS}",
        f"tengen-position {STACKS}",
        "play w jb2-b3",
        "play b p-;Ua1-b2",
        "play w Ya5-b5",
        "play w jh2-h4",
        f"tengen-game {CONTEST}",
        "play w Ga1-b2",
        "play b Gi5-h5",
        "play w Za1-b2",
        "play w jb2-b4",
        "play b accept",
        "play b challenge",
        "play w result challenger",
        "play b result-owner",
        "play b result",
        "play b heads",
        "play b tails",
        f"tengen-game {TRIALS}=outside",
        f"tengen-game {TRIALS}=coin:seed=1",
        f"tengen-game {TRIALS}=go:size=5:komi=0.5",
        f"tengen-game {TRIALS}=go:size=5:",
        "tengen-options ChallengeChance 100",
        "tengen-options Level 3",
        "tengen-challenge",
        f"tengen-position {JUMPER}",
        "tengen-position",
        "tengen-game zertz",
        "tengen-game zertz:tournament,rings=61,isolation=auto",
        f"tengen-position {CLAIM}",
        "play white Wd4,b1xWa1Ga2",
        "play w Wd4,d1",
        "play black Gd5,d7",
        "play w xd4Gd6",
        "play w pass",
        "tengen-position ......./......./......./...X.../......./......./....... w",
        "tengen-options MultiPV 2",
        "loadsgf none.sgf",
        "tengen-game go,size=5,komi=0.5",
        "tengen-game go,size=3,rules=chinese,ko=positional",
        "fixed_handicap 2",
        "place_free_handicap 3",
        "set_free_handicap A1 C3",
        "get_komi",
        "kata-get-rules",
        "kata-set-rules tromp-taylor",
        'kata-set-rules {"ko":"SIMPLE","scoring":"TERRITORY"}',
        "kata-set-rule ko SITUATIONAL",
        "kgs-rules aga",
        "kgs-time_settings byoyomi 1 0.1 5",
        "kgs-time_settings canadian 1 0.1 5",
        "kgs-time_settings none",
        "kgs-genmove_cleanup b",
        "kgs-game_over",
        "play b pass",
        "play w pass",
        "final_status_list seki",
        "gogui-play_sequence b A1 w B2 b pass",
        "gg-undo 2",
        "gogui-interrupt",
        "gogui-analyze_commands",
        "tengen-ownership w",
        "tengen-candidates",
        "kata-analyze b 1 ownership true rootInfo true pvVisits true",
        "tengen-options Resign 50",
        "cputime",
        "protocol_version",
        "name",
        "version",
        "printsgf",
        "stop",
        "clear_cache",
        "rectangular_boardsize 7 7",
        "set_position b A1 w B2",
        "kata-list-params",
        "kata-get-param maxVisits",
        "kata-set-param maxVisits 50",
        "kata-set-param maxTime 1e-2",  # no digit that is added makes it long
        "kata-set-param numSearchThreads 2",
        "kata-list_time_settings",
        "kata-time_settings fischer 1 0.1",
        "kata-time_settings byoyomi 1 0.1 5",
        "gogui-rules_game_id",
        "gogui-rules_board_size",
        "gogui-rules_side_to_move",
        "gogui-rules_final_result",
        "tengen-options Opening swap2",
        "tengen-swap2",
    ),
    "ugi": (
        "ugi",
        "uci",
        "isready",
        "uginewgame",
        "ucinewgame",
        "position startpos",
        "position startpos moves a1 b1 c1",
        "position startpos moves D4 E5",
        "position fen ......./......./......./...X.../......./......./....... w moves A1",
        "setoption name Game value gomoku,size=7",
        "setoption name Game value dvonn",
        f"setoption name Game value {CONTEST}",
        "setoption name Game value gipf:tournament,zertz=2,tamsk=2",
        f"setoption name Game value {POTENTIALS}",
        f"position fen {STACKS} moves jb2-b3 p-;Ua1-b2 Ya5-b5",
        f"position fen {JUMPER} moves jb2-b4 challenge D4 E5",
        f"position fen {JUMPER} moves jb2-b4 accept",
        f"position fen {JUMPER} moves jb2-b4 challenge result challenger",
        f"position fen {JUMPER} moves jb2-b4 challenge",
        f"position fen {JUMPER} moves jb2-b4 challenge pass pass",
        f"setoption name Game value {TRIALS}=outside",
        f"setoption name Game value {TRIALS}=die:least=2",
        f"setoption name Game value {TRIALS}=go:size=4",
        "setoption name ChallengeChance value 0",
        "setoption name Level value 2",
        "setoption name UCI_LimitStrength value true",
        "position startpos moves Ga1-b2 Gi5-h5 Za1-b2",
        "query challenge",
        "setoption name Game value zertz",
        "setoption name Game value zertz:tournament,rings=48,isolation=auto",
        f"position fen {CLAIM} moves Wd4,b1xWa1Ga2 Gd5,g1 xd5Wd3",
        "position startpos moves Wd4,d1 Gd5,d7 xd4Gd6",
        "setoption name MultiPV value 2",
        "setoption name Hash value 8",
        "go depth 2",
        "go movetime 10",
        "go nodes 100",
        "go depth 1 searchmoves D4 E5 a1",
        "go swap2 depth 1",
        "setoption name Opening value swap2",
        "go p1time 100 p2time 100 p1inc 1 p2inc 1",
        "go p1time -20 p2time -1e3",
        "go infinite",
        "go ponder",
        "ponderhit",
        "stop",
        "query gameover",
        "query p1turn",
        "query result",
    ),
    "gomocup": (
        "ABOUT",
        "START 7",
        "start 9 9",
        "RECTSTART 8,8",
        "RESTART",
        "BEGIN",
        "TURN 3,3",
        "TURN 0 , 6",
        "turn 6,0",
        "PLAY 1,1",
        "TAKEBACK 3,3",
        "TAKEBACK",
        "BOARD",
        "YXBOARD",
        "SWAP2BOARD",
        "3,3,1",
        "4,4,2",
        "2,2,3",
        "3,3",
        "2,4",
        "4,2",
        "DONE",
        "done",
        "BOARD\n2,2,2\nDONE",
        "BOARD\n0,0,1\n1,1,2\n0,1,1\n2,1,2\nDONE",
        "SWAP2BOARD\n3,3\n2,4\n4,2\nDONE",
        "SWAP2BOARD\nDONE",
        "INFO timeout_turn 10",
        "INFO timeout_match 100",
        "INFO time_left 20",
        "INFO time_left -5",
        "INFO max_memory 0",
        "INFO max_memory 99999999",
        "INFO game_type 2",
        "INFO rule 0",
        "INFO rule 1",
        "INFO rule 5",
        "INFO rule 11",
        "INFO evaluate 3,3",
        "INFO folder /some where",
        "INFO max_depth 2",
        "INFO max_node 500",
        "INFO thread_num 2",
        "INFO hash_size 2048",
        "INFO caution_factor 1",
        "INFO show_detail 3",
        "INFO pondering 1",
        "INFO time_increment 5",
        "YXNBEST 2",
        "YXSEARCHDEFEND",
        "YXBALANCEONE 0",
        "YXBALANCETWO -50",
        "YXBLOCK\n3,3\n2,2\nDONE",
        "YXBLOCKUNDO\n3,3\nDONE",
        "YXBLOCKRESET",
        "YXQUERYDATABASEALL\n3,3\nDONE",
        "YXQUERYDATABASEONE\n3,3\nDONE",
        "YXQUERYDATABASETEXT\n3,3\nDONE",
        "YXQUERYDATABASEALLT\n3,3\nDONE",
        "YXEDITTVDDATABASE 1 2 3\n3,3\nDONE",
        "YXEDITTEXTDATABASE text\n3,3\nDONE",
        "YXEDITLABELDATABASE 3,3 text\n3,3\nDONE",
        "YXDELETEDATABASEONE all\n3,3\nDONE",
        "YXDELETEDATABASEALL all\n3,3\nDONE",
        "YXSETDATABASE file",
        "YXSAVEDATABASE",
        "YXLIBTODB file",
        "YXDBTOTXT file",
        "YXDBTOTXTALL file",
        "YXDBSPLIT file",
        "YXDBMERGE file",
        "YXHASHDUMP file",
        "YXHASHLOAD file",
        "STOP",
        "YXSHOWHASHUSAGE",
        "YXSTOP",
        "YXHASHCLEAR",
        "YXSHOWINFO",
        "YXSHOWFORBID",
    ),
    "analysis": tuple(
        json.dumps({"id": f"q{number}", **query}) for number, query in enumerate((*ACTIONS, *QUERIES))
    ),
}
OPTIONS = {"gtp": ("--time", "0.01"), "analysis": ("--time", "0.01")}  # how the protocols are started
SYNC = {
    "gtp": ("\n987654 protocol_version", r"=987654 2$"),
    "ugi": ("\nstop\nisready", r"readyok$"),
    "gomocup": ("\nYXSTOP\nABOUT\nSYNC987654", r"UNKNOWN command 'SYNC987654'$"),
    "analysis": (
        '\n{"id": "", "action": "terminate_all"}\n{"id": "sync", "action": "query_version"}',
        r'\{"id": "sync", ',
    ),
}
GTP_RESPONSE = re.compile(r"[=?]\d*( .*)?")
UGI_LINE = re.compile(r"id .*|option .*|ugiok|uciok|readyok|info .*|bestmove \S+|response .+")
GOMOCUP_LINE = re.compile(r"OK|SWAP|\d+,\d+( \d+,\d+){0,2}|FORBID \d*\.|(MESSAGE|ERROR|UNKNOWN) .+|name=.+")
ANALYSIS_KEYS = ("error", "warning", "isDuringSearch", "action")  # one of them in every line
FORBIDDEN = re.compile(r"internal error|Traceback")
QUITTING = re.compile(rb"\s*[0-9]*\s*quit\b|(?i:\s*end\s*$)")
WRITING = re.compile(rb"printsgf|loadsgf\s+/dev")


def mutated(line: str, chance: random.Random) -> bytes:
    """Return `line` with some words and characters changed, doubled, swapped or lost."""
    words = line.split(" ")
    for _ in range(chance.randrange(3)):
        at = chance.randrange(len(words))
        kind = chance.randrange(4)
        if kind == 0:
            words[at : at + 1] = []
        elif kind == 1:
            words.insert(at, words[at])
        elif kind == 2:
            words[at] = chance.choice(
                ("-1", "0", "nan", "1e999", "99999999999999999999", "ä", "\t", "#", "", "b", "A1")
            )
        else:
            chance.shuffle(words)
        words = words or [""]
    data = bytearray(" ".join(words).encode())
    for _ in range(chance.choice((0, 0, 1, 2))):
        data.insert(chance.randrange(len(data) + 1), chance.randrange(256))
    return bytes(data)


def noise(chance: random.Random) -> bytes:
    """Return random bytes, now and then very many."""
    length = chance.choice((1, 5, 20, 80, 300)) if chance.random() < 0.995 else 1_500_000
    return chance.randbytes(length)


def asks_for_too_long(line: bytes) -> bool:
    """Return whether a line may, rightly, keep the engine busy for long or end it."""
    plain = line.translate(None, bytes(range(9)) + bytes(range(11, 32)) + bytes([127]))
    if QUITTING.match(plain) or b"quit" in line:
        return True
    return bool(WRITING.search(line)) or bool(
        re.search(rb"(?i)time|nodes|depth|visits|report", line) and re.search(rb"[0-9]{4}", line)
    )


def lines(protocol: str, count: int, seed: int) -> Iterator[bytes]:
    """Yield `count` lines of rubbish and near-commands."""
    chance = random.Random(seed)
    while count:
        line = noise(chance) if chance.random() < 0.3 else mutated(chance.choice(SEEDS[protocol]), chance)
        for piece in line.split(b"\n"):
            if count and not asks_for_too_long(piece):
                count -= 1
                yield piece


def malformed(protocol: str, replies: list[str]) -> list[str]:
    """Return those lines of output that the protocol knows not, or that speak of a defect."""
    wrong = [reply for reply in replies if FORBIDDEN.search(reply)]
    if protocol == "ugi":
        return wrong + [reply for reply in replies if not UGI_LINE.fullmatch(reply)]
    if protocol == "gomocup":
        return wrong + [reply for reply in replies if not GOMOCUP_LINE.fullmatch(reply)]
    if protocol == "analysis":
        return wrong + [
            reply for reply in replies if not any(key in json.loads(reply) for key in ANALYSIS_KEYS)
        ]
    # The line after a blank one begins a response; the first line may be the blank one of the batch before.
    begins = replies[1:] if replies[0] == "" else replies
    responses = "\n".join(begins).split("\n\n")
    return wrong + [text for text in responses if not GTP_RESPONSE.fullmatch(text.split("\n")[0])]


def fuzz(protocol: str, count: int, seed: int, game: str = "gomoku,size=7") -> list[str]:
    """Send `count` lines to an engine that begins with `game`; return what was wrong with the replies."""
    faults: list[str] = []
    sync, answer = SYNC[protocol]
    with Outside(protocol, "--game", game, *OPTIONS.get(protocol, ())) as talk:
        batch: list[bytes] = []
        for number, line in enumerate(lines(protocol, count, seed), 1):
            batch.append(line)
            if len(batch) < BATCH and number < count:
                continue
            talk.send(*batch, sync)
            where = f"{protocol}, line {number - len(batch) + 1} to {number}, seed {seed}"
            faults += [f"{where}: {reply!r}" for reply in malformed(protocol, talk.until(answer))]
            batch = []
        code = talk.finish()
        talk.rest()
        complaints = talk.complaints()
        if code:
            faults.append(f"{protocol}, seed {seed}: exit code {code}")
        if FORBIDDEN.search(complaints):
            faults.append(f"{protocol}, seed {seed}: stderr {complaints[-2000:]}")
    return faults


def main() -> int:
    """Fuzz all protocols as the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=10_000, help="for each protocol (default 10000)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    faults = [fault for protocol in SYNC for fault in fuzz(protocol, arguments.lines, arguments.seed)]
    for fault in faults:
        sys.stdout.write(fault + "\n")
    sys.stdout.write(f"{arguments.lines} lines for each protocol: {len(faults) or 'no'} faults\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
