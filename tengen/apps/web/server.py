"""The web server: static files, and one socket for each page."""

import asyncio
import contextlib
import json
import logging
import re
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from html import escape, unescape
from pathlib import Path
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope
from starlette.types import Send as SendMessage
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol

from tengen import __version__
from tengen.apps.language import FOLDER, LANGUAGES, texts, translated
from tengen.apps.web.hub import Hub
from tengen.apps.web.security import HEADERS, Gate, Visitors, has_room
from tengen.apps.web.tab import Tab
from tengen.engine import games
from tengen.engine.debug import is_debugging
from tengen.engine.errors import OptionError
from tengen.engine.rulebook import rulebook
from tengen.engine.storage.parsing import parse_json

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
IMPORT = re.compile(r'^import (?:\{.+\} from )?"(.+)";\n', re.M)  # of a module of the page, from another
WORDS = re.compile(r"(?<=>)([^<>]+)(?=</text>)")  # of a drawing
MAX_MESSAGE = 1 << 20  # bytes from a page: a record that is pasted
MAX_SOCKETS = 128
MAX_WAITING = 64  # messages to a page that does not read
REQUEST_SECONDS = 20.0  # from one answer to the end of the next one
RATE, BURST = 100.0, 300.0  # messages a second from a page, on average and at once
TOO_MANY = 1013  # code of a socket that is closed because there are too many


class Guard:
    """Lets only what the gate admits through, and adds the headers of security."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: SendMessage) -> None:
        """Handle a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        query, is_socket = scope.get("query_string", b"").decode("latin-1"), scope["type"] == "websocket"
        refusal = self._gate.refusal(headers, query, is_socket)
        if is_socket:
            if refusal:
                await send({"type": "websocket.close", "code": 1008, "reason": refusal})
            else:
                await self._app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *added]
            await send(message)

        if refusal:
            await PlainTextResponse(f"{refusal}\n", 403)(scope, receive, secured)
        elif self._gate.token and not self._gate.knows_token(headers):  # it is in the query
            moved = RedirectResponse("/", 303, {"set-cookie": self._gate.cookie})
            await moved(scope, receive, secured)
        else:
            await self._app(scope, receive, secured)


def script() -> str:
    """Return the modules of the page as one, which loads faster; no two of them define the same name."""
    bodies, seen = list[str](), set[Path]()

    def add(path: Path) -> None:
        if path in seen:
            return
        seen.add(path)
        text = path.read_text("utf-8")
        for name in IMPORT.findall(text):
            add((path.parent / name).resolve())
        bodies.append(re.sub("^export ", "", IMPORT.sub("", text), flags=re.M))

    add((STATIC / "app.js").resolve())
    return "".join(bodies)


def load_files() -> dict[str, tuple[bytes, str]]:
    """Return the static files with their types, by path; nothing else is ever read for a request."""
    files = {
        path.relative_to(STATIC).as_posix(): (path.read_bytes(), TYPES[path.suffix])
        for path in STATIC.rglob("*.*")
        if path.suffix in TYPES and path.suffix != ".js"
    }
    files["app.js"] = (script().encode(), TYPES[".js"])
    for language in LANGUAGES[1:]:
        words = json.dumps(texts(language), ensure_ascii=False)
        files[f"{FOLDER}/{language}.json"] = (words.encode(), TYPES[".json"])
    for game in games.known():
        try:
            book = rulebook(game)
        except OptionError:
            continue
        blocks = [block for section in book.sections for block in section.blocks if block.picture]
        drawings = [(book.folder / block.picture).read_text("utf-8") for block in blocks]
        for language in LANGUAGES if drawings else ():
            cover, *parts = WORDS.split(max(drawings, key=lambda drawing: drawing.count("data-piece")))
            for words, following in zip(parts[::2], parts[1::2], strict=True):
                cover += escape(translated(language, unescape(words))) + following
            files[f"covers/{language}/{game.name}.svg"] = (cover.encode(), TYPES[".svg"])
    page, kind = files["index.html"]
    return {"": (page.replace(b"{{version}}", __version__.encode()), kind), **files}


