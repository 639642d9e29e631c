"""Self-play: the same games whatever happens to those who play them, and files that are what they say."""

import io
import itertools
import json
import os
import pickle
import random
import re
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tengen.engine.errors import EngineError, OptionError, TengenError
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import exclusive_lock, replace_file
from tengen.engine.storage.npz import pack
from tengen.search.binding import bound
from tengen.search.info import PROVEN
from tengen.tuning.learn import selfplay, selfplay_run
from tengen.tuning.learn.samples import Split
from tengen.tuning.learn.selfplay import AlphaBetaPlayer, SelfplaySettings
from tengen.tuning.learn.selfplay_run import Batch, SelfplayRun, play_batch
from tengen.tuning.learn.shards import PositionShard, ShardError
from tengen.tuning.workers import pool as dask_cluster
from tengen.tuning.workers.pool import WorkerPool
from tests import ROOT
from tests.processes import PATIENCE, eventually
from tests.protocol.conversation import COMMAND

DVONN, GOMOKU = GameSpec.parse("dvonn"), GameSpec.parse("gomoku,size=5")
SMALL = SelfplaySettings(GOMOKU, depth=1, nodes=None, openings=4, shard=3)


def played(settings: SelfplaySettings, folder: Path, games: int = 12, workers: int = 1) -> dict[str, bytes]:
    """Play what is not in the folder yet; return its files."""
    with SelfplayRun(settings, games, folder) as run:
        run.play(WorkerPool(workers))
    return files(folder)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.npz"))}


def games_of(shard: PositionShard) -> list[tuple[Outcome, list[tuple[int, int, int]]]]:
    """Return, by game, the outcome and the ply, side to move and score of every position."""
    rows = list(zip(shard.games, shard.plies, shard.states, shard.scores, strict=True))
    return [
        (Outcome(int(result)), [(int(p), int(s.side_to_move), int(v)) for g, p, s, v in rows if g == number])
        for number, result in enumerate(shard.results, shard.first)
    ]


# ------------------------------------------------------------------------------------------------------ games


@pytest.mark.parametrize(
    ("game", "depth"),
    [("dvonn", 1), ("gomoku,size=7", 2), ("gobang,size=7", 1), ("gipf:tournament,zertz=2", 1), ("zertz", 1)],
)
def test_positions_are_whole_turns_of_games_that_end_as_proven(game, depth):
    spec = GameSpec.parse(game)
    settings = SelfplaySettings(spec, depth, None, spec.game.random_plies, explore=0.0)
    shard = play_batch(Batch(settings, 100, 3))
    assert not shard.states["partial"].any()
    assert not [fault for state in shard.states for fault in spec.game.rules.check(state)]
    for turns, (outcome, positions) in zip(shard.turns, games_of(shard), strict=True):
        plies = [ply for ply, _, _ in positions]
        assert plies == list(range(plies[0], turns))  # every turn after the opening is searched
        assert plies[0] <= spec.game.random_plies
        for _, side, score in positions:
            if abs(score) >= PROVEN:
                assert outcome - Outcome.FIRST_WINS == (side if score > 0 else 1 - side)


def test_a_game_depends_on_the_settings_and_its_number_alone():
    player = AlphaBetaPlayer(SMALL)
    alone = AlphaBetaPlayer(SMALL).play(7)
    for number in (3, 7):
        after_others = player.play(number)
    assert np.array_equal(after_others.columns["states"], alone.columns["states"])
    assert after_others.columns["scores"] == alone.columns["scores"]
    other = AlphaBetaPlayer(replace(SMALL, seed=2)).play(7)
    assert not np.array_equal(other.columns["states"], alone.columns["states"])


def test_openings_and_exploration_are_what_is_not_searched():
    shard = play_batch(Batch(replace(SMALL, openings=3, explore=0.0), 0, 20))
    begun = {positions[0][0] for _, positions in games_of(shard)}
    assert begun == {0, 1, 2, 3}
    nothing = play_batch(Batch(replace(SMALL, explore=1.0), 0, 3))
    assert len(nothing.states) == 0
    assert (nothing.turns > 0).all()


def test_games_without_end_are_draws(monkeypatch):
    monkeypatch.setattr(selfplay, "MAX_GAME_TURNS", 6)
    shard = play_batch(Batch(replace(SMALL, openings=0), 0, 3))
    assert shard.turns.tolist() == [6, 6, 6]
    assert shard.results.tolist() == [Outcome.DRAW] * 3


