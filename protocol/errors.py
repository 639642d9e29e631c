"""The error of a command whose text is the whole reply."""

from __future__ import annotations

from tengen.engine.errors import TengenError


class CommandError(TengenError):
    """A command cannot be executed; the text is all that the protocol replies."""
