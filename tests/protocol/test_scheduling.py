"""What engines ask of the scheduler of the operating system."""

import pytest

from tengen.protocol import dialogue


def test_an_engine_asks_for_short_slices_and_keeps_its_nice(monkeypatch):
    """What it asks for is what the kernel gets; whether that is granted is the kernel's affair."""
    asked = []

    class Library:
        @staticmethod
        def syscall(number, thread, attributes, flags):
            asked.append((number, thread, dialogue.ATTRIBUTES.unpack(attributes), flags))
            return -1

    monkeypatch.setattr(dialogue.sys, "platform", "linux")
    monkeypatch.setattr(dialogue.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(dialogue.os, "sched_getscheduler", lambda thread: 0, raising=False)
    monkeypatch.setattr(dialogue.os, "getpriority", lambda *which: 7, raising=False)
    monkeypatch.setattr(dialogue.ctypes, "CDLL", lambda name: Library)
    dialogue.ask_for_short_slices()
    number, thread, attributes, flags = asked.pop()
    assert (number, thread, flags) == (314, 0, 0)
    size, policy, _, nice, _, runtime, *_ = attributes
    assert (size, policy, nice, runtime) == (48, 0, 7, 100_000)


@pytest.mark.parametrize(
    "elsewhere",
    [
        ("sys", "platform", "darwin"),
        ("platform", "machine", lambda: "m68k"),
        ("os", "sched_getscheduler", lambda thread: 3),
    ],
)
def test_elsewhere_nothing_is_asked(monkeypatch, elsewhere):
    module, name, value = elsewhere
    monkeypatch.setattr(getattr(dialogue, module), name, value, raising=False)

    def refuse(name):
        raise AssertionError("no system call was expected")

    monkeypatch.setattr(dialogue.ctypes, "CDLL", refuse)
    dialogue.ask_for_short_slices()
