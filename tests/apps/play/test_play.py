"""A person against the engine: the words of `tengen play`, whole games, and ways to leave."""

import io
import itertools
import re
import shlex
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import pytest

from tengen.apps.cli import main as cli
from tengen.apps.play import main as play_main
from tengen.apps.play.commands import COMMANDS
from tengen.apps.play.dialogue import InteractiveGame
from tengen.apps.play.kept import KeptGame, find
from tengen.engine.game import Outcome
from tengen.engine.notation import shown as as_shown
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.lines import Reader
from tengen.protocol.session import Session
from tengen.search.info import Result
from tengen.search.limits.limit import Limit
from tests.apps.processes import process
from tests.processes import PATIENCE, complaints
from tests.protocol.conversation import QuickSession
from tests.walks import walk

pytestmark = pytest.mark.usefixtures("data")
FIVE_BY_FIVE = Position("gomoku,size=5")
PROMPT = re.compile(r"^(?:white|black)> (.*)$", re.M)
RESUMPTION = re.compile(r"The game is unfinished\. To resume:\n  (tengen play .*)\n")


class Quick(QuickSession):
    """The session of a game that is played with ``--time 0.02``."""

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec, nodes=300)
        self.movetime = 0.02


def through_pipe(
    *answers: str, arguments: str = "--game gomoku,size=5 --time 0.02", code: int = 0, errors: bool = False
) -> str:
    """Return what a game prints, with `errors` or without, when the person gives `answers` through a pipe."""
    typed = io.TextIOWrapper(
        io.BytesIO("".join(f"{answer}\n" for answer in answers).encode("utf-8", "surrogateescape"))
    )
    printed = io.StringIO()
    with (
        patch.object(play_main, "Session", Quick),
        patch.object(sys, "stdin", typed),
        redirect_stdout(printed),
        redirect_stderr(printed if errors else sys.stderr),
    ):
        assert cli.main(["play", *shlex.split(arguments)]) == code
    return printed.getvalue()


def kept_turns() -> list[str]:
    """Return the turns of the game that was played last."""
    return [turn for _, turn in find(None).turns]


def replies(output: str) -> list[str]:
    """Return what was printed after each answer, up to the next prompt."""
    return PROMPT.split(output)[2::2]


def game(spec: str, side: int = 0, depth: int = 1) -> InteractiveGame:
    position = Position.start(spec)
    return InteractiveGame(KeptGame.new(position, side, None), Session(position.spec), Limit(depth=depth))


# -------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("spec", ["gomoku,size=5", "gomoku,size=7", "dvonn"])
@pytest.mark.parametrize("side", [0, 1])
def test_a_game_goes_on_to_its_end(spec, side, capsys):
    played = game(spec, side)
    played.play(lambda prompt: "quit" if prompt == "over> " else played.position.turns()[-1])
    assert played.position.outcome() != Outcome.ONGOING
    assert played.over
    out = capsys.readouterr().out
    winner = played.position.winner()
    last = "A draw." if winner == "draw" else f"{winner.capitalize()} wins, {played.position.result()}."
    assert out.splitlines()[-1] == last
    assert out.endswith(f"{as_shown(played.position.spec, played.position.board())}\n\n{last}\n")


def test_a_person_who_can_only_pass_is_not_asked(capsys):
    position = next(
        position
        for seed in itertools.count()
        for position in walk("dvonn", seed)
        if position.turns() == ["pass"] and position.turns_played[-2:-1] != ("pass",)
    )
    mover, before = position.side_to_move, len(position.turns_played)
    played = InteractiveGame(KeptGame.new(position, mover, None), Session(position.spec), Limit(depth=1))

    def leave(prompt: str) -> str:
        raise EOFError

    played.play(leave)
    assert played.position.turns_played[before] == "pass"
    assert f"{position.spec.game.sides[mover]} can only pass" in capsys.readouterr().out


def test_a_game_that_is_over_only_shows_its_result():
    position = "XXXXX/OOOO./...../...../..... w"
    output = through_pipe(arguments=f"--game gomoku,size=5 --position '{position}'")
    assert output.endswith("Black wins, B+1.\n")
    assert not PROMPT.search(output)


