"""Warm-up compiles all that a game calls: nothing is compiled while a clock runs."""

import subprocess
import sys

import pytest

from tengen.engine import jit
from tests import ROOT
from tests.processes import PATIENCE

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is compiled with NUMBA_DISABLE_JIT=1")


@pytest.mark.parametrize(
    "spec", ["dvonn", "gipf:tournament", "go,size=7", "gobang,capture-win=5", "gomoku:renju", "zertz"]
)
def test_nothing_is_compiled_in_the_middle_of_a_game(spec):
    done = subprocess.run(
        [sys.executable, "-m", "tests.tools.timing.latecomers", spec],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == ""