def test_nodes_are_an_effort_too():
    shard = play_batch(Batch(replace(SMALL, depth=None, nodes=500), 0, 2))
    assert len(shard.states) > 10
    assert len(play_batch(Batch(replace(SMALL, depth=None, nodes=1), 0, 2)).states) > 10


@pytest.mark.parametrize("game", ["zertz", "dvonn", "gipf"])
def test_positions_within_the_searches_are_kept_on_request(game, tmp_path):
    spec = GameSpec.parse(game)
    settings = SelfplaySettings(spec, None, 400, spec.game.random_plies, inner=3)
    shard = play_batch(Batch(settings, 4, 1))
    path = tmp_path / "shard.npz"
    path.write_bytes(shard.pack())
    assert PositionShard.read(path, spec).inner.tolist() == shard.inner.tolist()
    roots = np.flatnonzero(~shard.inner)
    assert roots[0] == 0
    assert len(roots) < len(shard.states)
    assert np.diff(roots).max() <= 4
    assert (np.diff(shard.plies[roots]) > 0).all()
    inner = shard.states[shard.inner]
    assert not [fault for state in inner for fault in spec.game.rules.check(state)]
    rules = bound(spec.game)
    assert not any(state.partial or rules.outcome(state) or rules.forced(state) for state in inner)
    for i in np.flatnonzero(shard.inner)[:3]:  # the same keys as without a search
        text = spec.game.text.format_position(shard.states[i])
        assert Position.parse(spec, text).state.key == shard.states[i].key, text
    again = play_batch(Batch(settings, 4, 1))
    assert again.pack() == shard.pack()
    assert "inner" not in np.load(io.BytesIO(play_batch(Batch(replace(settings, inner=0), 4, 1)).pack()))


def test_branches_begin_within_the_searches_of_the_game_before():
    settings = SelfplaySettings(GOMOKU, None, 400, 4, explore=0, branches=3)
    shard = play_batch(Batch(settings, 8, 8))
    begins = [shard.states[shard.games == game][0] for game in range(8, 16)]
    stones = [len(GOMOKU.game.rules.stones(state)) for state in begins]
    plies = [shard.plies[shard.games == game][0] for game in range(8, 16)]
    assert plies[0] == stones[0]
    assert plies[1:4] == [0, 0, 0]
    assert min(stones[1:4]) > stones[0]
    assert len({state.tobytes() for state in begins}) == len(begins)
    assert (shard.results > 0).all()
    alone = play_batch(Batch(settings, 14, 1))  # the game that it branches off is played again
    assert np.array_equal(alone.states, shard.states[shard.games == 14])
    held_out = Split(0.5, 1).held_out("", shard)
    assert len(set(held_out[:4])) == len(set(held_out[4:])) == 1
    plain = play_batch(Batch(replace(settings, branches=0), 8, 1))
    assert np.array_equal(plain.states, shard.states[shard.games == 8])


def test_other_weights_play_other_games(tmp_path):
    shipped = GOMOKU.game.evaluation.shipped()
    weights = replace(shipped, table=shipped.table[:, ::-1].copy())
    other = replace(SMALL, weights=weights)
    assert played(SMALL, tmp_path / "one") != played(other, tmp_path / "two")
    with pytest.raises(TengenError, match=f"weights is shipped there, {weights.fingerprint} here"):
        played(other, tmp_path / "one")


@pytest.mark.parametrize(
    ("game", "options", "complaint"),
    [
        ("go", {}, "effort: expected a number of nodes, got depth 1"),
        (
            "go",
            {"depth": None, "nodes": 9, "inner": 2},
            "inner: expected none in games played by simulations",
        ),
        ("go", {"depth": None, "nodes": 9, "branches": 1}, "branches: expected none"),
        ("go", {"depth": None, "nodes": 9, "balanced": True}, "balanced: expected none"),
        ("gipf,zertz=1,challenges=1", {}, "game: expected one without challenges, got gipf"),
        ("dvonn", {"nodes": 5}, "effort: expected a depth or nodes"),
        ("dvonn", {"openings": 400}, "openings: expected 0 to 399 turns, got 400"),
        ("dvonn", {"inner": 9}, "inner: expected 0 to 8 positions, got 9"),
        ("dvonn", {"branches": -1}, "branches: expected 0 to 1000, got -1"),
    ],
)
def test_what_cannot_be_played_is_refused(game, options, complaint):
    with pytest.raises(OptionError, match=complaint):
        SelfplaySettings(
            **{"game": GameSpec.parse(game), "depth": 1, "nodes": None, "openings": 4, **options}
        )


