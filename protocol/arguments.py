"""Options of subcommands: a frozen dataclass each, whose fields say how they stand on the command line."""

import argparse
import dataclasses
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from tengen.engine.errors import NotationError, OptionError, printable, quoted
from tengen.engine.system import join_command
from tengen.protocol.numbers import MAX_SECONDS, parse_integer, parse_number

MAX_COUNT = 10**11
LAST = -1  # stands for the number of the last turn of a record
OWN = ("flag", "operand")  # metadata of fields beside what argparse takes

T = TypeVar("T", bound="Options")
N = TypeVar("N")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a subcommand, or some that several share; subclasses add fields, made below."""

    GROUP: ClassVar[str] = ""  # the heading of a class's own options in the help; empty for none
    from_settings: frozenset[str] = dataclasses.field(default=frozenset(), repr=False, compare=False)

    def refusing(self, complaint: str, *names: str) -> Self:
        """Return the options without the user's settings of `names`, none of which may be typed.

        Raises OptionError with the `complaint`, in which ``{}`` stands for the option, if one is.
        """
        if typed := self._typed(names):
            named = typed[0] if "operand" in self.__dataclass_fields__[typed[0]].metadata else ""
            raise OptionError(complaint.format(named or flag_of(self, typed[0])))
        fields, dropped = self.__dataclass_fields__, self.from_settings & {*names}
        usual: dict[str, Any] = {each: fields[each].default for each in dropped}
        return dataclasses.replace(self, **usual)

    def prefer_typed(self, *rivals: str) -> Self:
        """Return the options; of `rivals`, which exclude each other, what is typed displaces settings."""
        typed = self._typed(rivals)
        return self.refusing("", *({*rivals} - {*typed})) if len(typed) == 1 else self

    def _typed(self, names: Iterable[str]) -> list[str]:
        """Return those of the names whose options are neither at their defaults nor settings."""
        fields = self.__dataclass_fields__
        own = (each for each in names if each not in self.from_settings)
        return [each for each in own if getattr(self, each) != fields[each].default]


@dataclasses.dataclass(frozen=True)
class Setting:
    """The default of an option that is one of the user's settings."""

    value: Any

    def __bool__(self) -> bool:
        return bool(self.value)


def option(
    help: str,
    metavar: str | None = None,
    type: Callable[[str], Any] | None = None,
    *,
    default: Any = None,
    flag: str | None = None,
    **settings: Any,
) -> Any:
    """Return the field of an option ``--name VALUE``, or `flag`; `settings` are those of argparse."""
    how = {"help": help, "metavar": metavar, "type": type, "default": default, "flag": flag, **settings}
    return dataclasses.field(default=default, metadata=how)


def switch(help: str, **settings: Any) -> Any:
    """Return the field of an option without a value, which makes it true."""
    return option(help, default=False, action="store_true", **settings)


def operand(
    help: str, metavar: str | None = None, type: Callable[[str], Any] | None = None, **settings: Any
) -> Any:
    """Return the field of an argument that is known by its place."""
    return option(help, metavar, type, operand=True, **settings)


def replaced(options: type[Options], name: str, default: Any) -> Any:
    """Return the field `name` of `options` with another default."""
    how = {**options.__dataclass_fields__[name].metadata, "default": default}
    return dataclasses.field(default=default, metadata=how)


def declared(options: Options | type[Options]) -> Iterator[dataclasses.Field[Any]]:
    """Yield the fields that stand on the command line."""
    return (field for field in dataclasses.fields(options) if field.name != "from_settings")


def flag_of(options: Options | type[Options], name: str) -> str:
    """Return how the option in the field `name` is called on the command line."""
    return options.__dataclass_fields__[name].metadata["flag"] or f"--{name.replace('_', '-')}"


def add_arguments(parser: argparse.ArgumentParser, options: type[Options]) -> None:
    """Declare the fields of `options` as arguments."""
    headings = {
        name: vars(owner).get("GROUP", "")
        for owner in options.__mro__
        if issubclass(owner, Options)
        for name in inspect.get_annotations(owner)
    }
    groups: dict[str, argparse._ActionsContainer] = {"": parser}
    for field in declared(options):
        heading = headings[field.name]
        if heading not in groups:
            groups[heading] = parser.add_argument_group(heading)
        how = {name: value for name, value in field.metadata.items() if value is not None and name not in OWN}
        if "operand" in field.metadata:
            groups[heading].add_argument(field.name, **how)
        else:
            groups[heading].add_argument(flag_of(options, field.name), dest=field.name, **how)


