"""Tests of self-play and the fit of weights."""


class Interruption(Exception):
    """What breaks a training off."""


def interrupt(*_: object) -> None:
    """Break a training off when it tells of its progress."""
    raise Interruption
