"""Rubbish and near-commands, some hundred lines; ``python -m tests.protocol.fuzz`` sends ten thousand."""

import json

import pytest

from tests.protocol.conversation import PROTOCOLS
from tests.protocol.fuzz import SEEDS, fuzz

ENDING = {"quit", "END"}  # commands that end the protocol


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_rubbish_is_answered(protocol):
    assert fuzz(protocol, 400, seed=1) == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_command_is_mutated(protocol):
    words = {
        word.upper() if protocol == "gomocup" else word for seed in SEEDS[protocol] for word in seed.split()
    }
    if protocol == "analysis":
        words = {json.loads(seed).get("action") for seed in SEEDS[protocol]}
    commands = set(PROTOCOLS[protocol].commands.by_name)
    assert commands - words == ENDING & commands
