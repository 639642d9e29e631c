"""For all tests: a busy machine is no fault of theirs, SIGINT arrives, and nobody has settings."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile("tengen", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tengen")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # jobs of a shell script; what they start inherits that
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["TENGEN_CONFIG"] = os.devnull  # whoever runs the tests may have settings