def test_a_player_of_ones_own_plays_the_turns_that_searches_judge(tmp_path):
    code = tmp_path / "mine.py"
    code.write_text("def last(position):\n    return position.legal_turns[-1]\n")
    settings = replace(SMALL, player=f"python:{code}:last", explore=0.0)
    shard = play_batch(Batch(settings, 3, 3))
    for number in range(3, 6):
        states = shard.states[shard.games == number]
        assert len(states) > 1
        for state, after in itertools.pairwise(states):
            position = Position.of_state(GOMOKU, state)
            position.push(position.legal_turns[-1])
            assert position.key == int(after["key"])
    searched = play_batch(Batch(SMALL, 3, 3))
    begun, others = (shard.states[0]["key"], searched.states[0]["key"])
    assert begun == others, "the same opening"
    assert shard.scores[0] == searched.scores[0], "as the same search judges it"
    assert len(played(settings, tmp_path / "out", 3)) == 1
    code.write_text("def last(position):\n    return position.legal_turns[0]\n")
    with pytest.raises(OptionError, match=r"--player: expected last [0-9a-f]+, got last"):
        play_batch(Batch(settings, 3, 3))
    with pytest.raises(TengenError, match="expected the same self-play, got another: player is"):
        played(replace(settings), tmp_path / "out", 3)


def test_a_player_of_ones_own_that_fails_ends_the_run(tmp_path):
    code = tmp_path / "mine.py"
    code.write_text("def nowhere(position):\n    return 'Z99'\n")
    with pytest.raises(EngineError, match="nowhere does not play: turn: expected a vertex"):
        played(replace(SMALL, player=f"python:{code}:nowhere"), tmp_path / "out", 3)
    with pytest.raises(OptionError, match=r"--player: expected python:FILE\.py:NAME, got 'greedy'"):
        played(replace(SMALL, player="greedy"), tmp_path / "out", 3)


# ------------------------------------------------------------------------------------- the same in every way


def test_neither_workers_nor_the_way_there_change_a_byte(tmp_path):
    at_once = played(SMALL, tmp_path / "at once")
    assert list(at_once) == ["00000000.npz", "00000003.npz", "00000006.npz", "00000009.npz"]
    assert played(SMALL, tmp_path / "two workers", workers=2) == at_once
    part = played(SMALL, tmp_path / "bit by bit", games=7)
    assert part.items() - at_once.items() == {("00000006.npz", part["00000006.npz"])}  # one game short
    assert played(SMALL, tmp_path / "bit by bit") == at_once


def command(folder: Path, games: int) -> list[str]:
    options = f"--game dvonn --depth 1 --games {games} --shard 5 --workers 2 --json --out {folder}"
    return [*COMMAND, "selfplay", *options.split()]


