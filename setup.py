"""Lists the packages and writes the readme; all else about the wheel stands in pyproject.toml.

An editable install puts the checkout itself on the path, where the links in ``tengen/`` lay out the packages
for Python, editors and type checkers alike. Builds, and checkouts without links (Windows), name the folders.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

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
LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:)[^)]*\)")  # to files; no package index has them


class Compiled(Distribution):
    """A distribution whose wheels with kernels are for one version of Python and of numba, and one system."""

    def parse_config_files(self, *args: Any, **options: Any) -> None:
        """Read pyproject.toml; kernels need the very numba that has compiled them."""
        super().parse_config_files(*args, **options)
        if KERNELS:
            made_for = json.loads(Path("kernels/manifest.json").read_text("utf-8"))
            self.install_requires = self.metadata.install_requires = [
                *self.install_requires,
                f"numba=={made_for['numba']}",
            ]

    def has_ext_modules(self) -> bool:
        """Return whether files of the wheel fit one version of Python and one system only."""
        return KERNELS


setup(
    distclass=Compiled,
    long_description=LINK.sub(lambda link: "" if link[1] else link[2], Path("README.md").read_text("utf-8")),
    long_description_content_type="text/markdown",
    package_dir={"": "."} if LINKED else FOLDERS,
    packages=[
        "tengen",
        "tengen.rules",
        *(["tengen.kernels"] if KERNELS else []),
        *(f"tengen.{name}" for name in find_packages("tengen", include=["apps", "apps.*", "environments"])),
        *(f"tengen.{name}" for room in ROOMS for name in find_packages(include=[room, f"{room}.*"])),
    ],
)
