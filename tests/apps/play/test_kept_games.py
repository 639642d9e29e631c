"""Games that a person has played are kept: after every turn, whatever ends the process."""

import os
import re
import subprocess
from unittest.mock import patch

import pytest

from tengen.apps.play import dialogue, kept
from tengen.apps.play import main as play_main
from tengen.apps.play.kept import KeptGame, chosen_level, suitable_level
from tengen.engine import sgf
from tengen.engine.games import find as find_game
from tengen.engine.play.position import Position
from tengen.protocol.archive import PERSON
from tengen.search.levels import named_levels
from tests.apps.play.test_play import through_pipe
from tests.apps.processes import process
from tests.engine.records import comments, details

pytestmark = pytest.mark.usefixtures("data")
GAME = "--game gomoku,size=5 --time 0.02"
SLOW = ("play", "--game", "gomoku,size=5", "--time", "1000")


def play(*answers: str, arguments: str = GAME, code: int = 0) -> str:
    """Return what is printed, errors included, when the person gives `answers`."""
    return through_pipe(*answers, arguments=arguments, code=code, errors=True)


def turns() -> list[str]:
    (path,) = kept.paths()
    return [turn for _, turn in KeptGame.read(path).turns]


def keep(spec: str, *played: str, side: int = 0, level: int | None = None, result: str = "") -> KeptGame:
    """Put a game into the data folder."""
    position = Position(spec)
    sgf.replay(position, [(None, turn) for turn in played])
    game = KeptGame.new(position, side, level)
    game.write(position, result)
    return game


# ------------------------------------------------------------------------------------------------ the files


def test_a_game_without_a_turn_leaves_no_file(data):
    play("quit")
    assert not data.exists()


def test_a_game_is_kept_after_every_turn(data):
    play("C3", "quit")
    assert turns()[0] == "C3"
    assert len(turns()) == 2
    assert [path.parent for path in kept.paths()] == [data / "games"]


def test_the_record_says_who_played_and_at_which_level():
    play("C3", "quit", arguments=f"{GAME} --level 3")
    record = sgf.read_file(kept.paths()[0])
    assert record.properties["PB"] == [PERSON]
    assert record.properties["PW"][0].startswith("tengen")
    assert record.properties["WR"] == ["level 3"]
    assert "RE" not in record.properties
    play("C3", "resign", "quit", arguments="--resume --time 0.02")


def test_a_resignation_is_kept_and_can_be_taken_back():
    play("C3", "resign")
    assert KeptGame.read(kept.paths()[0]).result == "W+R"
    out = play("undo", "quit", arguments="--resume 1 --time 0.02")
    assert out.index("Black resigns, white wins.") < out.index("Black to move")
    assert KeptGame.read(kept.paths()[0]).result == ""


def test_a_game_that_is_over_can_be_gone_on_with_after_undo():
    keep("gomoku,size=5", "A1", "A5", "B1", "B5", "C1", "C5", "D1", "D5", "E1", result="B+1")
    out = play("A2", "undo", "moves", "quit", arguments="--resume 1 --time 0.02")
    assert "Black wins, B+1." in out
    assert "the game is over: expected undo, review, new, level or quit" in out
    assert len(turns()) == 8
    assert KeptGame.read(kept.paths()[0]).result == ""


def test_undo_works_after_resuming_and_takes_back_the_own_turn():
    keep("gomoku,size=5", "C3", "C4", "D3", "D4")
    play("undo", "quit", arguments="--resume --time 0.02")
    assert turns() == ["C3", "C4"]


def test_a_killed_process_loses_nothing(tmp_path):
    with process(*SLOW, stdin=subprocess.PIPE) as running:
        running.stdin.write("C3\n")
        running.stdin.flush()
        while "> C3" not in (line := running.stdout.readline()):
            assert line
        wait_for_file()
    assert turns() == ["C3"]


def wait_for_file() -> None:
    from tests.processes import eventually

    eventually(kept.paths)


