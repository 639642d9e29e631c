"""Records of Go servers, GIB (Tygem) and NGF (WBaduk), by the library pysgf: the extra `records`."""

from __future__ import annotations

from tengen.engine import sgf
from tengen.engine.errors import NotationError, OptionError
from tengen.engine.sgf.encoding import decoded
from tengen.engine.sgf.syntax import Notes

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
    notes = Notes()
    text = decoded(data, notes)
    try:
        root = GoGame.from_string(text, ext=suffix[1:]).root
    except Exception as error:  # whatever foreign code makes of hostile text
        raise NotationError(f"record: pysgf cannot read it: {error}") from None
    root.set_property("GM", 1)
    root.set_property("SZ", root.get_property("SZ", 19))
    record = sgf.parse(root.sgf())
    record.notes[:0] = notes
    return record
