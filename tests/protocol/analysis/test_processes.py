"""How the process begins and ends."""

import json
import signal

from tengen.engine.games import find
from tengen.search import warmup
from tests.processes import PATIENCE
from tests.protocol.analysis.client import ENDLESS, MOVES, Client
from tests.protocol.conversation import Outside


def test_end_of_input_waits_for_all_queries():
    with Outside("analysis", "--game", "gomoku,size=7", "--parallel", "2", "--perspective", "side") as talk:
        client = Client(talk)
        client.send(moves=MOVES, analyzeTurns=[0, 1, 2, 3, 4], maxDepth=2)
        assert talk.finish() == 0
        assert {json.loads(line)["turnNumber"] for line in talk.rest()} == {0, 1, 2, 3, 4}


def test_queries_are_left_when_nobody_is_to_wait():
    with Outside("analysis", "--game", "gomoku,size=7", "--quit-without-waiting") as talk:
        client = Client(talk)
        client.send(**ENDLESS, reportDuringSearchEvery=0.05)
        assert client.reply()["isDuringSearch"]
        assert talk.finish() == 0
        assert all(json.loads(line)["isDuringSearch"] for line in talk.rest())


def test_interrupt_ends_the_process_at_once():
    warmup.compile_kernels(find("gomoku"))
    with Outside("analysis", "--game", "gomoku,size=7") as talk:
        client = Client(talk)
        client.send(**ENDLESS, reportDuringSearchEvery=0.001)
        client.reply()
        talk.process.send_signal(signal.SIGINT)
        assert talk.process.wait(PATIENCE) == 130
        assert all(json.loads(line) for line in talk.rest())
        assert talk.complaints() == ""


def test_what_waits_for_a_compiler_is_terminated_at_once(tmp_path):
    with Outside("analysis", "--game", "dvonn", environment={"TENGEN_CACHE_DIR": str(tmp_path)}) as talk:
        client = Client(talk)
        client.send(moves=[], maxTime=1000)
        client.send("t", action="terminate_all")
        assert {client.reply()["id"], client.reply()["id"]} == {"q", "t"}
