"""A page that lets one address ask as often as it likes: tests are quicker than people."""

from __future__ import annotations

from railspotter.webui.access.limits import Limits, Rate, Settings


def no_limits() -> Limits:
    """Limits that nothing reaches."""
    rates = dict.fromkeys(Settings().rates, Rate(1e9, 10**9))
    return Limits(Settings(rates=rates))
