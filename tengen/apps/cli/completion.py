"""Print a script that completes the command line in bash, zsh or fish, for the shell's start-up file.

bash   eval "$(tengen completion bash)"
zsh    eval "$(tengen completion zsh)", after compinit
fish   tengen completion fish | source
"""

import re
from dataclasses import dataclass

from tengen.apps.cli.main import COMMANDS, build_parser
from tengen.engine import games
from tengen.protocol.arguments import Options, operand

EXAMPLES = """examples:
  tengen completion bash
  tengen completion fish"""
GAME = "--game"  # an option that is completed with the names of games


@dataclass(frozen=True)
class Word:
    """An option of a subcommand."""

    text: str  # with its dashes
    summary: str  # the first clause of its help
    values: tuple[str, ...]  # what it may be followed by; empty if that is not a choice
    takes_value: bool  # whether something follows


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The arguments of ``tengen completion``."""

    shell: str = operand("the shell that will read the script", choices=("bash", "zsh", "fish"))


def run(options: Arguments) -> int:
    """Print the script."""
    words = {name: options_of(name) for name in COMMANDS}
    print("\n".join(SHELLS[options.shell](words)))
    return 0


def options_of(command: str) -> list[Word]:
    """Return the options of a subcommand."""
    names = tuple(games.names())
    found = []
    for action in build_parser(command)._actions:
        values = tuple(map(str, action.choices or ()))
        summary = re.split(r"[;:(]|, such", action.help or "")[0].strip().replace("%%", "%")
        for text in action.option_strings:
            if text.startswith("--"):
                given = names if text == GAME else values
                found.append(Word(text, summary, given, action.nargs != 0))
        if not action.option_strings:
            found += [Word(value, "", (), False) for value in values]
    return found


def bash(options: dict[str, list[Word]]) -> list[str]:
    """Return the script for bash."""
    lines = [
        "_tengen() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""',
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f'        words="{" ".join(options)}"',
        "    else",
        '        case "${COMP_WORDS[1]} $before" in',
    ]
    for command, listed in options.items():
        for option in listed:
            if option.takes_value:
                words = f'words="{" ".join(option.values)}"' if option.values else "return"
                lines.append(f'            "{command} {option.text}") {words} ;;')
    for command, listed in options.items():
        lines.append(f'            "{command} "*) words="{" ".join(option.text for option in listed)}" ;;')
    return [
        *lines,
        "        esac",
        "    fi",
        '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o default -F _tengen tengen",
    ]


def zsh(options: dict[str, list[Word]]) -> list[str]:
    """Return the script for zsh."""
    lines = [
        "#compdef tengen",
        "_tengen() {",
        "    local -a words_",
        "    if (( CURRENT == 2 )); then",
        "        words_=(",
        *(f"            {_single(f'{_colons(name)}:{COMMANDS[name][1]}')}" for name in options),
        "        )",
        "        _describe command words_",
        "        return",
        "    fi",
        '    case "$words[2] $words[CURRENT-1]" in',
    ]
    for command, listed in options.items():
        for option in listed:
            if option.takes_value:
                action = f"compadd -- {' '.join(option.values)}" if option.values else "_files"
                lines.append(f'        "{command} {option.text}") {action}; return ;;')
    lines += ["    esac", '    case "$words[2]" in']
    for command, listed in options.items():
        described = " ".join(_single(f"{_colons(option.text)}:{option.summary}") for option in listed)
        lines.append(f"        {command}) words_=({described}) ;;")
    return [
        *lines,
        "    esac",
        "    _describe option words_",
        "    _files",
        "}",
        "compdef _tengen tengen",
    ]


def fish(options: dict[str, list[Word]]) -> list[str]:
    """Return the script for fish."""
    lines = [
        f"complete -c tengen -n __fish_use_subcommand -f -a {name} -d {_single(COMMANDS[name][1])}"
        for name in options
    ]
    for command, listed in options.items():
        only = f"complete -c tengen -n '__fish_seen_subcommand_from {command}'"
        for option in listed:
            if not option.text.startswith("-"):
                lines.append(f"{only} -f -a {option.text}")
                continue
            values = f" -x -a {_single(' '.join(option.values))}" if option.values else " -r"
            value = values if option.takes_value else ""
            lines.append(f"{only} -l {option.text.removeprefix('--')}{value} -d {_single(option.summary)}")
    return lines


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


def _single(text: str) -> str:
    """Return `text` in single quotes, which end where it has one itself."""
    return "'" + text.replace("'", "’") + "'"


def _colons(text: str) -> str:
    """Return `text` with its colons escaped, as zsh's _describe wants the first part of an entry."""
    return text.replace(":", "\\:")
