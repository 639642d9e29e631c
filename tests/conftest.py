"""For all tests: a busy machine is no fault of theirs, SIGINT arrives, and nobody has settings."""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from tengen.engine.system import LINUX, WINDOWS

# Modules that drive a browser
BROWSER = "browser", "home", "lessons", "puzzles", "setup", "tasks", "visitors", "words"

# What only `make test-all` runs: the page in a browser, long comparisons, and what few users meet.
THOROUGH = (
    "tests/apps/play/test_kept_games.py",
    "tests/apps/review",
    *(f"tests/apps/web/test_{name}.py" for name in BROWSER),
    "tests/contract/test_differential.py",
    "tests/contract/test_plugin",
    "tests/engine/records/test_boardspace.py",
    "tests/engine/records/test_zertz_records.py",
    "tests/engine/test_editor.py",
    "tests/engine/test_motifs.py",
    "tests/engine/test_go_net.py",
    "tests/engine/test_go_knowledge.py",
    "tests/engine/test_jit.py",
    "tests/house/test_install.py",
    "tests/house/test_readme.py",
    "tests/house/test_security.py",
    "tests/library",
    "tests/protocol/analysis/test_processes.py",
    "tests/protocol/test_fuzz.py",
    "tests/protocol/test_process.py",
    "tests/reference",
    "tests/rules/challenges",
    "tests/rules/go/life",
    "tests/search/limits/test_latecomers.py",
    "tests/search/test_hurried.py",
    "tests/search/test_repetition.py",
    "tests/search/test_restrictions.py",
    "tests/search/test_threats.py",
    "tests/soak",
    "tests/solver",
    "tests/tuning",
)

# What `make test-all` runs with bounds checks, but for what is about kernels or processes as shipped.
CHECKED = (
    "tests/contract/test_contract.py",
    "tests/contract/test_differential.py",
    "tests/contract/test_perft.py",
    "tests/engine",
    "tests/reference",
    "tests/rules",
)
UNCHECKED = "tests/engine/test_jit.py", "tests/rules/challenges"

YOUNG_OBJECTS = 10_000  # made between two collections of garbage, which take a tenth of the time by default

settings.register_profile("tengen", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tengen")

gc.set_threshold(YOUNG_OBJECTS)

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # jobs of a shell script; what they start inherits that
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["TENGEN_CONFIG"] = os.devnull  # whoever runs the tests may have settings
os.environ["LC_MESSAGES"] = "C"  # and speak another language
if "LC_ALL" in os.environ:
    os.environ["LC_ALL"] = "C.UTF-8"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what only `make test-all` runs, what it runs with bounds checks, and what this system lacks."""
    for item in items:
        for system, here in (("posix", not WINDOWS), ("linux", LINUX)):
            if item.get_closest_marker(system) and not here:
                item.add_marker(pytest.mark.skip(reason=f"needs {system}"))
        if item.nodeid.startswith(THOROUGH):
            item.add_marker("thorough")
        if item.nodeid.startswith(CHECKED) and not item.nodeid.startswith(UNCHECKED):
            item.add_marker("checked")


def pytest_collection_finish() -> None:
    """Have the collector leave alone what lives until the end: thousands of tests and all modules."""
    gc.collect()
    gc.freeze()


def pytest_runtest_logfinish() -> None:
    """Undo what the command `tengen` sets: tables of searches would wait for it by the gigabyte."""
    gc.set_threshold(YOUNG_OBJECTS)
