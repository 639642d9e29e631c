"""Players of one's own."""

import hashlib
import inspect
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module, util
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

from tengen.engine.errors import OptionError, file_errors, nearest, printable, quoted
from tengen.engine.play.position import Position
from tengen.engine.storage.files import read_bytes
from tengen.search.limits.limit import Limit
from tengen.tuning.players import base

MAX_NAME = 200  # characters
MAX_CODE = 1 << 24  # bytes of a file
Function = Callable[[Position], str] | Callable[[Position, Limit], str]


class Player(ABC):
    """A player of one's own, for matches and opponents: subclass it, and define `play`.

    Attributes
    ----------
    name : str
        Its name in reports and records; if empty, that of the class.
    """

    name: str = ""

    @abstractmethod
    def play(self, position: Position, limit: Limit) -> str:
        """Return the turn to play, in any spelling.

        Parameters
        ----------
        position : Position
            With all turns of the game; a copy, to do anything with.
        limit : Limit
            Of this turn; its clock is that of the side to move.
        """

    def new_game(self) -> None:  # noqa: B027 - some remember nothing
        """Forget earlier games; called before each."""


class Seat(base.Player):
    """A player of one's own in a match; what it raises loses the game."""

    def __init__(self, own: Player | Function, version: str = "") -> None:
        kind = type(own) if isinstance(own, Player) else own
        word = str(getattr(kind, "__qualname__", type(own).__name__))
        self.name = printable(getattr(own, "name", "") or word.rpartition(".")[2], MAX_NAME)
        self._version = version or f"{getattr(kind, '__module__', None)}.{word}"
        self._new_game = own.new_game if isinstance(own, Player) else None
        self._play: Callable[..., object] = own.play if isinstance(own, Player) else own
        self._takes_limit = _needs_two(self._play)

    def start(self) -> str:
        """Return where it is defined, or which version of its file."""
        return self._version

    def new_game(self, seed: int, start: str | None = None) -> None:
        """Let it forget earlier games; it takes neither argument."""
        if self._new_game:
            _guarded(self._new_game)

    def play(self, position: Position, turn_time: base.TurnTime) -> str:
        """Return its turn."""
        limit = (turn_time.limits,) if self._takes_limit else ()
        turn = _guarded(self._play, position.copy(), *limit)
        if not isinstance(turn, str):
            detail = f"expected a turn as text, got {printable(repr(turn), MAX_NAME)}"
            raise base.PlayerFailure(base.EndReason.ILLEGAL, detail)
        return turn


def is_own(player: object) -> TypeGuard[Player | Function]:
    """Return whether an object is a player of one's own."""
    return isinstance(player, Player) or (callable(player) and not isinstance(player, type))


def load(place: str, name: str) -> Seat:
    """Run the code of a user, and return the player that it defines.

    The `place` is a file that ends in ``.py``, or a module. The folder of the file, or the working directory,
    is where it finds others. The `name` is that of a subclass of `Player` that is made without arguments, of
    a player, or of a function. Raises OptionError if there is no such file (`MissingFileError`), module or
    name, or it raises an exception.
    """
    path = Path(place).absolute() if place.endswith(".py") else None
    code = _read(path) if path else b""
    folder = str(path.parent if path else Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        module = _run(path) if path else import_module(place)
        found = getattr(module, name, None)
        own = found() if isinstance(found, type) and issubclass(found, Player) else found
    except (Exception, SystemExit) as error:
        raise OptionError(f"player: {place} does not load: {_told(error)}") from error
    if not is_own(own):
        hint = nearest(name, vars(module)) if own is None else ""
        wanted = f"a tengen.Player or a function of {place}"
        raise OptionError(f"player: expected {wanted}, got {quoted(name, MAX_NAME)}{hint}")
    code = code or _read(Path(str(module.__file__)))
    return Seat(own, f"{name} {hashlib.sha256(code).hexdigest()[:16]}")


def _read(path: Path) -> bytes:
    """Return the code in a file."""
    with file_errors(f"player: {path}"):
        return read_bytes(path, MAX_CODE)


def _run(path: Path) -> ModuleType:
    """Return the module that a file defines; it is run anew each time."""
    spec = util.spec_from_file_location(f"player:{path}", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = util.module_from_spec(spec)  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def _guarded(function: Callable[..., object], *arguments: object) -> object:
    """Return what a function returns; its exception is the failure of the player."""
    try:
        return function(*arguments)
    except (Exception, SystemExit) as error:
        raise base.PlayerFailure(base.EndReason.CRASH, _told(error)) from error


def _told(error: BaseException) -> str:
    """Return what an exception of the user's code is, and where it was raised, in one line."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = "" if isinstance(error, SyntaxError) else f" ({where.filename}:{where.lineno})"
    return " ".join(f"{type(error).__name__}: {error}{place}".split())


def _needs_two(function: Callable[..., object]) -> bool:
    """Return whether a function needs two arguments."""
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return True
    except ValueError:  # it is not written in Python
        return False
    return False
