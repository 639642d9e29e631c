"""Play, analyse and review in the browser: serve a page on this machine.

The page needs no network. Games are kept in the user's data folder, and go on after a restart. Other machines
can reach the page only with --host; it then asks for the token that is part of the address printed.
"""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
import webbrowser
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine import system
from tengen.engine.errors import OptionError
from tengen.engine.extras import missing
from tengen.protocol.arguments import Options, int_in_range, option, switch
from tengen.protocol.output import print_notice
from tengen.search.limits.limit import MAX_THREADS, max_hash_mb

if TYPE_CHECKING:
    from tengen.apps.web.security import Gate
    from tengen.tuning.players.specs import Opponent

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8361
CORES = os.cpu_count() or 1
DEFAULT_HASH = 32  # MB for each search
BACKLOG = 128
EXAMPLES = """examples:
  tengen serve
  tengen serve --port 9000 --no-browser
  tengen serve --player python:mine.py:Patient
  tengen serve --host 0.0.0.0
  for a phone in the same network; it asks for the token that is printed"""


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The options of ``tengen serve``."""

    port: int | None = option(f"default {DEFAULT_PORT}; 0: any free one", "N", int_in_range(0, 65535))
    host: str = option(f"address to listen on (default {DEFAULT_HOST})", "ADDRESS", default=DEFAULT_HOST)
    no_browser: bool = switch("do not open the page")
    threads: int = option(
        f"search threads for all games together (default {CORES})",
        "N",
        int_in_range(1, MAX_THREADS),
        default=CORES,
    )
    hash: int = option(
        f"table of each search in MB (default {DEFAULT_HASH})",
        "MB",
        int_in_range(1, max_hash_mb()),
        default=DEFAULT_HASH,
    )
    player: list[str] | None = option(
        "a player of your own to play against, python:FILE.py:NAME; its code is run (may be repeated)",
        "PLAYER",
        action="append",
    )
    games: Path | None = option("folder of the games (default: the user's data folder)", "FOLDER", Path)


def run(options: Arguments) -> int:
    """Serve until SIGINT or SIGTERM."""
    try:
        from tengen.apps.web import server
    except ImportError as error:
        if error.name and error.name.startswith("tengen"):
            raise
        raise missing("serve needs Starlette and uvicorn", "web") from None
    from tengen.apps.web.hub import Hub
    from tengen.apps.web.pool import SearchPool
    from tengen.apps.web.security import Gate

    listener = _listen(options.host, options.port)
    gate = Gate.of(options.host, listener.getsockname()[1])
    opponents: list[Opponent] = []
    if options.player:
        from tengen.tuning.players.specs import Opponent

        opponents = [Opponent(text) for text in options.player]
        names = [opponent.name for opponent in opponents]
        if len({*names}) < len(names):
            raise OptionError(f"--player: expected different names, got {', '.join(names)}")
    pool = SearchPool(options.threads, options.hash, opponents)
    hub = Hub(options.games or _user_folder(), pool)
    asyncio.run(
        server.serve(server.make_app(hub, gate), listener, partial(_announce, gate, not options.no_browser))
    )
    return 0


def _user_folder() -> Path:
    """Return the folder of the user's games; where there can be none, a new one among temporary files."""
    from tengen.protocol.archive import games_folder

    try:
        games_folder().mkdir(parents=True, exist_ok=True)
        return games_folder()
    except OSError as error:
        folder = Path(tempfile.mkdtemp(prefix="tengen-games-"))
        reason = error.strerror or error
        print_notice(f"games are kept in {folder}, since {games_folder()} cannot be used ({reason})")
        return folder


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens; without a `port`, on the default one, or a free one if that is taken."""
    ports = [DEFAULT_PORT, 0] if port is None else [port]
    try:
        family, _, _, _, address = socket.getaddrinfo(host, ports[0], type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise OptionError(
            f"--host: expected an address of this machine, got {host!r} ({error.strerror})"
        ) from None
    for number in ports:
        # With the number of TCP, asyncio lets no answer wait for the receipt of what was sent before: 40 ms.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if not system.WINDOWS:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address[0], number))
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            failure = error
        else:
            return listener
    where = f"{host}:{ports[0]}"
    raise OptionError(
        f"--host, --port: expected a free address of this machine, got {where} ({failure.strerror})"
    )


def _announce(gate: Gate, browse: bool) -> None:
    """Print the address, and open the page if asked."""
    print(f"tengen serves {gate.url}", flush=True)
    print_notice("Ctrl-C ends it; games are kept")
    if browse:
        webbrowser.open(gate.url)
