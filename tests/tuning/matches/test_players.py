"""How players are named, and what our own ones do."""

import pytest

from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.limits.limit import Clock, Limit
from tengen.tuning.players.base import Player, TurnTime
from tengen.tuning.players.external.ugi import go_command
from tengen.tuning.players.specs import PlayerSpec

DVONN, GOMOKU = GameSpec.parse("dvonn"), GameSpec.parse("gomoku,size=7")
SHORT = TurnTime(Limit(nodes=500), None, 1.0)
BLACK_CAN_WIN = "......./......./......./.XXXX../......./OOO..../....... b"


def started(text: str, spec: GameSpec = GOMOKU, seed: int = 1) -> Player:
    player = PlayerSpec.parse(text).create(spec)
    player.start()
    player.new_game(seed)
    return player


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "gredy",
            "expected one of tengen, random, greedy, ugi:COMMAND, gtp:COMMAND, gomocup:COMMAND, "
            "python:FILE.py:NAME, got 'gredy'",
        ),
        ("gredy", "(did you mean 'greedy'?)"),
        ("uci:engine", "got 'uci:engine'"),
        ("", "got ''"),
        ("uct,simulations=5", "player uct is gone: it was a weak opponent in version 0.1"),
        ("random,depth=3", "options of random: expected one of seed, got 'depth'"),
        ("tengen,nodes=0", "expected a whole number from 1 to 1000000000000, got '0'"),
        ("tengen,nodes=many", "got 'many'"),
        ("tengen,depth", "expected depth=a whole number from 1 to 64, got 'depth'"),
        ("tengen,depth=3,depth=4", "option depth: expected once, got twice"),
        ("tengen,hash=0", "got '0'"),
        ("tengen,level=21", "option level: expected a whole number from 1 to 20, got '21'"),
        ("tengen,levels=3", "got 'levels' (did you mean 'level'?)"),
        ("ugi:", "expected a command line behind the colon, got 'ugi:'"),
        ("gtp:'engine", "No closing quotation"),
        ("python:mine.py", "expected python:FILE.py:NAME, got 'python:mine.py'"),
        ("python:mine.py:", "expected python:FILE.py:NAME"),
        ("python,folder=/tmp:mine.py:Mine", "expected limits as settings of python"),
        ("pyton:mine.py:Mine", "(did you mean 'python'?)"),
    ],
)
def test_bad_players_are_refused_in_one_line(text, complaint):
    with pytest.raises(OptionError) as refusal:
        PlayerSpec.parse(text)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ["random", "greedy", "tengen,depth=1", "tengen,level=2"])
@pytest.mark.parametrize("spec", ["dvonn", "gomoku,size=7"])
def test_own_players_play_whole_games(text, spec):
    player = started(text, GameSpec.parse(spec))
    position = Position.start(spec)
    while position.outcome() == Outcome.ONGOING:
        position.push(player.play(position, SHORT))
    player.close()


def turns(text: str, seed: int) -> list[str]:
    """Return what a player, started with `seed`, plays eight times at the start of DVONN."""
    player, position = started(text, DVONN, seed), Position.start(DVONN)
    return [player.play(position, SHORT) for _ in range(8)]


@pytest.mark.parametrize("text", ["random", "greedy", "tengen,level=1"])
def test_chance_follows_the_seed_of_the_game(text):
    assert turns(text, 1) == turns(text, 1)
    assert turns(text, 1) != turns(text, 2)


@pytest.mark.parametrize("text", ["random", "greedy"])
def test_chance_follows_the_seed_of_the_player(text):
    assert turns(text, 1) != turns(f"{text},seed=1", 1)


@pytest.mark.parametrize("text", ["greedy", "tengen"])
def test_an_immediate_win_is_taken(text):
    position = Position.parse(GOMOKU, BLACK_CAN_WIN)
    position.push(started(text).play(position, SHORT))
    assert position.outcome() == Outcome.FIRST_WINS


@pytest.mark.parametrize(
    ("text", "limits", "refused"),
    [
        ("gtp:engine", Limit(depth=3), True),
        ("gtp:engine", Limit(time=1.0), False),
        ("gtp:engine", Limit(time=1.0, nodes=100), True),
        ("ugi:engine", Limit(depth=3), False),
        ("gomocup:engine", Limit(depth=3), True),
        ("gomocup:engine", Limit(time=1.0), False),
    ],
)
def test_limits_that_a_player_cannot_keep_are_refused_beforehand(text, limits, refused):
    assert bool(PlayerSpec.parse(text).unsupported_limits(limits)) == refused


def test_ugi_is_told_times_in_milliseconds():
    clocks = (Clock(1.5, 0.1), Clock(0.0004, 0.1))
    turn_time = TurnTime(Limit(clock=clocks[0]), clocks, 2.0)
    assert go_command(turn_time) == "go p1time 1500 p1inc 100 p2time 1 p2inc 100"
    assert go_command(TurnTime(Limit(time=0.25, depth=3), None, 1.0)) == "go movetime 250 depth 3"
