"""Who may import whom, and who may print: the house's rooms and the direction of its doors."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

from tengen.engine import games
from tests import ROOT

ROOMS = ("engine", "search", "tuning", "protocol", "library", "apps")  # one may import those before it
CORE = {"numba", "llvmlite", "numpy", "platformdirs", "tqdm", "psutil"}  # psutil elsewhere than on Linux
OF_SYSTEMS = {"fcntl", "msvcrt", "psutil", "pwd", "resource", "termios", "winreg"}
OPTIONAL = {
    "PIL",
    "distributed",
    "gymnasium",
    "matplotlib",
    "onnx",
    "pettingzoo",
    "pysgf",
    "pyspiel",
    "starlette",
    "torch",
    "uvicorn",
}
PROTOCOLS = {"gtp", "ugi", "gomocup", "katago"}
BELOW = {  # what each protocol may import of another
    **{protocol: set() for protocol in PROTOCOLS},
    "gtp": {"katago"},  # it has commands of KataGo's, about its rules
}
APPS_BELOW = {  # applications, and those that each may import
    "lessons": set(),
    "terminal": set(),
    "review": set(),
    "play": {"lessons", "quiz", "review", "terminal"},
    "quiz": {"review", "terminal"},
    "web": {"lessons", "quiz", "review"},
    "cli": {"review", "terminal", "play", "quiz", "web"},
}
FOLDERS = {**{room: ROOT / room for room in ROOMS[:4]}, "apps": ROOT / "tengen" / "apps"}
LIBRARY = [
    path
    for folder in (ROOT / "tengen", ROOT / "tengen" / "environments")
    for path in folder.glob("*.py")
    if path.name != "__main__.py"
]
FILES = {
    **{path: room for room, folder in FOLDERS.items() for path in folder.rglob("*.py")},
    **dict.fromkeys(LIBRARY, "library"),
}


def module_name(path: Path) -> str:
    """Return the name under which a file of `FILES` is imported."""
    room = FILES[path]
    within = path.relative_to(ROOT if room == "library" else FOLDERS[room])
    head = [] if room == "library" else ["tengen", room]
    return ".".join([*head, *within.with_suffix("").parts]).removesuffix(".__init__")


MODULES = {module_name(path): path for path in FILES}


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


@cache
def modules_imported(path: Path) -> set[str]:
    """Return the dotted names of all modules that the file imports, anywhere in it."""
    names = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_imports_run_one_way():
    for path, room in FILES.items():
        for name in modules_imported(path):
            assert name.split(".")[0] not in (*ROOMS, "tests"), f"{path}: {name}"
            imported = FILES[MODULES[name]] if name in MODULES and name != "tengen" else room
            assert ROOMS.index(imported) <= ROOMS.index(room), f"{path}: {name}"


def modules_needed(path: Path) -> set[str]:
    """Return the names of the house's modules that the one in `path` imports, at once or late, to run."""
    names: set[str] = set()
    pending: list[ast.AST] = list(parsed(path).body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            pending += node.orelse
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            children = {f"{node.module}.{alias.name}" for alias in node.names} & MODULES.keys()
            names |= children or {node.module or ""}
        else:
            pending += ast.iter_child_nodes(node)
    return names & MODULES.keys()


def test_modules_do_not_import_each_other_in_a_circle():
    imports = {name: modules_needed(path) for name, path in MODULES.items()}
    while free := {name for name, needed in imports.items() if not needed & imports.keys()}:
        for name in free:
            del imports[name]
    assert not imports, f"these modules import each other, or what does: {sorted(imports)}"


def test_protocols_and_applications_import_only_what_lies_below():
    """A protocol knows no other one, and an application those that the tables grant."""
    for path, room in FILES.items():
        tables = {"protocol": BELOW, "apps": APPS_BELOW}
        if room not in tables:
            continue
        names = {name for name in modules_imported(path) if name.startswith(f"tengen.{room}.")}
        own = path.relative_to(FOLDERS[room]).parts[0].removesuffix(".py")
        used = {name.split(".")[2] for name in names} & tables[room].keys() - {own}
        assert used <= tables[room].get(own, set()), f"{path}: {used}"


def test_subcommands_import_no_other_subcommand():
    from tengen.apps.cli.main import COMMANDS

    commands = {home for home, *_ in COMMANDS.values() if home.startswith("tengen.apps.cli.")}
    for path in (FOLDERS["apps"] / "cli").glob("*.py"):
        assert not commands & modules_imported(path), path


def test_one_module_knows_what_systems_do_differently():
    using = {path.relative_to(ROOT).as_posix() for path in FILES if modules_imported(path) & OF_SYSTEMS}
    assert using == {"engine/system.py"}


def test_packages_from_outside_are_declared():
    for path in FILES:
        outside = {name.split(".")[0] for name in modules_imported(path)} - set(sys.stdlib_module_names)
        assert outside <= CORE | OPTIONAL | {"tengen"}, path


def test_only_protocols_and_applications_print():
    for path, room in FILES.items():
        if room in {"protocol", "apps"}:
            continue
        calls = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.Call)]
        names = {ast.unparse(call.func) for call in calls}
        assert not names & {"print", "sys.stdout.write", "sys.stderr.write"}, path


def shared_files() -> list[Path]:
    """Return all files but those that lie in a game's folder."""
    own = [ROOT / "engine" / name for name in games.built_in()]
    return [path for path in FILES if not any(folder in path.parents for folder in own)]


def test_no_shared_module_imports_a_game():
    """Adding a game is adding a package: nothing outside of a game's folder imports one."""
    for path in shared_files():
        folders = {".".join(name.split(".")[:3]) for name in modules_imported(path)}
        assert not folders & {f"tengen.engine.{name}" for name in games.built_in()}, path


def test_no_shared_module_asks_which_game_it_is():
    """What differs between games is declared by them; a name may only be the default of a protocol."""
    for path in shared_files():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Compare | ast.match_case | ast.Call | ast.Dict | ast.Subscript):
                parts = [part for child in ast.iter_child_nodes(node) for part in (child, *elements(child))]
                named = {part.value for part in parts if isinstance(part, ast.Constant)}
                assert not named & {*games.built_in()}, f"{path}: {ast.unparse(node)}"


def elements(node: ast.AST) -> list[ast.expr]:
    """Return what stands in a tuple, list or set."""
    return node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else []


def test_a_game_spec_is_read_without_numpy():
    read = "from tengen.engine.spec import GameSpec; GameSpec.parse('gomoku')"
    code = f"import sys; {read}; print('numpy' in sys.modules)"
    reply = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert reply.stdout.strip() == "False"