def parsed(options: type[T], namespace: argparse.Namespace) -> T:
    """Return the options that argparse has found."""
    found = {field.name: getattr(namespace, field.name) for field in declared(options)}
    settings = {name: value.value for name, value in found.items() if isinstance(value, Setting)}
    return options(**{**found, **settings}, from_settings=frozenset(settings))


def command_words(command: str, options: Options, defaults: bool = True) -> list[str]:
    """Return the words of the command line that has these options, perhaps without those at their default."""
    operands: list[str] = []
    words: list[str] = []
    for field in declared(options):
        given, flag = getattr(options, field.name), flag_of(options, field.name)
        if not defaults and given == field.default:
            continue
        for value in given if isinstance(given, list | tuple) else [given]:
            if field.metadata.get("action") == "store_false":
                words += [] if value else [flag]
            elif value is None or value is False or value == "":
                continue
            elif "operand" in field.metadata:
                operands.append(str(value))
            elif value is True:
                words.append(flag)
            elif str(value).startswith("-"):  # else argparse takes it for an option
                words.append(f"{flag}={value}")
            else:
                words += [flag, str(value)]
    return [command, *operands, *words]


def command_line(command: str, options: Options, defaults: bool = True) -> str:
    """Return the `command_words` with ``tengen``, quoted for a shell."""
    return join_command(["tengen", *command_words(command, options, defaults)])


def print_resume_command(command: str, options: Options) -> None:
    """Print to stderr the `command_line` that goes on with an interrupted command."""
    print(f"interrupted; to go on:\n  {printable(command_line(command, options))}", file=sys.stderr)


# -------------------------------------------------------------------------------------------------- the types


def argument(expected: str, parse: Callable[[str], N]) -> Callable[[str], N]:
    """Return an argparse type for what `parse` accepts; `expected` says in words what that is."""

    def convert(text: str) -> N:
        try:
            return parse(text)
        except NotationError:
            raise argparse.ArgumentTypeError(f"expected {expected}, got {quoted(text)}") from None

    return convert


def int_in_range(low: int, high: int) -> Callable[[str], int]:
    """Return an argparse type for whole numbers from `low` to `high`."""
    return argument(
        f"a whole number from {low} to {high}", lambda text: parse_integer("number", text, low, high)
    )


def number_in_range(
    low: float, high: float, expected: str = "a number from {low:g} to {high:g}"
) -> Callable[[str], float]:
    """Return an argparse type for numbers from `low` to `high`; `expected` says so in words."""
    return argument(expected.format(low=low, high=high), lambda text: parse_number("number", text, low, high))


non_negative_int = int_in_range(0, MAX_COUNT)
positive_int = int_in_range(1, MAX_COUNT)
share = number_in_range(0, 1)
positive_seconds = number_in_range(
    sys.float_info.min, MAX_SECONDS, "a positive number of seconds up to {high}"
)


turn_number = argument(  # LAST for last
    "the number of a turn, 0 for the start, or last",
    lambda text: LAST if text == "last" else parse_integer("number", text, 0, MAX_COUNT),
)


def require_target(path: Path, option: str = "--out", inputs: Iterable[Path] = ()) -> None:
    """Check before the work that an output file is in an existing folder, and none of the `inputs`.

    Raises OptionError if it is not. `FILE#3` is an input, too.
    """
    if not path.parent.is_dir() or path.is_dir():
        raise OptionError(f"{option}: expected a file in an existing folder, got {quoted(str(path), 200)}")
    from tengen.engine.formats import files  # takes long

    read = [files.split_number(each)[0] for each in inputs] if path.exists() else []
    if any(each.exists() and path.samefile(each) for each in read):
        got = quoted(str(path), 200)
        raise OptionError(f"{option}: expected a file other than the one that is read, got {got}")
