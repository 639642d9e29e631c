"""Commands that install what is missing work where tengen runs."""

import shlex
import sys
from importlib import metadata

import pytest

from tengen.engine.extras import install_command

EXTRAS = ("png", "plot", "records", "web", "cluster", "nets", "onnx", "pettingzoo", "gymnasium", "openspiel")


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_names_the_packages_of_an_extra_that_is_declared(extra):
    python, *command = shlex.split(install_command(extra))
    assert (python, command[:3]) == (sys.executable, ["-m", "pip", "install"])
    assert command[3:]
    assert all(">=" in need and "extra" not in need for need in command[3:])


def test_a_tool_of_uv_has_no_pip(monkeypatch):
    class Distribution:
        requires = ("numpy>=1.26", 'pillow>=10.1; extra == "png"')

        def read_text(self, name: str) -> str:
            return "uv\n"

    monkeypatch.setattr(metadata, "distribution", lambda name: Distribution())
    assert install_command("png") == f"uv pip install --python {sys.executable} 'pillow>=10.1'"


def test_a_bare_checkout_names_the_file(monkeypatch):
    def absent(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", absent)
    assert "extra png in pyproject.toml" in install_command("png")
