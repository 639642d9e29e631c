"""Games of other packages, installed as their users install them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tengen.engine import games, packages
from tests import ROOT
from tests.processes import PATIENCE

PLUGINS = ("hex", "morris", "tictactoe")


def install(folder: Path) -> Path:
    """Install the packages into a folder of their own below `folder`, and return it."""
    for name in PLUGINS:  # a build leaves files beside the sources
        shutil.copytree(ROOT / "tests" / "plugins" / name, folder / name)
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder / "site")]
    subprocess.run([*command, *(str(folder / name) for name in PLUGINS)], check=True, timeout=PATIENCE)
    return folder / "site"


def environment(*folders: Path) -> dict[str, str]:
    """Return what a process needs in its environment to find packages in `folders`."""
    paths = [*map(str, folders), os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "NUMBA_OPT": "1"}  # compiled sooner


def forget_games() -> None:
    """Have this process look for games again."""
    for cached in (packages.entry_points_by_name, games._load, games.names):
        cached.cache_clear()