def test_a_disk_that_is_full_for_a_while_is_said_once_and_the_game_is_kept_later(data, monkeypatch):
    data.mkdir()
    (data / "games").write_text("a file where the folder should be")
    monkeypatch.setattr(dialogue.InteractiveGame, "show_board", lambda game: None)
    typed, cleared = iter(["C3", "B2", None, "E5", "quit"]), lambda: (data / "games").unlink()
    with patch.object(
        play_main, "reader", return_value=lambda prompt: next(typed) or cleared() or next(typed)
    ):
        out = play()
    assert out.count("the game is not kept: ") == out.count("the game is kept again in ") == 1
    assert {"C3", "B2", "E5"} <= {*turns()}
    assert "--resume" in out.splitlines()[-1]


def test_two_who_resume_one_game_both_keep_their_turns():
    path = keep("gomoku,size=5", "C3", "C4").path
    first, second = KeptGame.read(path), KeptGame.read(path)
    for game, turn in ((first, "D3"), (second, "E3"), (first, "D4"), (second, "E4")):
        position = game.position()
        position.push(turn)
        game.write(position, "")
    assert [turn for _, turn in KeptGame.read(path).turns] == ["C3", "C4", "D3", "D4"]
    assert second.path.stem == f"{path.stem}-2"
    assert [turn for _, turn in KeptGame.read(second.path).turns] == ["C3", "C4", "E3", "E4"]


def test_whoever_is_late_is_told_where_the_game_is_kept_now():
    path = keep("gomoku,size=5", "C3", "C4").path
    typed = iter(["D3", None, "E3", "quit"])

    def theirs() -> None:
        game = KeptGame.read(path)
        position = game.position()
        position.pop()
        game.write(position, "")

    with patch.object(
        play_main, "reader", return_value=lambda prompt: next(typed) or theirs() or next(typed)
    ):
        out = play(arguments="--resume 1 --time 0.02")
    said = f"somebody else has gone on with {path.stem}: this game is {path.stem}-2 now"
    assert out.count(said) == 1
    assert out.splitlines()[-1].startswith(f"  tengen play --resume {path.stem}-2")
    assert len(KeptGame.read(path).turns) == 3
    assert len(KeptGame.read(path.with_stem(f"{path.stem}-2")).turns) == 6


def test_what_else_a_game_says_stays_when_the_terminal_goes_on_with_it(data):
    path = keep("gomoku,size=9", "E5").path
    path.write_text(
        "(;GM[4]SZ[9]PB[person]PW[tengen]EV[cup]C[root]TW[{}];B[ee]C[fine]"
        "(;W[dd]LB[aa:1];B[ff](;W[gg]C[end])(;W[aa]))(;W[ii]C[other](;B[ab])(;B[ac])))"
    )
    game = KeptGame.read(path)
    position = game.position()
    position.pop()
    position.push("G7")
    game.write(position, "")
    again = sgf.read_file(path)
    assert "TW" not in again.properties
    assert (again.properties["EV"], again.properties["C"]) == (["cup"], ["root"])
    assert again.turns == [(0, "E5"), (1, "D6"), (0, "F4"), (1, "G7")]
    assert (comments(again), details(again)) == ({0: "fine"}, {1: {"LB": ["aa:1"]}})
    before, after = again.line[1], again.line[3]
    assert [(each.turn, each.comment) for each in after.variations] == [("G3", "end"), ("A9", "")]
    assert [len(each.children) for each in before.variations] == [2]
    game.write(game.position(), "")
    while position.turns_played:
        position.pop()
    position.push("A1")
    game.write(position, "")
    again = sgf.read_file(path)
    assert again.turns == [(0, "A1")]
    (other,) = again.root.variations
    line = [other, *other.main_line()]
    assert len(line) == 4
    assert [number for number, each in enumerate(line, 1) if each.variations] == [1, 3]


def test_variations_stay_when_the_turns_beside_them_are_taken_back(data):
    path = data / "games" / "und.sgf"
    path.parent.mkdir(parents=True)
    seats = "PB[person]PW[tengen 0.2.0]WR[level 1]"
    path.write_text(f"(;GM[4]SZ[7]TG[gomoku,size=7]{seats}(;B[dd];W[cc])(;B[aa]C[mine];W[bb];B[cc]))")
    play("undo", "quit", arguments="--resume und --time 0.02")
    assert KeptGame.read(path).turns == []
    play("B2", "undo", "quit", arguments="--resume und --time 0.02")
    record = sgf.read_file(path)
    assert KeptGame.read(path).turns == []
    assert [node.turn for node in record.root] == [None, None, "A7", "B6", "C5"]
    assert record.root.children[1].comment == "mine"


