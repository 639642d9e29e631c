"""Records of Go servers, GIB (Tygem) and NGF (WBaduk), by the library pysgf: the extra `records`."""

from __future__ import annotations

from tengen.engine import sgf
from tengen.engine.errors import NotationError, OptionError

SUFFIXES = (".gib", ".ngf")


def read(data: bytes, suffix: str) -> sgf.Record:
    """Return the record in `data`.

    Raises
    ------
    OptionError
        If the library is not installed.
    NotationError
        If it cannot read the record, or a turn cannot be played.
    """
    try:
        from pysgf import GoGame
    except ImportError:
        raise OptionError(f"record: {suffix} needs pysgf, in the extra records: pip install pysgf") from None
    text = data.decode("utf-8", "replace")  # only names can be in other encodings
    try:
        root = GoGame.from_string(text, ext=suffix[1:]).root
    except Exception as error:  # whatever foreign code makes of hostile text
        raise NotationError(f"record: pysgf cannot read it: {error}") from None
    root.set_property("GM", 1)
    root.set_property("SZ", root.get_property("SZ", 19))
    return sgf.parse(root.sgf())
