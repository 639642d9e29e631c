"""The rulebook's statements and worked examples about Go, on the reference and on the engine.

The figures of the rulebook are described in words only: the positions here show what is said of them.
"""
