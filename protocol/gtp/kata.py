"""GTP commands that KataGo has added, for the programs that were written for it."""

from collections.abc import Callable
from operator import attrgetter

from tengen.engine.errors import NotationError, OptionError
from tengen.protocol.dialogue import Commands
from tengen.protocol.engine_options import OPTIONS
from tengen.protocol.errors import CommandError, require_known
from tengen.protocol.gtp.clocks import SYSTEMS, parse_system
from tengen.protocol.gtp.dialogue import GtpBase
from tengen.protocol.numbers import MAX_NUMBER, MAX_SECONDS, parse_integer, parse_number

Parameter = tuple[Callable[["KataCommands"], str], Callable[["KataCommands", str], None]]  # getter, setter

NEUTRAL = ("analysisWideRootNoise", "playoutDoublingAdvantage")  # parameters that can only be 0


class KataCommands(GtpBase):
    """KataGo's commands, as far as they do not depend on the rules of Go."""

    commands = Commands()

    # ------------------------------------------------------------------------------------------------- search

    # Every command ends an analysis, and tengen does not ponder in GTP.
    commands.add("stop")(lambda engine, arguments: None)

    @commands.add("clear_cache")
    def clear_cache(self, arguments: list[str]) -> None:
        """Forget what earlier searches have found."""
        self.session.stop_and_wait()
        self.session.clear_search()

    commands.add("kata-list-params")(lambda engine, arguments: " ".join(PARAMETERS))

    @commands.add("kata-get-param NAME")
    def kata_get_param(self, arguments: list[str]) -> str:
        """Return a parameter."""
        return PARAMETERS[require_known("NAME", arguments[0], PARAMETERS)][0](self)

    @commands.add("kata-set-param NAME VALUE")
    def kata_set_param(self, arguments: list[str]) -> None:
        """Set a parameter."""
        PARAMETERS[require_known("NAME", arguments[0], PARAMETERS)][1](self, arguments[1])

    def _set_max_visits(self, text: str) -> None:
        self.max_nodes = parse_integer("maxVisits", text, 1)

    def _set_max_time(self, text: str) -> None:
        self.session.movetime = self.max_time = parse_number("maxTime", text, 0.001, MAX_SECONDS)

    # ------------------------------------------------------------------------------------------------- clocks

    commands.add("kata-list_time_settings")(lambda engine, arguments: " ".join(SYSTEMS))

    @commands.add("kata-time_settings SYSTEM [NUMBER...]")
    def kata_time_settings(self, arguments: list[str]) -> None:
        """Set both clocks."""
        self.clocks.set(parse_system(SYSTEMS, *arguments))
        self.session.start_compiling()

    # ------------------------------------------------------------------------------------------------ boards

    @commands.add("rectangular_boardsize WIDTH HEIGHT")
    def rectangular_boardsize(self, arguments: list[str]) -> None:
        """Set the size of the board, which must be square, and clear it."""
        width, height = (parse_integer("WIDTH HEIGHT", word) for word in arguments)
        if width != height:
            raise CommandError(f"unacceptable size: expected a square board, got {width} by {height}")
        self.resize(width)

    @commands.add("set_position [COLOR VERTEX...]", available=attrgetter("square"))
    def set_position(self, arguments: list[str]) -> None:
        """Start a game from the given stones, Black to move."""
        from tengen.engine.board.goban import parse_vertex, position_text

        if len(arguments) % 2:
            raise NotationError(f"expected pairs of COLOR and VERTEX, got {len(arguments)} arguments")
        spec = self.session.spec
        size = int(spec.values["size"])
        stones = {}
        for color, text in zip(arguments[::2], arguments[1::2], strict=True):
            place = parse_vertex(text, size)
            if place in stones:
                raise NotationError(f"expected one stone on {text}, got two")
            stones[place] = 1 + self._side(color)
        self._begin(spec, position_text(spec, stones, "b"))


def _neutral(name: str) -> Parameter:
    """Return the parameter `name`, whose effect tengen does not have: it can only be 0."""

    def refuse(engine: KataCommands, text: str) -> None:
        if parse_number(name, text, -MAX_NUMBER):
            raise OptionError(f"{name}: expected 0, since tengen has no such adjustment, got {text}")

    return lambda engine: "0", refuse


def _engine_option(name: str) -> Parameter:
    """Return the parameter that is an option of the engine."""
    return (
        lambda engine: engine.session.option_texts()[name],
        lambda engine, text: engine.session.set_option(name, text),
    )


# How the parameters of the search are read and set, each given the protocol.
PARAMETERS: dict[str, Parameter] = {
    **{option.kata: _engine_option(option.name) for option in OPTIONS.values() if option.kata},
    "maxVisits": (lambda engine: str(engine.max_nodes or MAX_NUMBER), KataCommands._set_max_visits),
    "maxTime": (lambda engine: f"{engine.session.movetime:g}", KataCommands._set_max_time),
    **{name: _neutral(name) for name in NEUTRAL},
}