# ---------------------------------------------------------------------------------------------- challenges

CONTEST = "gipf:basic,zertz=3,challenges=2,challenge-game=gomoku"
CHARGED = "b..w/.w+b../....../w.....b/....../...../b..w 10 11 w zz 1 2 1 2"
FIVE = ("A1", "A9", "B1", "B9", "C1", "C9", "D1", "D9", "E1")


def scripted(*turns: str, side: int) -> InteractiveGame:
    """Return a game from `CHARGED` in which the engine plays the turns of its side among `turns`."""
    position = Position(CONTEST, CHARGED)
    engine = []
    for turn in turns:
        if position.side_to_move != side:
            engine.append(turn)
        position.push(turn)
    return InteractiveGame(KeptGame.new(Position(CONTEST, CHARGED), side, None), Scripted(*engine), Limit())


def test_a_person_is_told_what_a_challenge_asks_for(capsys):
    played = scripted("jc3-c5", "challenge", *FIVE, "i1-h2", side=1)
    answers = iter(["rubbish", "challenge", *FIVE[::2], "quit"])
    played.play(lambda prompt: next(answers))
    out = capsys.readouterr().out
    assert "White announces jc3-c5. Black may accept it, or challenge it to play Gomoku" in out
    assert "White has announced jc3-c5: expected accept or challenge from Black" in out
    assert "Gomoku is played for White's jc3-c5: Black must win, or else it is made. Black to move." in out
    assert "Black has won at Gomoku: White loses the potential on c3, and has the turn again." in out


def test_a_person_is_told_what_the_engine_answers(capsys):
    played = scripted("jc3-c5", "challenge", *FIVE, side=0)
    answers = iter(["jc3-c5", *FIVE[1::2], "undo", "quit"])
    played.play(lambda prompt: next(answers))
    out = capsys.readouterr().out
    assert out.index("White announces jc3-c5") < out.index("black plays challenge")
    assert out.index("black plays e1") < out.index("Black has won at Gomoku")
    assert played.position.turns_played == ("jc3-c5", "challenge", *FIVE[:7])


def test_a_suspended_game_is_resumed_where_it_was_left():
    arguments = f"--game {CONTEST} --position '{CHARGED}' --moves 'jc3-c5 challenge' --side b"
    command = RESUMPTION.search(through_pipe("quit", arguments=arguments))[1]
    assert "--moves 'jc3-c5 challenge'" in command
    resumed = through_pipe("quit", arguments=command.removeprefix("tengen play "))
    assert "Gomoku is played for White's jc3-c5" in resumed


def test_stones_that_a_record_sets_up_are_in_the_command_that_resumes_its_game(tmp_path, monkeypatch):
    record = tmp_path / "game.sgf"
    monkeypatch.setenv("TENGEN_DATA", str(record))  # no folder: the game cannot be kept
    record.write_text("(;GM[4]SZ[5]AB[bb]AW[cc];B[dd])")
    command = RESUMPTION.search(through_pipe("quit", arguments=f"--resume '{record}' --time 0.02"))[1]
    assert re.search(r"--position '\.{5}/\.X\.\.\./\.\.O\.\./\.{5}/\.{5} b' --moves (D2|'D2 )", command)
    assert "4 . X . . . 4" in through_pipe("quit", arguments=command.removeprefix("tengen play "))


def within_a_challenge(kind: str, *answers: str) -> str:
    """Return what is printed after Black, a person, has challenged."""
    spec = CONTEST.replace("gomoku", kind)
    arguments = f"--game {spec} --position '{CHARGED}' --moves 'jc3-c5 challenge' --side b --time 0.02"
    return through_pipe(*answers, arguments=arguments)


def test_a_person_tells_how_a_challenge_outside_has_ended():
    out = within_a_challenge("outside", "hint", "moves", "nobody", "result owner", "undo", "quit")
    assert "White's jc3-c5 is settled outside: Black must win" in out
    _, hint, moves, refused, told, *_ = re.split(r"^result> .*$", out, flags=re.M)
    assert "expected result challenger, owner or draw" in hint
    assert moves.split() == ["result-challenger", "result-owner", "result-draw"]
    assert "expected result-challenger or result-owner or result-draw, got 'nobody'" in refused
    assert "Black has not won outside: White makes the turn jc3-c5." in told
    assert kept_turns() == ["jc3-c5", "challenge"]


