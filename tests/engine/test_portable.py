"""Kernels that were compiled for a level of processors are used elsewhere, if they are whole and fit."""

import contextlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tengen.engine import jit
from tengen.engine.games import find
from tengen.engine.jit import levels, portable

pytestmark = [
    pytest.mark.skipif(not jit.COMPILED, reason="nothing is compiled with NUMBA_DISABLE_JIT=1"),
    pytest.mark.skipif(levels.level_here() is None, reason="this processor is below all levels"),
]
GAME = find("dvonn").package
CALL = """
from tengen.engine import jit
from tengen.engine.dvonn.calls import surrounded
from tengen.engine.jit import ONE
with jit.on_compile("tengen.engine.dvonn", lambda: print("compiled")):
    print(surrounded(ONE))
"""


def call(cache: Path, **settings: str) -> list[str]:
    """Call a kernel in a process of its own; return what it says."""
    environment = os.environ | {"TENGEN_CACHE_DIR": str(cache)} | settings
    return subprocess.check_output([sys.executable, "-c", CALL], env=environment, text=True).split()


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    """A file of kernels for the level of this processor."""
    level, folder = levels.level_here(), tmp_path_factory.mktemp("kernels")
    assert level
    settings = {"NUMBA_CPU_NAME": level.name, "NUMBA_CPU_FEATURES": ""}
    assert call(folder, **settings) == ["compiled", "0"]
    written = portable.write_kernels(folder / "kernels.zip", level, folder, [GAME])
    assert written.folders == [f"{jit.cache.folder_name(GAME)}/{level.name}"]
    return folder / "kernels.zip"


def test_what_was_compiled_for_a_level_is_used_without_compiling(archive, tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE_DIR", str(tmp_path))
    for _ in range(2):  # again replaces what is there
        kernels = portable.read_kernels(archive, [GAME])
        assert portable.install_kernels(kernels) == tmp_path
        assert call(tmp_path) == ["0"]
    assert call(tmp_path, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="") == ["compiled", "0"]


def test_kernels_are_used_where_no_cache_can_be_made(archive, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    shipped = "import pathlib\nfrom tengen.engine.jit import cache\n"
    shipped += f"cache.SHIPPED = pathlib.Path({str(tmp_path)!r})"
    monkeypatch.setenv("TENGEN_CACHE_DIR", str(tmp_path))
    portable.install_kernels(portable.read_kernels(archive, [GAME]))
    before = sorted(tmp_path.rglob("*"))
    environment = os.environ | {"TENGEN_CACHE_DIR": str(tmp_path / "file" / "no folder")}
    said = subprocess.check_output([sys.executable, "-c", shipped + CALL], env=environment, text=True)
    assert said.split() == ["0"]
    assert sorted(tmp_path.rglob("*")) == before


def test_the_release_of_macos_does_not_matter():
    assert levels.target_of("arm64-apple-darwin24.1.0") == "arm64-apple-darwin"
    assert levels.target_of("x86_64-unknown-linux-gnu") == "x86_64-unknown-linux-gnu"


def test_own_kernels_are_preferred(archive, tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE_DIR", str(tmp_path))
    assert call(tmp_path) == ["compiled", "0"]
    portable.install_kernels(portable.read_kernels(archive, [GAME]))
    for file in (tmp_path / jit.cache.folder_name(GAME)).glob("*/*.nbc"):
        file.write_bytes(b"damaged")
    assert call(tmp_path) == ["0"]


def test_damaged_kernels_are_compiled_again(archive, tmp_path, monkeypatch):
    monkeypatch.setenv("TENGEN_CACHE_DIR", str(tmp_path))
    portable.install_kernels(portable.read_kernels(archive, [GAME]))
    for file in (tmp_path / jit.cache.folder_name(GAME)).glob("*/*.nbc"):
        file.write_bytes(b"damaged")
    assert call(tmp_path) == ["compiled", "0"]


def changed(archive: Path, path: Path, **manifest: object) -> Path:
    """Write a copy of an archive with another manifest."""
    with zipfile.ZipFile(archive) as before, zipfile.ZipFile(path, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            if name == portable.MANIFEST:
                data = json.dumps({**json.loads(data), **manifest}).encode()
            after.writestr(name, data)
    return path


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        ({"format": 2}, "format: expected 1, got '2'"),
        ({"python": "2.7"}, "python: expected 3"),
        ({"numba": "0.1"}, "numba: expected "),
        ({"target": "z80-sinclair-spectrum"}, "target: expected "),
        ({"level": "z80"}, "expected a file of tengen kernels, got something else"),
        ({"level": None}, "expected a file of tengen kernels, got something else"),
        ({"files": {}}, "expected kernels of this version's sources, got those of another"),
        ({"files": {"../../../escape.nbc": ""}}, "the file is damaged"),
        ({"files": 5}, "expected a file of tengen kernels, got something else"),
    ],
)
def test_kernels_that_do_not_fit_are_refused(archive, tmp_path, manifest, reason):
    path = changed(archive, tmp_path / "other.zip", **manifest)
    with pytest.raises(portable.KernelsError) as refused:
        portable.read_kernels(path, [GAME])
    assert str(refused.value).startswith(f"{path}: {reason}")


def test_kernels_of_other_sources_are_refused(archive, tmp_path):
    with pytest.raises(portable.KernelsError, match="expected kernels of this version's sources"):
        portable.read_kernels(archive, [find("gomoku").package])


def test_kernels_for_a_better_processor_are_refused(archive, monkeypatch):
    monkeypatch.setattr(portable, "level_here", lambda: None)
    with pytest.raises(portable.KernelsError, match="this processor has less than"):
        portable.read_kernels(archive, [GAME])


def test_a_damaged_file_is_refused(archive, tmp_path):
    data, path = archive.read_bytes(), tmp_path / "damaged.zip"
    for part in (b"", data[: len(data) // 2], data[:-1], b"PK" * 100, bytes(1000)):
        path.write_bytes(part)
        with pytest.raises(portable.KernelsError):
            portable.read_kernels(path, [GAME])
    for place in range(0, len(data), 97):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with contextlib.suppress(portable.KernelsError):  # what nobody reads, such as dates, may change
            assert portable.read_kernels(path, [GAME]).files == portable.read_kernels(archive, [GAME]).files


def test_the_processor_is_no_part_of_what_names_the_sources(monkeypatch):
    before = jit.source_hash(GAME)
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert jit.source_hash(GAME) == before
    monkeypatch.setenv("NUMBA_OPT", "2")
    assert jit.source_hash(GAME) != before
