"""The rulebook's statements and worked examples about ZÈRTZ, on the reference and on the engine."""