def test_a_lot_is_drawn_without_being_asked_for():
    out = within_a_challenge("coin:seed=7", "quit")
    tossed = out.index("A coin is tossed for White's jc3-c5: Black needs heads, or else it is made.")
    assert out.index("The coin shows tails: White makes the turn jc3-c5.") > tossed
    assert kept_turns() == ["jc3-c5", "challenge", "tails"]


# ---------------------------------------------------------------------------------------------- the words


def test_a_turn_is_answered_with_a_turn_its_score_and_its_time():
    answer, *_ = replies(through_pipe("c3", "quit"))
    judged = r"\((?:[+-]\d+\.\d\d|win in \d+|loss in \d+), wins \d+%\)"
    assert re.match(rf"\nwhite plays [a-e][1-5] {judged}, \d+\.\d\d s\n", answer)


def test_the_engine_begins_when_the_person_is_second():
    output = through_pipe("quit", arguments="--game gomoku,size=5 --side w --time 0.02")
    assert "You play white." in output
    assert re.search(r"^black plays [a-e][1-5] ", output, re.M)


def test_a_player_of_ones_own_takes_the_place_of_the_engine(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.path", [*sys.path])
    own = tmp_path / "own.py"
    last, broken = "position.legal_turns[-1]", "1 // 0"
    own.write_text(f"def last(position): return {last}\ndef broken(position): return {broken}\n", "utf-8")
    arguments = "--game gomoku,size=5 --side w"
    output = through_pipe("C3", "quit", arguments=f"{arguments} --player python:{own}:last")
    assert "You play white against last." in output
    assert "black plays e5\n" in output
    assert kept_turns() == ["E5", "C3", "D5"]
    assert find(None).side == 1
    assert "PB[last]" in find(None).path.read_text("utf-8")
    resuming = shlex.split(RESUMPTION.search(output)[1])[2:]
    assert "You play white against last." in through_pipe("quit", arguments=shlex.join(resuming))
    failed = through_pipe("C3", arguments=f"{arguments} --player python:{own}:broken", code=2, errors=True)
    assert "broken does not play: ZeroDivisionError" in failed.splitlines()[-1]
    refused = through_pipe(arguments=f"{arguments} --level 3 --player x", code=2, errors=True)
    assert "--player and --level exclude each other" in refused


def test_undo_takes_back_the_own_turn_and_the_answer():
    empty = as_shown(FIVE_BY_FIVE.spec, FIVE_BY_FIVE.board())
    output = through_pipe("C3", "undo", "undo", "quit")
    _, undone, refused, _ = replies(output)
    assert empty in undone
    assert refused == "\nyou have no turn to take back\n"
    assert "--moves" not in RESUMPTION.search(output)[1]


class Scripted:
    """An engine that plays what it is told."""

    interrupted = False

    def __init__(self, *turns: str) -> None:
        self.turns = iter(turns)

    def go(self, *_: object, **__: object) -> None:
        pass

    def stop(self) -> None:
        pass

    def wait(self, seconds: float) -> Result:
        return Result(next(self.turns), None, (), 0, 0.0)


def test_undo_goes_back_behind_a_pass_that_was_no_choice(capsys):
    # White's f3 is hemmed in until g3 leaves it; a1b1 makes a stack too high to move.
    text = "W1,B12,-,-,-,-,-,-,-/-,-,B1,B1,B1,B1,-,-,-,-/-,-,-,-,D,W1,B1,B1,B1,-,-/-,-,-,-,D,D,-,-,-,-/"
    position = Position.parse("dvonn", text + ",".join("-" * 9) + " w m")
    played = InteractiveGame(KeptGame.new(position, 0, None), Scripted("i3h3", "g3g4"), Limit())
    answers = iter(["a1b1", "undo"])

    def ask(prompt: str) -> str:
        if answer := next(answers, None):
            return answer
        raise EOFError

    played.play(ask)
    assert "white can only pass\nblack plays g3g4" in capsys.readouterr().out
    assert played.position.turns_played == ()


ZERTZ = "--game zertz --level 1"


def test_moves_of_many_turns_are_listed_by_their_beginning():
    out = through_pipe("moves", "moves Wd4", "moves Q", "quit", arguments=ZERTZ)
    turns = Position.start("zertz").turns()
    assert (
        f"{len(turns):,} turns in all; moves {turns[0][:3]} lists those that begin with {turns[0][:3]}" in out
    )
    _, all_of_them, some, none, _ = re.split("^Player 1> .*$", out, flags=re.M)
    assert all_of_them.split()[:300] == turns[:300]
    assert some.split() == [turn for turn in turns if turn.startswith("Wd4")]
    assert none.strip() == "no legal turn begins with 'Q'"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("quit", "The game is unfinished"),
        ("level 3", "now plays at level 3"),
        ("hint", "the engine would play"),
    ],
)
def test_a_word_leaves_a_turn_that_is_entered_in_steps(word, said):
    out = through_pipe("W", "d4", word, "quit", arguments=ZERTZ)
    assert "back takes a choice back, cancel leaves them" in out
    assert said in out
    assert "expected d5" not in out


