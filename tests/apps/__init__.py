"""Tests of `tengen COMMAND`, as a person types it."""
