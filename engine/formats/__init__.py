"""Records in the formats of other programs: each module has ``read(text, spec)`` and ``write(record)``."""
