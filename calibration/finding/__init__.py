"""Where a board is in a picture: by its print, by markers, by corners, from frame to frame."""

from .alignment import Alignment, AlignmentSettings
from .colour_sight import NO_COLOURS, is_colourless, why_colourless
from .finder import (
    MIRRORED,
    NOWHERE,
    AnotherBoard,
    FindingSettings,
    find_aligned,
    find_board,
    reason_of_any,
)
from .fingerprint import load_fingerprint, stand_in_of, stand_in_profile
from .following import Follower, FollowState
from .markers import CORNERS, GAP_MM, MARKER_MM, marker_fields
from .proof import TOO_DARK, TooSmall, trouble_of
from .quality_check import confirmed_by, with_quality
from .ways import NO_PHOTO, FailedWay, FoundNoWay, FoundPose, Way, find_any_way

__all__ = [
    "CORNERS",
    "GAP_MM",
    "MARKER_MM",
    "MIRRORED",
    "NOWHERE",
    "NO_COLOURS",
    "NO_PHOTO",
    "TOO_DARK",
    "Alignment",
    "AlignmentSettings",
    "AnotherBoard",
    "FailedWay",
    "FindingSettings",
    "FollowState",
    "Follower",
    "FoundNoWay",
    "FoundPose",
    "TooSmall",
    "Way",
    "confirmed_by",
    "find_aligned",
    "find_any_way",
    "find_board",
    "is_colourless",
    "load_fingerprint",
    "marker_fields",
    "reason_of_any",
    "stand_in_of",
    "stand_in_profile",
    "trouble_of",
    "why_colourless",
    "with_quality",
]