def test_games_of_one_second_have_names_of_their_own():
    names = {keep("dvonn", "f3").path.name for _ in range(3)}
    assert len(names) == 3


@pytest.mark.parametrize("spec", ["dvonn", "gipf", "zertz", "go,size=9", "gomoku", "gobang"])
@pytest.mark.parametrize("side", [0, 1])
def test_every_game_comes_back_as_it_was(spec, side):
    from tests.walks import walk

    *_, position = [position for position, _ in zip(walk(spec, 5), range(9), strict=False)]
    game = KeptGame.new(position, side, 7)
    game.write(position, "")
    again = kept.find("1")
    assert (again.side, again.level, again.result, again.won) == (side, 7, "", None)
    assert again.position().text() == position.text()
    assert again.position().turns_played == position.turns_played


# ------------------------------------------------------------------------------------- listing and loading


def test_the_list_names_every_game_and_what_came_of_it():
    assert "no games yet" in play(arguments="--list")
    keep("dvonn", "f3", level=4)
    keep("gomoku,size=5", "C3", side=1, result="B+R")
    out = play(arguments="--list")
    assert re.search(r"^1 .*gomoku,size=5 +white +- +1 +you lost, B\+R$", out, re.M)
    assert re.search(r"^2 .*dvonn +white +4 +1 +unfinished$", out, re.M)


def test_a_damaged_file_is_listed_and_refused():
    keep("dvonn", "f3").path.write_text("(;GM[")
    out = play(arguments="--list")
    assert "cannot be read" in out
    assert "error" in play(arguments="--resume 1", code=2)
    assert "there is no unfinished game" in play(arguments="--resume", code=2)


