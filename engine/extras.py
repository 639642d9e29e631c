"""Packages that only some functions need: how they are installed where tengen runs."""

import re
import sys

from tengen.engine.errors import MissingPackageError
from tengen.engine.system import join_command


def missing(what: str, extra: str) -> MissingPackageError:
    """Return the error of `what` about the packages of `extra`, which are not installed."""
    return MissingPackageError(f"{what}: {install_command(extra)}")


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra beside this tengen, however it was installed.

    It names them, since tengen itself may come from a checkout, a wheel or a package index.
    """
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        found = distribution("tengen")
    except PackageNotFoundError:  # a bare checkout
        return f"install the packages of the extra {extra} in pyproject.toml"
    declared = (line.partition(";") for line in found.requires or ())
    wanted = [need.strip() for need, _, when in declared if re.search(rf"extra == ['\"]{extra}['\"]", when)]
    python = join_command([sys.executable])
    by_uv = (found.read_text("INSTALLER") or "").strip() == "uv"  # its environments have no pip
    installer = f"uv pip install --python {python}" if by_uv else f"{python} -m pip install"
    return f"{installer} {join_command(wanted)}"
