"""Records in the formats of other programs: each module has ``read(text, spec)`` and ``write(record)``.

It may also have ``holds(node, name)``, whether it can hold a property of a node (else it holds none), and
``VARIATIONS``, whether it holds variations. Texts of one game alone are in the game's module ``transcript``.
"""