class Connection:
    """A socket to a page: at most so many messages a second in, and a bounded queue out."""

    def __init__(self, socket: WebSocket, hub: Hub) -> None:
        self._socket = socket
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._tab = Tab(hub, self._put)
        self._slow = asyncio.Event()

    def _put(self, message: dict[str, Any]) -> None:
        """Queue a message; a page that does not read is dropped."""
        if self._queue.qsize() >= MAX_WAITING:
            self._slow.set()
        else:
            self._queue.put_nowait(json.dumps(message, separators=(",", ":")))

    async def serve(self) -> None:
        """Talk to the page until it is gone."""
        tasks = [asyncio.ensure_future(work) for work in (self._read(), self._write(), self._slow.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._tab.leave()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it is closed already
                await self._socket.close()

    async def _read(self) -> None:
        """Answer messages, one after another; slow down a page that sends too many."""
        tokens, filled = BURST, time.monotonic()
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                text = (await self._socket.receive()).get("text")
                if text is None:
                    return  # gone, or not a text
                now = time.monotonic()
                tokens, filled = min(BURST, tokens + (now - filled) * RATE) - 1, now
                if tokens < 0:
                    await asyncio.sleep(-tokens / RATE)
                try:
                    message = parse_json(text, halves=True)  # refused by its answer, which has its id
                except ValueError:
                    message = text[:60]
                self._put(await self._tab.answer(message))

    async def _write(self) -> None:
        """Send what is queued."""
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await self._socket.send_text(await self._queue.get())


def make_app(hub: Hub, gate: Gate) -> ASGIApp:
    """Return the application: the page and its socket, behind the gate."""
    files = load_files()
    sockets: dict[WebSocket, str] = {}  # the addresses of those that are open

    async def serve_file(request: Any) -> Response:
        content, kind = files.get(request.path_params["name"], (b"", ""))
        if not kind:
            return PlainTextResponse("not found\n", 404)
        return Response(content, media_type=kind, headers={"cache-control": "no-cache"})

    async def serve_socket(websocket: WebSocket) -> None:
        address = websocket.client.host if websocket.client else ""
        if not has_room(sockets.values(), address, MAX_SOCKETS):
            await websocket.close(TOO_MANY)
            return
        sockets[websocket] = address
        try:
            await websocket.accept()
            with contextlib.suppress(asyncio.CancelledError):  # the server ends, and does not wait longer
                await Connection(websocket, hub).serve()
        finally:
            del sockets[websocket]

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await hub.close()

    routes = [
        WebSocketRoute("/socket", serve_socket),
        Route("/{name:path}", serve_file),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), gate)


class RequestProtocol(H11Protocol):
    """uvicorn's protocol for HTTP, with a bound on the time of a request, be it unfinished or not read."""

    def __init__(self, visitors: Visitors, **named: Any) -> None:
        super().__init__(**named)
        self._visitors = visitors
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit a connection."""
        super().connection_made(transport)
        self._visitors.admit(transport, self.client[0] if self.client else "")
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._leave()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begin the time of the next request."""
        super().on_response_complete()
        self._begin()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand a connection over to the protocol of sockets."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def _begin(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _leave(self) -> None:
        self._visitors.leave(self.transport)
        if self._timer:
            self._timer.cancel()


class QuietServer(uvicorn.Server):
    """A server without a heartbeat: it sleeps until something happens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._stopped = asyncio.Event()

    async def main_loop(self) -> None:
        """Wait for the end."""
        loop = asyncio.get_running_loop()
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self._stopped.set)
        except (NotImplementedError, RuntimeError):  # Windows, or not the main thread
            await super().main_loop()
            return
        await self._stopped.wait()
        self.should_exit = True


def is_fault(record: logging.LogRecord) -> bool:
    """Return whether a log record tells of a fault of the server, not of somebody who connects to it."""
    error = record.exc_info[1] if record.exc_info else None
    return record.levelno >= logging.ERROR and not isinstance(error, UnicodeDecodeError)


async def serve(app: ASGIApp, listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serve `app` on a bound socket until SIGINT or SIGTERM."""
    if not is_debugging():
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addFilter(is_fault)
    config = uvicorn.Config(
        app,
        http=cast(type[asyncio.Protocol], partial(RequestProtocol, Visitors())),
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        ws="websockets-sansio",
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        limit_concurrency=4 * MAX_SOCKETS,
    )
    server = QuietServer(config)
    on_ready()
    await server.serve([listener])