def start(folder: Path, games: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(folder, games),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.posix
def test_killed_and_interrupted_runs_lose_and_double_nothing(tmp_path):
    games, folder = 10_000, tmp_path / "killed"
    settings = SelfplaySettings(DVONN, 1, None, DVONN.game.random_plies, shard=5)
    for kill in (signal.SIGKILL, signal.SIGINT):
        process = start(folder, games)
        before = files(folder)
        eventually(lambda before=before: len(files(folder)) > len(before) + 2)
        time.sleep(random.uniform(0, 0.1))
        os.killpg(process.pid, kill)
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == (130 if kill == signal.SIGINT else -kill)
        kept = files(folder)
        assert before.items() <= kept.items()
    assert json.loads(output)["games"] == 5 * len(kept)
    assert errors.startswith("interrupted; to go on:\n  tengen selfplay --game dvonn --games 10000 --out ")
    assert errors.count("\n") == 2
    games = int(max(kept).removesuffix(".npz")) + 2 * 5  # enough to fill all gaps
    with SelfplayRun(settings, games, folder) as run:
        run.play(WorkerPool())
        assert (run.counts["games"], run.played["games"]) == (games, games - 5 * len(kept))
    assert files(folder) == played(settings, tmp_path / "undisturbed", games)


def test_an_interrupt_between_a_file_and_its_count_is_heard_after_both(tmp_path, monkeypatch):
    def replace_and_interrupt(path: Path, data: bytes) -> None:
        replace_file(path, data)
        signal.raise_signal(signal.SIGINT)

    with SelfplayRun(SMALL, 12, tmp_path) as run:
        monkeypatch.setattr(selfplay_run, "replace_file", replace_and_interrupt)
        with pytest.raises(KeyboardInterrupt):
            run.play(WorkerPool())
    assert run.counts["games"] == run.played["games"] == SMALL.shard
    assert len(files(tmp_path)) == 1


# ------------------------------------------------------------------------------------------------- resumption


def test_only_one_process_plays_in_a_folder(tmp_path):
    with exclusive_lock(tmp_path), pytest.raises(TengenError, match="is in use by another run"):
        played(SMALL, tmp_path)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"seed": 2}, "seed is 1 there, 2 here"),
        ({"openings": 5, "explore": 0.5}, "openings is 4 there, 5 here; explore is 0.02 there, 0.5 here"),
        ({"game": GameSpec.parse("gomoku,size=6")}, "game is gomoku,size=5 there, gomoku,size=6 here"),
        ({"version": "tengen 0"}, r"engine is tengen \S+ \(\S+\) there, tengen 0 here"),
    ],
)
def test_another_run_does_not_get_into_the_same_folder(tmp_path, change, complaint):
    before = played(SMALL, tmp_path)
    with pytest.raises(TengenError, match=f"expected the same self-play, got another: {complaint}"):
        played(replace(SMALL, **change), tmp_path)
    (tmp_path / "selfplay.json").unlink()  # every shard knows by itself
    with pytest.raises(TengenError, match=r"00000000\.npz: expected"):
        played(replace(SMALL, **change), tmp_path)
    assert files(tmp_path) == before


def test_workers_of_another_engine_are_refused():
    with pytest.raises(TengenError, match=r"worker: expected tengen 0, got tengen \S+ \("):
        play_batch(Batch(replace(SMALL, version="tengen 0"), 0, 1))


def test_damaged_files_are_played_again(tmp_path):
    whole = played(SMALL, tmp_path)
    (tmp_path / "00000003.npz").write_bytes(whole["00000003.npz"][:-100])
    (tmp_path / "00000006.npz").write_bytes(pickle.dumps([1, 2, 3]))
    notices: list[str] = []
    with SelfplayRun(SMALL, 12, tmp_path, notices.append) as run:
        run.play(WorkerPool())
    assert files(tmp_path) == whole
    assert [notice.rpartition("; ")[2] for notice in notices] == ["its games are played again"] * 2
    assert run.played["games"] == 6


def test_settings_that_cannot_be_read_are_refused(tmp_path):
    (tmp_path / "selfplay.json").write_text("[1, 2")
    with pytest.raises(
        TengenError, match=r"selfplay.json: expected the settings of self-play, got others \("
    ):
        played(SMALL, tmp_path)


# ----------------------------------------------------------------------------------------------------- shards


@pytest.fixture(scope="module")
def shard():
    return play_batch(Batch(SMALL, 6, 2))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "shard.npz"


def test_a_shard_is_read_as_it_was_written(shard, path):
    path.write_bytes(shard.pack())
    again = PositionShard.read(path, GOMOKU)
    assert again.pack() == shard.pack()
    assert again.states.dtype == GOMOKU.game.rules.STATE
    assert GOMOKU.game.rules.outcome(again.states[0]) == Outcome.ONGOING
    assert (again.first, again.count, again.settings["seed"]) == (6, 2, "1")
    assert len(PositionShard.read(path, GameSpec.parse("gomoku:freestyle,size=5")).states) == len(
        shard.states
    )


def changed(shard: PositionShard, **arrays) -> dict[str, np.ndarray]:
    """Return the arrays of the file of a shard, with some in place of its own, or none."""
    with np.load(io.BytesIO(shard.pack())) as archive:
        mixed = {**{name: archive[name] for name in archive.files}, **arrays}
    return {name: array for name, array in mixed.items() if array is not None}


def with_header(shard: PositionShard, **entries) -> dict[str, np.ndarray]:
    header = json.loads(str(changed(shard)["header"]))
    return changed(shard, header=np.array(json.dumps({**header, **entries})))


