"""Calibrating while somebody looks on: where the board is, what is wrong, what a person moves."""

from .desk import CalibrationDesk
from .findings import Finding, findings
from .live import desk_of
from .outlines import SpaceOutline, space_outlines
from .view import DeskView, ProfileFacts, State

__all__ = [
    "CalibrationDesk",
    "DeskView",
    "Finding",
    "ProfileFacts",
    "SpaceOutline",
    "State",
    "desk_of",
    "findings",
    "space_outlines",
]