def test_a_whole_turn_may_be_entered_among_its_steps():
    through_pipe("W", "Bd4,d1", "quit", arguments=ZERTZ)
    assert kept_turns()[0] == "Bd4,d1"


def test_moves_lists_every_legal_turn():
    listed, _ = replies(through_pipe("moves", "quit"))
    assert listed.split() == as_shown(FIVE_BY_FIVE.spec, FIVE_BY_FIVE.turns())


def test_hint_suggests_and_plays_nothing():
    output = through_pipe("hint", "quit")
    hint, _ = replies(output)
    turn = re.match(r"\nthe engine would play ([a-e][1-5]) \(.*\)\n  [a-z]", hint)[1]
    assert turn.upper() in FIVE_BY_FIVE.turns()
    assert "--moves" not in RESUMPTION.search(output)[1]


def test_board_is_shown_again():
    shown, _ = replies(through_pipe("board", "quit"))
    assert shown.strip("\n") == as_shown(FIVE_BY_FIVE.spec, FIVE_BY_FIVE.board()).strip("\n")


def test_help_names_every_word():
    text, _ = replies(through_pipe("help", "quit"))
    for word in set(COMMANDS) - {"?", "exit"}:
        assert re.search(rf"\b{word} ", text)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("hnit", r".*got 'hnit' \(did you mean 'hint'\?\)"),
        ("Z9", r"turn: expected a vertex from a1 to e5, got 'Z9'"),
        ("C3 C4", r"turn: expected a vertex .*, got 'c3 c4'"),
        ("x" * 5000, r"turn: expected a vertex.*\.\.\.'"),
        ("\x1b[A", r"turn: expected a vertex.*"),
    ],
    ids=["word", "vertex", "two", "long", "control"],
)
def test_what_is_not_understood_gets_one_line_and_another_chance(answer, complaint):
    reply, last = replies(through_pipe(answer, "quit"))
    assert re.fullmatch(rf"\n{complaint}\n", reply)
    assert "is unfinished" in last


def test_an_illegal_turn_gets_its_rule_and_another_chance():
    *_, reply, _ = replies(through_pipe("C3", "C3", "quit"))
    assert reply == "\nillegal turn 'c3': c3 is occupied [M-1] (to read on: rules M-1)\n"


def test_points_of_five_in_a_row_are_shown_and_typed_with_the_letter_i():
    out = through_pipe("moves i9", "i9", "board", "quit", arguments="--game gomoku --level 1")
    assert "\ni9\n" in out
    assert "black> i9\n" in out
    assert out.count("a b c d e f g h i j k l m n o") >= 2
    assert "--resume" in out


def test_blank_lines_are_passed_over():
    blank, _ = replies(through_pipe("", "quit"))
    assert blank == "\n"


# ------------------------------------------------------------------------------------------- ways to leave


def test_who_resigns_loses():
    output = through_pipe("C3", "resign")
    assert output.endswith("\nBlack resigns, white wins.\n")


