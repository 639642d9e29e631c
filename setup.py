"""Lists the packages and their folders; all else about the wheel stands in pyproject.toml.

An editable install puts the checkout itself on the path, where the links in ``tengen/`` lay out the packages
for Python, editors and type checkers alike. Builds, and checkouts without links (Windows), name the folders.
"""

import sys
from pathlib import Path

from setuptools import Distribution, find_packages, setup

ROOMS = ("engine", "search", "tuning", "protocol")
FOLDERS = {
    "tengen": "tengen",
    "tengen.rules": "docs/rules",
    "tengen.kernels": "kernels",
    **{f"tengen.{room}": room for room in ROOMS},
}
LINKED = "editable_wheel" in sys.argv and Path("tengen/engine").is_dir()
KERNELS = Path("kernels").is_dir()  # compiled for a level of processors; what is built is for one system then


class Compiled(Distribution):
    """A distribution whose wheels are named by Python's version and the system."""

    def has_ext_modules(self) -> bool:
        """Return whether files of the wheel fit one version of Python and one system only."""
        return KERNELS


setup(
    distclass=Compiled,
    package_dir={"": "."} if LINKED else FOLDERS,
    packages=[
        "tengen",
        "tengen.rules",
        *(["tengen.kernels"] if KERNELS else []),
        *(f"tengen.{name}" for name in find_packages("tengen", include=["apps", "apps.*", "environments"])),
        *(f"tengen.{name}" for room in ROOMS for name in find_packages(include=[room, f"{room}.*"])),
    ],
)
