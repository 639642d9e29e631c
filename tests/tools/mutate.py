"""Mutations: ``python -m tests.tools.mutate [FILE...]`` changes one place of the code at a time.

In a copy of the last commit one operator or constant is changed, and the nearest tests are run, which have to
fail. What survives is printed: either the change makes no difference, or a test is missing.
"""

import ast
import copy
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from tests import ROOT, command_line

TIMEOUT = 900  # seconds; what hangs is noticed, too
ROOMS = ["engine", "search", "protocol", "tengen/apps", "tuning"]
SWAPS = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
EXAMPLES = "tests/rules/test_examples.py"
NEAREST = {  # tests of the code below a folder, the first that fits
    "engine/sgf": ["tests/engine/records", "tests/library/test_record.py"],
    "engine/formats": ["tests/engine/records", "tests/library/test_record.py"],
    "engine/gipf": [EXAMPLES, "tests/contract/test_rejected.py", "tests/search/test_bench.py"],
    "engine/zertz": [EXAMPLES, "tests/search/test_bench.py", "tests/engine/records"],
    "engine/go": [
        EXAMPLES,
        "tests/rules/go",
        "tests/engine",
        "tests/protocol/analysis",
        "tests/search/test_bench.py",
    ],
    "engine/gomoku": [
        EXAMPLES,
        "tests/rules/test_gomoku.py",
        "tests/rules/test_gobang.py",
        "tests/search/test_threats.py",
        "tests/search/test_bench.py",
    ],
    "engine/dvonn": [EXAMPLES, "tests/contract", "tests/search/test_bench.py"],
    "engine": ["tests/engine", "tests/contract"],
    "search/mcts/halving": ["tests/tuning/learning/test_reinforce.py"],
    "search/mcts/gumbel": ["tests/tuning/learning/test_reinforce.py"],
    "search": ["tests/search", "tests/solver"],
    "tengen/apps/web": ["tests/apps/web"],
    "tengen/apps": ["tests/apps"],
    "protocol/gomocup": ["tests/protocol/gomocup", "tests/protocol/test_transcripts.py"],
    "protocol/katago": ["tests/protocol/analysis", "tests/protocol/test_transcripts.py"],
    "protocol/gtp": [
        "tests/protocol/test_go.py",
        "tests/protocol/test_parts.py",
        "tests/protocol/test_transcripts.py",
    ],
    "protocol": ["tests/protocol", "tests/apps"],
    "tuning": ["tests/tuning"],
}


def mutants(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield expressions of a module, and what each becomes."""
    within = {
        id(node) for text in ast.walk(tree) if isinstance(text, ast.JoinedStr) for node in ast.walk(text)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr) or id(node) in within:  # places in f-strings are not exact
            continue
        copied = copy.deepcopy(node)
        match node, copied:
            case ast.Compare(), ast.Compare() if type(node.ops[0]) in SWAPS:
                copied.ops[0] = SWAPS[type(node.ops[0])]()
            case ((ast.BoolOp() | ast.BinOp()), (ast.BoolOp() | ast.BinOp())) if type(node.op) in SWAPS:
                copied.op = SWAPS[type(node.op)]()
            case ast.UnaryOp(op=ast.Not()), ast.UnaryOp():
                copied = copied.operand
            case ast.Constant(value=bool() | int()), ast.Constant():
                copied.value = not node.value if isinstance(node.value, bool) else node.value + 1
            case _:
                continue
        yield node, copied


def mutated(source: str, node: ast.expr, becomes: ast.expr) -> str:
    """Return `source` with `node` replaced."""
    lines = source.encode().splitlines(keepends=True)
    assert node.end_lineno
    before = b"".join(lines[: node.lineno - 1]) + lines[node.lineno - 1][: node.col_offset]
    after = lines[node.end_lineno - 1][node.end_col_offset :] + b"".join(lines[node.end_lineno :])
    return (before + f"({ast.unparse(becomes)})".encode() + after).decode()


def nearest(path: str) -> list[str]:
    """Return the tests to run for a file."""
    return next(tests for folder, tests in NEAREST.items() if path.startswith(folder))


def main() -> None:
    """Try so many mutations, and print those that no test has noticed."""
    parser = command_line(__doc__)
    parser.add_argument("files", nargs="*", help="default: all of the product")
    parser.add_argument("--sites", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    listed = ["git", "ls-files", *(arguments.files or ROOMS)]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    sites = []
    for name in (name for name in files if name.endswith(".py")):
        source = (ROOT / name).read_text("utf-8")
        sites += [(name, source, *each) for each in mutants(ast.parse(source))]
    chosen = random.Random(arguments.seed).sample(sites, min(arguments.sites, len(sites)))
    survived = 0
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "tengen"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        for number, (name, source, node, becomes) in enumerate(tqdm(chosen, disable=None), 1):
            (clone / name).write_text(mutated(source, node, becomes), "utf-8")
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *nearest(name)]
            environment = os.environ | {"PYTHONPATH": str(clone)}
            try:
                ended = subprocess.run(
                    command, cwd=clone, env=environment, capture_output=True, timeout=TIMEOUT, check=False
                ).returncode
            except subprocess.TimeoutExpired:
                ended = 1
            (clone / name).write_text(source, "utf-8")
            if ended == 0:
                survived += 1
                print(f"{name}:{node.lineno}: {ast.unparse(node)} -> {ast.unparse(becomes)}", flush=True)
            if number % 10 == 0:
                print(f"{survived} of {number} survived", flush=True)


if __name__ == "__main__":
    main()
