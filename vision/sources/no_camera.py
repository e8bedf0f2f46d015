"""No camera: a source for those who play without one."""

from __future__ import annotations

from dataclasses import dataclass

from railspotter.scoring.sentence import Sentence

from .source import Shots, Source, Watch

REST_S = 1.0
"""Seconds after which it looks again whether anybody still wants it."""


@dataclass(frozen=True)
class NoCamera(Source):
    """Gives no picture, and never ends: what lies on the board is said by people alone."""

    @property
    def name(self) -> str:
        """What people call it."""
        return Sentence("no camera")

    def shots(self, watch: Watch) -> Shots:
        """Give nothing, for as long as anybody wants it."""
        watch.wait_for(Sentence("taps on the map: there is no camera"))
        while not watch.is_over:
            watch.rest(REST_S)
        yield from ()
