"""Tests of what `engine` has besides rules: compiled code, records, pictures."""
