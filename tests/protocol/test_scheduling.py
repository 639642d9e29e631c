"""What engines ask of the scheduler of the operating system."""

from __future__ import annotations

import pytest

from tengen.protocol import scheduling


def test_an_engine_asks_for_short_slices_and_keeps_its_nice(monkeypatch):
    """What it asks for is what the kernel gets; whether that is granted is the kernel's affair."""
    asked = []

    class Library:
        @staticmethod
        def syscall(number, thread, attributes, flags):
            asked.append((number, thread, attributes._obj, flags))
            return -1

    monkeypatch.setattr(scheduling.sys, "platform", "linux")
    monkeypatch.setattr(scheduling.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(scheduling.os, "sched_getscheduler", lambda thread: 0, raising=False)
    monkeypatch.setattr(scheduling.os, "getpriority", lambda *which: 7, raising=False)
    monkeypatch.setattr(scheduling.ctypes, "CDLL", lambda name: Library)
    scheduling.ask_for_short_slices()
    number, thread, attributes, flags = asked.pop()
    assert (number, thread, flags) == (314, 0, 0)
    assert (attributes.size, attributes.policy, attributes.nice, attributes.runtime) == (48, 0, 7, 100_000)


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
    monkeypatch.setattr(getattr(scheduling, module), name, value, raising=False)

    def refuse(name):
        raise AssertionError("no system call was expected")

    monkeypatch.setattr(scheduling.ctypes, "CDLL", refuse)
    scheduling.ask_for_short_slices()
