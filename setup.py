"""Lists the packages of the wheel; all else about it stands in pyproject.toml."""

from setuptools import find_packages, setup

ROOMS = ("engine", "search", "tuning", "protocol", "api")

setup(
    packages=[
        "tengen",
        "tengen.rules",
        *(f"tengen.{name}" for room in ROOMS for name in find_packages(include=[room, f"{room}.*"])),
    ]
)
