"""One import name: a wheel and an editable install, wherever they lie and whatever else is on the path."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests import ROOT

FOLDERS = ("engine", "search", "protocol", "tuning", "api")
COUNT = ("perft", "--game", "gomoku,size=5", "--depth", "1")


def run(*command: str, notice: str = "", **options) -> str:
    """Return what a Python process writes; `notice` stands in the one line that it may complain in."""
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, **options)
    complaints = [line for line in done.stderr.splitlines() if not notice or notice not in line]
    assert (done.returncode, complaints) == (0, []), done
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of this checkout, built in a copy: a build leaves folders behind."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    run(*pip, "--disable-pip-version-check", "--wheel-dir", str(folder), str(copy_of_checkout(folder)))
    (built,) = folder.glob("*.whl")
    return built


def copy_of_checkout(folder: Path) -> Path:
    """Link what a build needs into an empty folder."""
    copy = folder / "checkout"
    copy.mkdir()
    for name in (*FOLDERS, "docs", "tengen", "pyproject.toml", "setup.py", "README.md"):
        (copy / name).symlink_to(ROOT / name)
    return copy


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    """A folder with modules that bear the names of our folders, and raise when they are imported."""
    folder = tmp_path_factory.mktemp("hostile")
    for name in FOLDERS:
        (folder / f"{name}.py").write_text("raise RuntimeError('somebody else has this name')")
    return folder


def environment(*path: Path, **settings: str) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "PYTHONDONTWRITEBYTECODE": "1",
        **settings,
    }


def metadata_of(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return archive.read(name).decode()


@pytest.mark.posix
def test_a_wheel_installs_one_package(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"tengen"}
    modules = {path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}
    apps = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tengen" / "apps").rglob("*.py")}
    assert apps | {f"tengen/{path.as_posix()}" for path in modules} <= set(names)
    for data in (
        "py.typed",
        "engine/dvonn/weights.npz",
        "engine/go/knowledge/weights-10-19.npz",
        "engine/dvonn/bench.txt",
        "rules/dvonn.md",
        "apps/quiz/puzzles/dvonn.txt",
    ):
        assert f"tengen/{data}" in names
    assert not [name for name in names if name.startswith("tengen/tests")]
    metadata = metadata_of(wheel)
    assert "## Set-up" in metadata
    assert not re.search(r"\]\((?!https?:)", metadata)  # links to files that no package index has


@pytest.mark.posix
def test_a_wheel_brings_kernels_and_says_for_which_system(tmp_path):
    copy = copy_of_checkout(tmp_path)
    kernels = copy / "kernels" / "dvonn-0123456789abcdef" / "x86-64-v3"
    kernels.mkdir(parents=True)
    (kernels / "search.nbi").touch()
    (copy / "kernels" / "manifest.json").write_text('{"numba": "0.68.1"}')
    pip = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    run(*pip, "--disable-pip-version-check", "--wheel-dir", str(tmp_path), str(copy))
    (built,) = tmp_path.glob("*.whl")
    assert not built.name.endswith("-none-any.whl")
    with zipfile.ZipFile(built) as archive:
        assert "tengen/kernels/dvonn-0123456789abcdef/x86-64-v3/search.nbi" in archive.namelist()
    assert "Requires-Dist: numba==0.68.1\n" in metadata_of(built)


def test_managers_of_gomocup_find_their_engine():
    script = Path(sys.executable).with_name("pbrain-tengen")
    done = subprocess.run([script], input="ABOUT\nEND\n", capture_output=True, text=True, check=True)
    assert done.stdout.startswith('name="tengen"')


@pytest.mark.posix
def test_an_installed_wheel_runs_from_anywhere(wheel, hostile, tmp_path):
    site = tmp_path / "site packages"  # a path with a blank
    run("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site), str(wheel),
        "--disable-pip-version-check", "--no-compile")  # fmt: skip
    files = {path for path in site.rglob("*") if path.is_file()}
    for path in [site, *site.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    cache = tmp_path / "compiled code"
    settings = environment(hostile, site, TENGEN_CACHE_DIR=str(cache))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    try:
        where = run(
            "-c", "import tengen; tengen.Engine(); print(tengen.__file__)", env=settings, cwd=elsewhere
        ).strip()
        assert Path(where).is_relative_to(site)
        first = run("-m", "tengen", *COUNT, notice="compiling gomoku", env=settings, cwd=elsewhere)
        assert "depth 1 turns 25" in first
        compiled = {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")}
        assert compiled, "compiled kernels are kept"
        assert "depth 1 turns 25" in run("-m", "tengen", *COUNT, env=settings, cwd=elsewhere)
        assert {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")} == compiled
    finally:
        for path in [site, *site.rglob("*")]:
            path.chmod(0o755)
    assert {path for path in site.rglob("*") if path.is_file()} == files, "nothing is written beside the code"
    assert not list(elsewhere.iterdir())


def test_an_editable_install_runs_from_anywhere(hostile, tmp_path):
    settings = environment(hostile)
    version = run("-m", "tengen", "--version", env=settings, cwd=tmp_path)
    script = Path(sys.executable).with_name("tengen")
    done = subprocess.run(
        [script, "--version"], env=settings, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == version


def test_importing_tengen_loads_nothing_heavy(tmp_path):
    code = (
        "import sys, tengen; print(tengen.__version__, *tengen.games());"
        "print({'numpy', 'numba', 'platformdirs', 'tqdm'} & {name.split('.')[0] for name in sys.modules})"
    )
    first, loaded = run("-c", code, cwd=tmp_path).splitlines()
    assert first.split()[1:] == ["dvonn", "gipf", "go", "gobang", "gomoku", "zertz"]
    assert loaded == "set()"
