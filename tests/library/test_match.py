"""Other programs as engines, and matches."""

import re
import shlex
import sys

import pytest

import tengen

TENGEN = [sys.executable, "-m", "tengen"]
FEW = tengen.Limit(nodes=50)


def test_what_no_program_can_be_asked_is_refused():
    position = tengen.Position("gomoku,size=9")
    for make in (
        lambda: tengen.external("gnugo", "uci"),
        lambda: tengen.external(""),
        lambda: tengen.external(5),
        lambda: tengen.external(["a\0b"]),
        lambda: tengen.external("'"),
    ):
        with pytest.raises(tengen.TengenError):
            make()
    with tengen.external(TENGEN, "gtp") as program, pytest.raises(tengen.OptionError, match="a time only"):
        program.play(position, FEW)


def test_a_match_has_the_statistics_of_the_command(tmp_path):
    seen = []
    with tengen.Engine(hash=1) as engine:
        result = tengen.match(
            engine, "random", game="gomoku,size=7", games=4, limit=FEW, file=tmp_path / "match.sqlite",
            on_game=seen.append,
        )  # fmt: skip
    assert (result.games, len(seen)) == (4, 4)
    assert result.wins + result.draws + result.losses == 4
    assert result.wins >= 3, "against random turns"
    assert (sum(result.pentanomial), result.points) == (2, result.wins + result.draws / 2)
    assert result.elo.low <= result.elo.value <= result.elo.high
    assert result.los > 0.5
    assert "tengen,hash=1" in str(result)
    assert str(result).endswith(f"kept in    {tmp_path / 'match.sqlite'}")
    assert result.summary()["games"] == 4
    records = result.records()
    assert [record.result for record in records] == [record.result for record in seen]
    assert records[0].position().is_over()


def test_matches_with_bad_settings_are_refused():
    for arguments, words in (
        (("random", 5), "player: expected an engine"),
        (("random", "randon"), "did you mean 'random'?"),
    ):
        with pytest.raises(tengen.TengenError, match=words.replace("?", r"\?")):
            tengen.match(*arguments, game="dvonn", games=2, limit=FEW)
    with pytest.raises(tengen.OptionError, match="smaller Elo difference first"):
        tengen.match("random", "greedy", game="dvonn", limit=FEW, sprt=(10, 0))
    for games in (3, 0, -2):
        with pytest.raises(tengen.OptionError, match=f"games: expected an even number, .*, got {games}"):
            tengen.match("random", "greedy", game="dvonn", limit=FEW, games=games)
    for settings, words in (
        ({"sprt": 5}, "sprt: expected two Elo differences"),
        ({"games": "2"}, "games: expected a whole number"),
        ({"seed": "x"}, "seed: expected a whole number"),
    ):
        with pytest.raises(tengen.ArgumentError, match=words):
            tengen.match("random", "greedy", game="dvonn", limit=FEW, **settings)
    with pytest.raises(tengen.ArgumentError, match="limit: expected a"):
        tengen.match("random", "greedy", game="dvonn", limit="1")


class Last(tengen.Player):
    games = 0

    def new_game(self):
        self.games += 1

    def play(self, position, limit):
        assert limit.nodes == 50
        turn = position.legal_turns[-1]
        position.push(turn)
        return turn.lower()


def first(position):
    return position.legal_turns[0]


def test_functions_and_players_of_ones_own_take_part():
    own = Last()
    result = tengen.match(own, first, game="gomoku,size=7", games=4, limit=FEW)
    assert (result.games, own.games) == (4, 4)
    assert f"Last   {__name__}.Last" in str(result)
    assert f"first   {__name__}.first" in str(result)
    own.name = "the last"
    limits = []
    result = tengen.match(
        own, lambda position, limit: limits.append(limit) or first(position),
        game="gomoku,size=7", games=2, limit=FEW,
    )  # fmt: skip
    assert "the last" in str(result)
    assert {*limits} == {FEW}


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (lambda position: 1 // 0, r"crash: ZeroDivisionError: .* \(.*test_match.py:\d+\)"),
        (lambda position: sys.exit(3), "crash: SystemExit: 3"),
        (lambda position: "Z99", "illegal turn: .*Z99"),
        (lambda position: 7, "illegal turn: expected a turn as text, got 7"),
        (lambda position, limit, more: "A1", "crash: TypeError"),
    ],
)
def test_a_player_of_ones_own_that_fails_loses_and_the_record_says_why(own, words):
    result = tengen.match(own, "random", game="gomoku,size=7", games=2, limit=FEW)
    assert result.losses == 2
    for record in result.records():
        assert re.search(words, record.to_sgf().replace("\\", ""))


def test_players_of_ones_own_play_one_game_at_a_time():
    for settings in ({"concurrency": 2}, {"dask": "tcp://localhost:1"}):
        with pytest.raises(tengen.OptionError, match="concurrency: expected 1"):
            tengen.match(first, "random", game="dvonn", limit=FEW, **settings)
    with pytest.raises(tengen.ArgumentError, match=r"player: expected an engine, a tengen\.Player"):
        tengen.match(Last, "random", game="dvonn", limit=FEW)


def test_a_program_takes_part_in_a_match():
    with tengen.external(shlex.join([*TENGEN, "ugi"])) as program:
        result = tengen.match(program, "random", game="gomoku,size=7", games=2, limit=FEW, margin=60.0)
    assert result.games == 2
    assert str(result).splitlines()[-1].startswith("openings")
    assert result.summary()["file"] is None
