"""Sessions of clients with the engine, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from tests import ROOT
from tests.processes import PATIENCE


def run_session(*command: str) -> Any:
    """Return what a session prints in its last line, which is JSON."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
