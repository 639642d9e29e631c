"""Records in the formats of other programs: each module has ``read(text, spec)`` and ``write(record)``.

Texts of one game alone are in the game's module ``transcript``.
"""
