"""What Hypothesis is told for all tests: a machine that is busy with other things is no fault of a test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("tengen", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tengen")
