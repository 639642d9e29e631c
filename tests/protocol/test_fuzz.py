"""Rubbish and near-commands, some hundred lines; ``python -m tests.protocol.fuzz`` sends ten thousand."""

from __future__ import annotations

import pytest

from tests.protocol.fuzz import fuzz


@pytest.mark.parametrize("protocol", ["gtp", "ugi", "gomocup", "analysis"])
def test_rubbish_is_answered(protocol):
    assert fuzz(protocol, 400, seed=1) == []