def test_files_that_are_no_shards_are_refused_in_one_line(shard, path):
    layout = json.loads(str(changed(shard)["header"]))["layout"]
    pickled = np.array([{"a": 1}], object)
    whole = shard.pack()
    with path.open("wb") as file:
        np.savez(file, **changed(shard, states=pickled), allow_pickle=True)
    with_pickles = path.read_bytes()
    contents = [
        ("expected an npz file, got", b""),
        ("expected an npz file, got one that is damaged", whole[: len(whole) // 2]),
        ("expected an npz file, got one that is damaged (File is not a zip", whole[:-10]),
        ("expected an npz file, got one that is damaged (Bad CRC", damaged(whole)),
        ("which are never loaded", pickle.dumps(["states"])),
        ("which are never loaded", with_pickles),
        ("expected the header of a shard, got none", pack(changed(shard, header=None))),
        ("expected a shard, got a file without scores", pack(changed(shard, scores=None))),
        ("scores: expected int32, got float64", pack(changed(shard, scores=shard.scores * 1.0))),
        (
            f"plies: expected {len(shard.plies)} in a row, got ({len(shard.plies) - 1},)",
            pack(changed(shard, plies=shard.plies[1:])),
        ),
        (
            "results: expected numbers from 1 to 3, got others",
            pack(changed(shard, results=shard.results * 0)),
        ),
        ("states: expected those of gomoku", pack(changed(shard, states=shard.scores))),
        ("expected format 1, got 2", pack(with_header(shard, format=2))),
        ("expected games of gomoku,size=5, got dvonn", pack(with_header(shard, game="dvonn"))),
        ("with the field key <u8, got key <u4", pack(with_header(shard, layout=["key <u4", *layout[1:]]))),
    ]
    for complaint, content in contents:
        path.write_bytes(content)
        with pytest.raises(ShardError, match=re.escape(complaint)) as refusal:
            PositionShard.read(path, GOMOKU)
        assert str(refusal.value).startswith(f"{path}: ")
        assert "\n" not in str(refusal.value)
    with pytest.raises(ShardError, match="No such file"):
        PositionShard.read(path.with_name("none"), GOMOKU)


def damaged(whole: bytes) -> bytes:
    """Return the file with other bytes in the midst of its largest member."""
    middle = len(whole) // 2
    return whole[:middle] + bytes(b ^ 0xFF for b in whole[middle : middle + 8]) + whole[middle + 8 :]


# ---------------------------------------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("--games 0", "--games: expected a whole number from 1"),
        ("--games 1000000000", "games: expected 1 to 100000000, got 1000000000"),
        ("--depth 3 --nodes 100", "--depth and --nodes exclude each other"),
        ("--explore 2", "--explore: expected a number from 0 to 1, got '2'"),
        ("--explore nan", "--explore: expected a number from 0 to 1, got 'nan'"),
        ("--shard 0", "--shard: expected a whole number from 1"),
        ("--workers 0", "--workers: expected a whole number from 1 to 256, got '0'"),
        ("--workers 2 --dask tcp://127.0.0.1:9", "--workers and --dask exclude each other"),
        ("--dask tcp://127.0.0.1:9", "dask: expected a scheduler at 'tcp://127.0.0.1:9', got none"),
        ("--weights nowhere.npz", "nowhere.npz: No such file or directory"),
        ("--game chess", "game: expected one of"),
        ("--out file", "file: File exists"),
    ],
)
def test_bad_command_lines_are_refused_in_one_line(tmp_path, monkeypatch, refused, options, complaint):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dask_cluster, "CONNECT_TIMEOUT", 0.3)
    (tmp_path / "file").touch()
    words = ["--game", "gomoku,size=5", "--games", "2", "--out", "games", *options.split()]
    assert complaint in refused("selfplay", *words)


def test_balanced_openings_begin_games_and_are_not_kept():
    wanted = replace(SMALL, game=GameSpec.parse("gomoku,size=9"), openings=0, balanced=True, explore=0.0)
    shard = play_batch(Batch(wanted, 0, 2))
    first = np.flatnonzero(np.diff(shard.games, prepend=-1))
    assert all(4 <= count <= 8 for count in shard.states["stones"][first])
    assert wanted.identity()["openings"] == "balanced"