@pytest.mark.parametrize("answers", [["C3"], ["C3", "quit"]], ids=["end of input", "quit"])
def test_who_leaves_is_told_how_to_go_on(answers):
    output = through_pipe(*answers)
    command = RESUMPTION.search(output)[1]
    assert output.endswith(f"{command}\n")
    continued = through_pipe("quit", arguments=command.removeprefix("tengen play "))
    assert RESUMPTION.search(continued)[1] == command
    first, *others = kept_turns()
    assert (first, len(others)) == ("C3", 1)


@pytest.mark.posix
@pytest.mark.parametrize("answer", [None, "C3"], ids=["asked", "thinking"])
def test_ctrl_c_leaves(answer):
    arguments = ["play", "--game", "gomoku,size=5", "--time", "1000"]
    with process(*arguments, stdin=subprocess.PIPE) as running:
        if answer:
            running.stdin.write(f"{answer}\n")
            running.stdin.flush()
        while "to move" not in (line := running.stdout.readline()):
            assert line
        if answer:
            while f"> {answer}" not in (line := running.stdout.readline()):
                assert line
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE) == EXIT_INTERRUPTED
        assert re.search(r"\n  tengen play --.*\n\Z", running.stdout.read())
        assert complaints(running.stderr.read()) == ""


def test_bytes_that_are_no_text_do_not_end_the_game():
    said = (b"\xff\xfe\x00\n" + bytes(range(256))).decode("utf-8", "surrogateescape")
    output = through_pipe(said, "quit", errors=True)
    assert "Traceback" not in output
    assert "is unfinished" in output


def test_the_resumption_names_all_that_was_set():
    spec = GameSpec.parse("gomoku,size=5")
    text = "X..../...../O..../...../..... b"
    arguments = f"--game {spec} --position '{text}' --side w --time 0.02 --threads 2 --hash 8"
    with patch.object(KeptGame, "write"):  # a game that is not kept is named by its turns
        words = shlex.split(RESUMPTION.search(through_pipe("undo", arguments=arguments))[1])
    for word in (str(spec), text, "w", "0.02", "2", "8"):
        assert word in words
    for word in ("0.02", "2", "8"):
        assert word in shlex.split(RESUMPTION.search(through_pipe(arguments=arguments))[1])


def test_a_file_gives_no_more_answers_than_a_person(monkeypatch, capsys):
    monkeypatch.setattr(play_main, "MAX_ANSWERS", 3)
    source = io.BytesIO(b"A1\n" + b"x" * 10_000 + b"\nB2\nC3\nD4\n")
    ask = play_main.echoing(Reader(source))
    assert [ask("> ") for _ in range(3)] == ["A1", "x" * play_main.MAX_ANSWER, "B2"]
    with pytest.raises(EOFError):
        ask("> ")
    assert capsys.readouterr().err == "tengen: expected at most 3 answers, got more\n"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("a1", "you play a1-b2"),
        ("A2", "2 turns begin so: moves A2 lists them"),
        ("b2", "illegal turn 'b2'"),
    ],
)
def test_the_beginning_of_the_only_turn_is_enough(data, answer, said):
    assert said in through_pipe(answer, "quit", arguments="--game gipf --time 0.02")


def test_a_place_is_not_the_beginning_of_another_one(data):
    """h1 is taken; h10 is not meant."""
    assert "begin so" not in through_pipe("h1", "h1", "quit", arguments="--game gomoku,size=10 --time 0.02")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "fr",
            [
                "Vous jouez noir.",
                "À Noir de jouer",
                "blanc joue",
                "noir abandonne, blanc gagne.",
            ],
        ),
        (
            "es",
            ["Juegas con negro.", "Juega Negro", "blanco juega", "negro se rinde; gana blanco."],
        ),
    ],
)
def test_a_game_is_played_in_another_language_with_the_same_words_to_enter(language, said):
    arguments = f"--game gomoku,size=5 --time 0.02 --language {language}"
    output = through_pipe("e5x", "hint", "A1", "step", "cancel", "e", "E5", "resign", arguments=arguments)
    assert [text for text in said if text.lower() not in output.lower()] == []
    assert f"--language {language}" in through_pipe(arguments=arguments)
