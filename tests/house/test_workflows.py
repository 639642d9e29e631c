"""The workflows: they can be read, end by themselves, and name what there is."""

import re
import tomllib
from pathlib import Path

import pytest

from tengen.apps.cli.main import COMMANDS
from tests import ROOT
from tests.conftest import CHECKED, UNCHECKED

yaml = pytest.importorskip("yaml")
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
JOBS = {
    f"{file.stem} {name}": job
    for file in FILES
    for name, job in yaml.safe_load(file.read_text("utf-8"))["jobs"].items()
}
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = re.findall(r"^([\w-]+):", MAKEFILE, re.M)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_a_job_ends_and_names_what_there_is(job):
    assert job["timeout-minutes"] <= 60
    lines = "\n".join(step.get("run", "") for step in job["steps"])
    targets = {*re.findall(r"^make ([\w-]+)", lines, re.M)}
    commands = {*re.findall(r"(?:^|&& | )tengen ([a-z]+)", lines, re.M)}
    extras = {*re.findall(r"--extra (\w+)", lines), *re.findall(r"\.\[(\w+)\]", lines)}
    files = {*re.findall(r"(?:^| )((?:\.ci|examples)/\S+)", lines), *re.findall(r"--file (\S+)", lines)}
    assert (targets - {*TARGETS}, commands - {*COMMANDS}) == (set(), set())
    assert (extras - {*PROJECT["optional-dependencies"]}) == set()
    assert all((ROOT / file).is_file() for file in files)


def test_every_version_of_python_is_tested():
    versions = re.findall(r"Python :: (3\.\d+)", str(PROJECT["classifiers"]))
    for name in ("ci test", "release wheel"):
        assert JOBS[name]["strategy"]["matrix"]["python"] == versions
    assert JOBS["ci oldest-packages"]["strategy"]["matrix"]["python"] == [versions[0], versions[-1]]


def folders(name: str) -> list[str]:
    """Return the folders of a variable of the Makefile."""
    return re.search(rf"^{name} := (.*)$", MAKEFILE, re.M)[1].split()


def test_no_run_leaves_out_a_folder_with_tests_for_it():
    marked = {
        f"{path.parent.relative_to(ROOT).as_posix()}/"
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__)
        for mark in ("interpreted", "checked")
        if f"mark.{mark}" in path.read_text("utf-8")
    }
    bounds = tuple(f"{folder}/" for folder in [*folders("BOUNDS"), *folders("SEARCHES"), "tests/library"])
    assert [folder for folder in {*marked, *CHECKED} if not f"{folder}/".startswith(bounds)] == []
    assert not {*folders("SEARCHES")} & {*folders("BOUNDS")}
    others = {*folders("COMMANDS"), "tests/tuning", "tests/soak"}  # runs of their own
    rest = {*folders("ELSEWHERE")} - others - {"$(COMMANDS)"}
    assert rest <= {*CHECKED}
    assert not any(path.startswith(tuple(rest)) for path in UNCHECKED)
