"""Go over GTP where the search has a say: resigning, and playing on until dead stones are taken."""

import pytest

from tengen.engine.go import agreement
from tests.processes import eventually
from tests.protocol.conversation import Inside

DEAD_CORNER = "..XO.../.OXO.../.XXO.../..XO.../..XO.../..XO.../..XO... b - 0 0 2"


@pytest.fixture
def talk():
    conversations: list[Inside] = []

    def begin(game: str, nodes: int = 1000) -> Inside:
        conversations.append(Inside("gtp", game, nodes))
        return conversations[0]

    yield begin
    for conversation in conversations:
        assert conversation.finish() == 0


def test_a_hopeless_game_is_resigned_when_that_is_wanted(talk):
    engine = talk("go,size=5,komi=100")  # Black has no hope; White need not even play
    assert "= resign" not in [engine.ask("genmove b") for _ in range(5)]  # too early
    assert engine.ask("reg_genmove b") != "= resign"
    engine.ask("tengen-options Resign 0")
    assert engine.ask("genmove b") != "= resign"
    engine.ask("tengen-options Resign 5")  # the count begins anew
    assert engine.ask("genmove b") != "= resign"
    assert engine.ask("lz-genmove_analyze b").splitlines()[-1] != "play resign"
    before = engine.ask("tengen-position")
    assert engine.ask("kata-genmove_analyze b").splitlines()[-1] == "play resign"
    assert engine.ask("genmove b") == "= resign"
    assert engine.ask("reg_genmove b") != "= resign"
    assert engine.ask("tengen-position") == before


@pytest.mark.parametrize("answer", ["pass", "genmove"])
def test_dead_stones_are_taken_before_the_engine_passes(talk, answer, monkeypatch):
    """A hundredth of the nodes proves the corner, too, and spends less on the side that Black invades."""
    monkeypatch.setattr(agreement, "FINAL_BUDGET", agreement.FINAL_BUDGET // 100)
    engine = talk("go,size=7,rules=chinese", 400)
    engine.ask(f"tengen-position {DEAD_CORNER}")
    assert engine.ask("final_status_list dead") == "= B6"
    for _ in range(60):
        dead = engine.ask("final_status_list dead")[2:].split()
        stones = engine.ask("tengen-position")[2:].split()[0].split("/")
        white = {
            f"{'ABCDEFG'[x]}{7 - y}" for y, row in enumerate(stones) for x, s in enumerate(row) if s == "O"
        }
        turn = engine.ask("kgs-genmove_cleanup b")[2:]
        assert turn != "pass" or not white & {*dead}
        if turn == "pass":
            break
        engine.ask("play w pass" if answer == "pass" else "kgs-genmove_cleanup w")
    assert turn == "pass"


def test_gogui_ends_a_search_by_a_comment(talk):
    engine = talk("go,size=5", 0)
    engine.send("1 genmove b", "# interrupt")
    assert engine.line().startswith("=1 ")
    assert engine.line() == ""
    engine.send("# interrupt", "2 name")  # there is nothing to end
    assert engine.line() == "=2 tengen"
    assert engine.line() == ""


def test_an_interrupt_ends_a_search_and_an_analysis(talk):
    engine = talk("dvonn", 0)
    for command, begun in (("genmove w", ""), ("lz-analyze b 1", "=")):
        engine.send(command)
        if begun:
            engine.until("info move")
        else:
            eventually(lambda: engine.session.searching)
        engine.dialogue.interrupt()
        engine.until("$")
        assert engine.ask("name") == "= tengen"
