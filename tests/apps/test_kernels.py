"""``tengen kernels``: what it refuses. ``tests/engine/test_portable.py`` carries kernels."""

import pytest

from tengen.engine import jit

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is compiled with NUMBA_DISABLE_JIT=1")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["import", "README.md"], "README.md: expected a file of tengen kernels, got something else"),
        (["import", "nowhere.zip"], "nowhere.zip: No such file or directory"),
        (["import", "README.md", "--level", "x86-64-v3"], "--level and --game belong to export"),
        (
            ["export", "kernels.zip", "--level", "x86-64-v4"],
            "or neoverse-n1 or apple-m1, got 'x86-64-v4' (did you mean 'x86-64-v3'?)",
        ),
        (["export", "nowhere/kernels.zip"], "nowhere/kernels.zip: expected a folder that can be written to"),
        (["export", "docs"], "expected a file to write, got a folder"),
        (["export", "kernels.zip", "--game", "chess"], "game: expected one of dvonn, gipf"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(arguments, reason, printed):
    assert reason in printed("kernels", *arguments, code=2)
