"""Calibrating while somebody looks on: where the board is, what is wrong, what a person moves."""

from .desk import CalibrationDesk
from .findings import Finding, findings
from .live import desk_of
from .occupied_reference import occupied_text
from .outlines import SpaceOutline, space_outlines
from .own_profile import profile_of_picture
from .reference_finding import find_in_arguments, measured_lens, older_profile, with_lens
from .view import DeskView, ProfileFacts, State

__all__ = [
    "CalibrationDesk",
    "DeskView",
    "Finding",
    "ProfileFacts",
    "SpaceOutline",
    "State",
    "desk_of",
    "find_in_arguments",
    "findings",
    "measured_lens",
    "occupied_text",
    "older_profile",
    "profile_of_picture",
    "space_outlines",
    "with_lens",
]
