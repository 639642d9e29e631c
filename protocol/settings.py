"""The user's settings: a TOML file with defaults for the options of subcommands.

Each table is named after a subcommand, and its keys after options. The table ``all`` is for every subcommand
that has the option::

    [all]
    threads = 2

    [gtp]
    hash = 512
"""

import argparse
import os
from pathlib import Path
from typing import Any

from tengen.engine.errors import OptionError, nearest, quoted
from tengen.engine.storage.files import read_bytes, user_folder
from tengen.protocol.arguments import Setting

ALL = "all"  # the table for every subcommand
MAX_BYTES = 1 << 16  # some texts take a time that grows with the square of their size


def apply_settings(parser: argparse.ArgumentParser, command: str, commands: list[str]) -> None:
    """Make the user's settings, each in a `Setting`, the defaults of the options of `command`.

    Their file is ``$TENGEN_CONFIG``, or config.toml in the user's folder for settings; without one nothing is
    done. Raises OptionError if it is not TOML, or names a table, an option or a value that does not exist.
    """
    chosen = os.environ.get("TENGEN_CONFIG")
    path = Path(chosen) if chosen else user_folder("config") / "config.toml"
    tables = read_settings(path)
    for name, table in tables.items():
        known = [ALL, *commands]
        if name not in known or not isinstance(table, dict):
            expected = f"expected tables named {ALL} or after a command"
            raise OptionError(f"{path}: {expected}, got {quoted(name)}{nearest(name, known)}")
    options = {
        option.removeprefix("--"): action
        for action in parser._actions
        if isinstance(action, argparse._StoreTrueAction)  # a flag, or an option with one value
        or (isinstance(action, argparse._StoreAction) and action.nargs in (None, "?"))
        for option in action.option_strings
        if option.startswith("--")
    }
    for name in (ALL, command):
        for key, value in tables.get(name, {}).items():
            if key in options:
                _set_default(options[key], value, f"{path}: [{name}] {key}")
            elif name == command:
                expected = f"expected an option of tengen {command}"
                raise OptionError(f"{path}: [{name}]: {expected}, got {quoted(key)}{nearest(key, options)}")


def read_settings(path: Path) -> dict[str, Any]:
    """Return the tables of the file at `path`; none if there is no such file, or it is the null device."""
    if str(path) == os.devnull:
        return {}
    try:
        data = read_bytes(path, MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    if not data.strip():
        return {}
    import tomllib  # here: protocols must introduce themselves at once

    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # tomllib has no limit of depth
        raise OptionError(f"{path}: expected TOML: {error}") from None


def _set_default(action: argparse.Action, value: object, where: str) -> None:
    """Make `value` the default of an option; `where` is the place in the file, for errors."""
    if isinstance(action, argparse._StoreTrueAction):
        if not isinstance(value, bool):
            raise OptionError(f"{where}: expected true or false, got {quoted(str(value))}")
        action.default = Setting(value)
        return
    if isinstance(value, bool | list | dict):
        raise OptionError(f"{where}: expected a text or a number, got {quoted(str(value))}")
    try:
        convert = action.type if callable(action.type) else str
        found = convert(str(value))
    except (argparse.ArgumentTypeError, ValueError) as error:
        raise OptionError(f"{where}: {error}") from None
    if action.choices is not None and found not in action.choices:
        listed = ", ".join(map(str, action.choices))
        raise OptionError(f"{where}: expected one of {listed}, got {quoted(str(value))}")
    action.default, action.required = Setting(found), False
