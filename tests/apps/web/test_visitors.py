"""The server against those who hold connections, send half of something, or rubbish."""

import contextlib
import socket
import subprocess
import sys

import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed")
from tengen.apps.web.security import has_room
from tests import ROOT
from tests.processes import PATIENCE

HERE, THERE, ELSEWHERE = "127.0.0.1", "192.0.2.1", "2001:db8::1"
SERVE = """
import sys
from tengen.apps.web import server
server.REQUEST_SECONDS = float(sys.argv.pop(1))
from tengen.__main__ import main
sys.exit(main())
"""
HANDSHAKE = (
    "GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
BROKEN = {  # frames of a socket, masked with zeros
    "not UTF-8": b"\x81\x82\0\0\0\0\xff\xfe",
    "parts that are not UTF-8": b"\x01\x81\0\0\0\0\xc3\x80\x81\0\0\0\0\x28",
    "an unknown code": b"\xff\xff\xff\xff",
    "a length without end": b"\x81\xff" + b"\xff" * 8,
    "no text": b"\x82\x81\0\0\0\0x",
}


@contextlib.contextmanager
def serving(folder, seconds=PATIENCE):
    """Run a server whose requests have so many seconds; yield its port and its process."""
    words = ["serve", "--port", "0", "--no-browser", "--games", str(folder)]
    command = [sys.executable, "-c", SERVE, str(seconds), *words]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            yield int(server.stdout.readline().rstrip("/\n").rpartition(":")[2]), server
        finally:
            server.terminate()


@contextlib.contextmanager
def connected(port, data):
    """Connect to the server, and send it something."""
    with socket.create_connection((HERE, port), PATIENCE) as connection:
        connection.sendall(data)
        yield connection


def answer(port):
    """Return the first line of the answer to a request for the page."""
    request = f"GET / HTTP/1.1\r\nHost: {HERE}:{port}\r\nConnection: close\r\n\r\n".encode()
    with connected(port, request) as connection:
        return connection.makefile("rb").readline()


def test_there_is_always_room_for_this_machine():
    present = []
    for number in range(100):
        if has_room(present, f"192.0.2.{number}", 100):
            present.append(f"192.0.2.{number}")
    assert len(present) == 75
    assert has_room(present, HERE, 100)
    assert has_room(present, "::1", 100)
    assert has_room(present, "::ffff:127.0.0.1", 100)
    assert not has_room([HERE] * 100, HERE, 100)


def test_one_address_cannot_keep_out_another():
    assert has_room([THERE] * 24, THERE, 100)
    assert not has_room([THERE] * 25, THERE, 100)
    assert has_room([THERE] * 25, ELSEWHERE, 100)


def test_requests_that_are_never_finished_lock_nobody_out(tmp_path):
    with serving(tmp_path) as (port, _), contextlib.ExitStack() as held:
        for _ in range(700):
            held.enter_context(connected(port, b"GET / HTTP/1.1\r\nHost: "))
        assert answer(port) == b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize("data", [b"", b"GET / HTTP/1.1\r\nHost: "])
def test_a_request_that_is_not_finished_in_time_is_dropped(tmp_path, data):
    dropped = contextlib.suppress(ConnectionResetError)
    with serving(tmp_path, 0.2) as (port, _), connected(port, data) as connection, dropped:
        assert connection.recv(100) == b""


@pytest.mark.parametrize("frame", BROKEN.values(), ids=BROKEN)
def test_a_broken_frame_ends_its_socket_without_a_word(tmp_path, frame):
    with serving(tmp_path) as (port, server):
        handshake = HANDSHAKE.format(host=f"{HERE}:{port}").encode()
        with connected(port, handshake) as connection:
            assert connection.recv(4096).startswith(b"HTTP/1.1 101 ")
            connection.sendall(frame)
            assert connection.recv(4096)[:1] == b"\x88"  # it is closed
        assert answer(port) == b"HTTP/1.1 200 OK\r\n"
        server.terminate()
        assert server.stderr.read() == "tengen: Ctrl-C ends it; games are kept\n"
