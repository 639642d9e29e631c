"""Both sides of what operating systems do differently: facts of other systems take the place of ours."""

import errno
import os
import subprocess
import sys
import types
from multiprocessing.connection import Pipe

import psutil
import pytest

from tengen.engine import system
from tests.processes import eventually

pytestmark = pytest.mark.posix  # which plays Windows here
FAMILY = "import subprocess, sys; subprocess.Popen(['sleep', '600']); print(flush=True); sys.stdin.read()"


class Msvcrt(types.ModuleType):
    """What Windows offers for locks, on the locks of this system."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.places: list[int] = []

    def locking(self, file: int, mode: int, count: int) -> None:
        """Lock the next `count` bytes, as it does: EACCES if another handle holds them."""
        import fcntl

        assert (mode, count) == (self.LK_NBLCK, 1)
        self.places.append(os.lseek(file, 0, os.SEEK_CUR))
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OSError(errno.EACCES, "Permission denied") from None


@pytest.fixture
def windows(monkeypatch) -> Msvcrt:
    """Windows, as far as `system` can tell."""
    msvcrt = Msvcrt()
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setattr(system, "WINDOWS", True)
    monkeypatch.setattr(system, "in_new_group", lambda: {"start_new_session": True})
    return msvcrt


@pytest.fixture(params=["POSIX", "Windows"])
def either(request) -> str:
    """Each side in turn."""
    if request.param == "Windows":
        request.getfixturevalue("windows")
    return str(request.param)


def test_a_lock_keeps_others_out_until_the_file_is_closed(either, tmp_path):
    with (tmp_path / "file").open("ab") as first:
        system.lock_file(first.fileno())
        with (tmp_path / "file").open("ab") as second, pytest.raises(BlockingIOError):
            system.lock_file(second.fileno())
    with (tmp_path / "file").open("ab") as third:
        system.lock_file(third.fileno(), wait=True)


def test_a_lock_of_windows_leaves_the_contents_and_the_position_alone(windows, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"contents")
    with path.open("r+b") as file:
        file.seek(3)
        system.lock_file(file.fileno())
        assert windows.places == [1 << 30]
        assert file.read() == b"tents"
    assert path.read_bytes() == b"contents"


def test_who_waits_for_a_lock_of_windows_gets_it(windows, tmp_path, monkeypatch):
    first = (tmp_path / "file").open("ab")
    system.lock_file(first.fileno())
    monkeypatch.setattr(system.time, "sleep", lambda seconds: first.close())
    with (tmp_path / "file").open("ab") as second:
        system.lock_file(second.fileno(), wait=True)
    assert len(windows.places) == 3


def test_a_disk_without_locks_needs_none_and_other_errors_are_told(windows, tmp_path, monkeypatch):
    errors = [OSError(errno.EIO, "Input/output error"), OSError(errno.ENOLCK, "No locks available")]

    def locking(*_):
        raise errors.pop()

    monkeypatch.setattr(windows, "locking", locking)
    with (tmp_path / "file").open("ab") as file:
        system.lock_file(file.fileno())
        with pytest.raises(OSError, match="Input/output error"):
            system.lock_file(file.fileno())


def test_a_file_that_another_program_has_open_is_replaced_when_it_is_free(windows, tmp_path, monkeypatch):
    source, target = tmp_path / "new", tmp_path / "old"
    source.write_text("new")
    target.write_text("old")
    refusals = [PermissionError(errno.EACCES, "in use")] * 2
    rename = os.replace

    def replace(*paths):
        if refusals:
            raise refusals.pop()
        rename(*paths)

    monkeypatch.setattr(os, "replace", replace)
    system.replace(source, target)
    assert target.read_text() == "new"


@pytest.mark.parametrize("waits", [False, True])
def test_what_stays_open_is_an_error(tmp_path, monkeypatch, waits):
    calls = []

    def replace(*paths):
        calls.append(paths)
        raise PermissionError(errno.EACCES, "in use")

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(system, "WINDOWS", waits)
    monkeypatch.setattr(system, "_PATIENCE", 0.05)
    with pytest.raises(PermissionError):
        system.replace(tmp_path / "new", tmp_path / "old")
    assert (len(calls) > 1) == waits


def test_command_lines(either):
    words = ("gnugo", "--mode", "gtp", "two words")
    assert system.split_command('gnugo --mode gtp "two words"') == words
    assert system.split_command(system.join_command(words)) == words
    with pytest.raises(ValueError, match="quotation"):
        system.split_command('gnugo "--mode')


def test_command_lines_of_windows_keep_backslashes(windows):
    line = r'"C:\Program Files\GNU Go\gnugo.exe" --mode gtp --infile C:\games\a.sgf'
    words = (r"C:\Program Files\GNU Go\gnugo.exe", "--mode", "gtp", "--infile", r"C:\games\a.sgf")
    assert system.split_command(line) == words
    assert system.join_command(words) == line
    needs = system.join_command(["starlette>=0.40", "two words>=1"])  # which cmd.exe would redirect
    assert needs == '"starlette>=0.40" "two words>=1"'
    inner = r'gnugo.exe --infile="my games\a.sgf" it' "s"
    assert system.split_command(inner) == ("gnugo.exe", r"--infile=my games\a.sgf", "its")
    assert system.split_command("don't") == ("don't",)


def test_a_pipe_that_nobody_reads_takes_what_it_has_room_for():
    reading, writing = os.pipe()
    system.never_block(writing)
    data, written = bytes(1 << 16), 0
    while count := system.write_available(writing, data):
        written += count
    assert written >= 1 << 12
    os.close(reading)
    with pytest.raises(BrokenPipeError):
        system.write_available(writing, data)
    os.close(writing)


@pytest.mark.parametrize("room", [0, 5, 300, 1000])
def test_a_pipe_of_windows_takes_what_fits_as_a_whole(windows, monkeypatch, room):
    def write(pipe: int, data: bytes) -> int:
        if len(data) > room:
            raise OSError(errno.ENOSPC, "No space left on device")
        return len(data)

    monkeypatch.setattr(os, "write", write)
    assert system.write_available(1, bytes(1000)) == {0: 0, 5: 3, 300: 250, 1000: 1000}[room]


def test_a_broken_pipe_of_windows_is_an_error(windows, monkeypatch):
    def write(*_):
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(BrokenPipeError):
        system.write_available(1, b"data")


def family() -> tuple[subprocess.Popen[bytes], list[psutil.Process]]:
    """Start a process that starts another one; return the first, and both."""
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **system.in_new_group()}
    first = subprocess.Popen([sys.executable, "-c", FAMILY], **options)
    assert first.stdout
    first.stdout.readline()
    told = psutil.Process(first.pid)
    return first, [told, *told.children()]


def ended(processes: list[psutil.Process]) -> bool:
    """Whether none of them runs any more."""
    return not any(each.is_running() and each.status() != psutil.STATUS_ZOMBIE for each in processes)


def test_a_group_is_killed_as_a_whole(either):
    first, both = family()
    assert len(both) == 2
    system.kill_group(first.pid)
    with first:
        pass
    eventually(lambda: ended(both))
    system.kill_group(first.pid)  # nobody is left


def test_the_watchdog_kills_a_group_when_its_master_ends(either):
    first, both = family()
    with system.watchdog(first.pid) as watchdog, first:
        assert not ended(both)
        watchdog.stdin.close()  # as when this process ends
        eventually(lambda: ended(both))


def test_a_watchdog_that_is_called_off_does_nothing(either):
    first, both = family()
    with system.watchdog(first.pid) as watchdog:
        watchdog.kill()
    assert not ended(both)
    system.kill_group(first.pid)
    with first:
        pass


def test_a_process_is_interrupted(either):
    script = (
        "import time\ntry:\n print(flush=True); time.sleep(600)\nexcept KeyboardInterrupt:\n print('stopped')"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        system.interrupt(process)
        assert process.stdout.read() == (b"stopped\n" if either == "POSIX" else b"")


def test_a_pipe_is_inherited():
    ours, theirs = Pipe()
    code = f"from tengen.engine.system import inherited_pipe; inherited_pipe({theirs.fileno()}).send('hello')"
    with system.start_with_pipe([sys.executable, "-c", code], theirs):
        theirs.close()
        assert ours.recv() == "hello"


def test_on_windows_only_the_end_of_the_pipe_is_inherited(windows, monkeypatch):
    made = {}
    monkeypatch.setattr(os, "set_handle_inheritable", made.__setitem__, raising=False)
    monkeypatch.setattr(subprocess, "STARTUPINFO", lambda **known: known, raising=False)
    monkeypatch.setattr(subprocess, "Popen", lambda command, **options: (command, options))
    _, theirs = Pipe()
    command, options = system.start_with_pipe(["program"], theirs)
    assert (command, made) == (["program"], {theirs.fileno(): True})
    assert options["startupinfo"] == {"lpAttributeList": {"handle_list": [theirs.fileno()]}}
    monkeypatch.setattr("multiprocessing.connection.PipeConnection", lambda number: number, raising=False)
    assert system.inherited_pipe(theirs.fileno()) == theirs.fileno()
    assert made == {theirs.fileno(): False}


def test_processors_without_affinity(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert system.processors() == [0, 1, 2]


@pytest.mark.skipif(not system.LINUX, reason="psutil pins on Linux and Windows")
@pytest.mark.parametrize("ours", [True, False])
def test_a_process_is_kept_to_a_processor(monkeypatch, ours):
    usable = system.processors()
    with subprocess.Popen(["sleep", "600"]) as process:
        if not ours:
            monkeypatch.delattr(os, "sched_setaffinity")
        assert system.can_pin() == ours
        system.pin(process.pid, usable[-1])
        assert psutil.Process(process.pid).cpu_affinity() == usable[-1:]
        process.kill()


def test_windows_can_pin(windows):
    assert system.can_pin()