def spoil(folder) -> None:
    """Put whatever is no game into a folder of games."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "circle.sgf").symlink_to(folder / "circle.sgf")
    (folder / "dangling.sgf").symlink_to(folder / "nothing")
    (folder / "folder.sgf").mkdir()
    (folder / "binary.sgf").write_bytes(b"\0\xff")
    (folder / "empty.sgf").touch()
    (folder / "bad\x1bname\n.sgf").write_text("(;")
    os.mkfifo(folder / "pipe.sgf")
    (folder / "year.sgf").write_text("(;")
    os.utime(folder / "year.sgf", (1e11, 1e11))  # no calendar has it


@pytest.mark.posix
def test_one_bad_file_never_hides_the_others(data):
    spoil(data / "games")
    path = keep("gomoku,size=5", "C3", "C4").path
    out = play(arguments="--list")
    assert re.search(r"gomoku,size=5 +black +- +2 +unfinished$", out, re.M)
    assert out.count("cannot be read") == 8
    assert kept.find(None).path == kept.find(path.stem).path == path
    assert suitable_level(find_game("gomoku")) == named_levels(find_game("gomoku"))["beginner"]
    numbers = [line.split()[0] for line in out.splitlines() if "cannot be read" in line]
    for number in numbers:
        complaint = play(arguments=f"--resume {number}", code=2)
        assert len(complaint.strip().splitlines()) == 1
        assert "internal error" not in complaint


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (f"--resume {'9' * 5000}", "expected a number of a kept game"),
        (f"--game dvonn --level {'9' * 5000}", "level: expected 1 to 20, auto, first game, beginner, "),
        ("--resume ~no-such-one/game.sgf", "~no-such-one/game.sgf"),
        ("--resume 7", "expected a number of a kept game, none, as no game is kept yet, got '7'"),
        ("--resume nothing.sgf", "nothing.sgf"),
        ("--resume 1 --game dvonn", "--game and --resume exclude each other"),
        ("--side b", "a game is required, such as tengen play dvonn"),
        ("--game dvonn --level 21", "beginner, casual, club, strong, full, got '21'"),
        ("--game dvonn --level weak", "beginner, casual, club, strong, full, got 'weak'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(arguments, complaint):
    out = play(arguments=arguments, code=2)
    assert complaint in out
    assert len(out.strip().splitlines()) == 1


def test_a_game_is_found_by_its_name_and_number_and_file(tmp_path):
    game = keep("gomoku,size=5", "C3")
    elsewhere = tmp_path / "elsewhere.sgf"
    elsewhere.write_bytes(game.path.read_bytes())
    for word in (game.path.stem, game.path.name, "1", str(elsewhere)):
        assert kept.find(word).turns == [(0, "C3")]
    play("quit", arguments=f"--resume {elsewhere} --time 0.02 --level 2")
    assert elsewhere.read_bytes() == game.path.read_bytes(), "a file from elsewhere is left alone"


def test_load_goes_on_with_another_game():
    keep("gomoku,size=7", "D4", "A1")
    out = play("load", "load 9", "load 1", "quit")
    assert "load N goes on with game N" in out
    assert "expected a number of a kept game, 1 to 1, got '9'" in out
    assert "--resume" in out.splitlines()[-1]


def test_save_writes_a_copy_and_replaces_nothing(tmp_path):
    path = tmp_path / "my game"
    out = play("save", "C3", "save", f"save {path}", f"save {path}", f"save {tmp_path}/no/folder", "quit")
    assert "the game is not kept yet" in out
    assert "the game is kept in" in out
    assert sgf.read_file(path.with_suffix(".sgf")).turns[0] == (0, "C3")
    assert "expected a new file" in out
    assert "save: " in out.split("expected a new file")[1]
    out = play("save .", "save /", "save ..", f"save {'x' * 300}", "board", "quit")
    assert out.count("save: expected a file, got") == 3
    assert "File name too long" in out


def test_review_judges_the_game():
    keep("gomoku,size=5", "A1", "A5", "B1", "B5", "C1", "C5", "D1", "D5", "E1", result="B+1")
    with patch("tengen.apps.play.commands.REVIEW_TIME", 0.01):
        out = play("review", "quit", arguments="--resume 1 --time 0.02")
    assert "e1" in out
    assert len(kept.paths()) == 1, "the annotated record is no game of its own"
    assert "nothing to review" in play("review", "quit")


# ---------------------------------------------------------------------------------------------------- levels


def test_the_next_level_is_offered():
    out = play("resign", "quit", arguments=f"{GAME} --level 5")
    assert "Level 4 is the next one down: level 4 begins a game against it." in out
    out = play("resign", "level 4", "quit", arguments=f"{GAME} --level 5")
    assert out.count("You play black against level") == 2
    assert "You play black against level 4." in out


def test_a_level_that_suits_is_next_to_that_of_the_last_decided_game():
    game = find_game("gomoku")
    assert suitable_level(game) == chosen_level("auto", game) == named_levels(game)["beginner"]
    keep("gomoku", "H8", level=9, result="B+1")
    assert suitable_level(game) == 10
    keep("gomoku", "H8", level=10, result="W+R")
    keep("gomoku", "H8", level=17)
    keep("dvonn", "f3", level=3, result="W+5")
    keep("gomoku", "H8", result="B+1")
    assert suitable_level(game) == 9
    assert suitable_level(find_game("dvonn")) == 4
    assert suitable_level(find_game("go")) == named_levels(find_game("go"))["beginner"]


def test_a_level_may_be_named_in_english_or_in_the_language_of_the_environment(monkeypatch):
    game = find_game("gomoku")
    named = named_levels(game)
    assert {name: chosen_level(name.upper(), game) for name in named} == named
    monkeypatch.setattr("tengen.apps.language._spoken", ["fr"])
    assert chosen_level("débutant", game) == chosen_level("beginner", game) == named["beginner"]


def test_the_level_can_be_changed_during_the_game():
    out = play("level", "level 3", "level", "level 99", "level strong", "level 3", "C3", "quit")
    assert "the engine plays at level 20 of 20" in out
    assert "the engine plays at level 3 of 20" in out
    assert "\n  first game 1, beginner 4, casual 8, club 11, strong 15, full 20\n" in out
    assert "the engine now plays at level 15" in out
    assert "casual, club, strong, full, got '99'" in out
    assert KeptGame.read(kept.paths()[0]).level == 3


def test_a_level_that_was_changed_is_kept_before_the_next_turn():
    play("C3", "level 7", "quit", arguments=f"{GAME} --level 2")
    assert KeptGame.read(kept.paths()[0]).level == 7


def test_new_begins_another_game():
    out = play("new dvon", "new dvonn", "quit")
    assert "did you mean 'dvonn'?" in out
    assert "White to place" in out
