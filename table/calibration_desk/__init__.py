"""Calibrating while somebody looks on: where the board is, what is wrong, what a person moves."""

from .desk import CalibrationDesk
from .live import desk_of
from .outlines import Finding, SpaceOutline, findings, space_outlines
from .own_profile import occupied_text, profile_of_picture
from .profile_text import picture_json, picture_text, profile_json, quality_text
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
    "picture_json",
    "picture_text",
    "profile_json",
    "profile_of_picture",
    "quality_text",
    "space_outlines",
    "with_lens",
]
