"""Rubbish and near-commands, some hundred lines; ``python -m tests.protocol.fuzz`` sends ten thousand."""

from __future__ import annotations

import json

import pytest

from tengen.protocol.gomocup.commands import Gomocup
from tengen.protocol.gtp.commands import Gtp
from tengen.protocol.katago.analysis import AnalysisEngine
from tengen.protocol.ugi import Ugi
from tests.protocol.fuzz import SEEDS, fuzz

ENDING = {"quit", "END"}  # commands that end the protocol


@pytest.mark.parametrize("protocol", ["gtp", "ugi", "gomocup", "analysis"])
def test_rubbish_is_answered(protocol):
    assert fuzz(protocol, 400, seed=1) == []


@pytest.mark.parametrize(
    ("protocol", "spoken"), [("gtp", Gtp), ("ugi", Ugi), ("gomocup", Gomocup), ("analysis", AnalysisEngine)]
)
def test_every_command_is_mutated(protocol, spoken):
    words = {
        word.upper() if protocol == "gomocup" else word for seed in SEEDS[protocol] for word in seed.split()
    }
    if protocol == "analysis":
        words = {json.loads(seed).get("action") for seed in SEEDS[protocol]}
    assert set(spoken.commands.by_name) - words == ENDING & set(spoken.commands.by_name)
