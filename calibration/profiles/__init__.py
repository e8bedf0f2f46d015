"""What is known of one copy of a board, from its pictures to the file it is kept in."""

from .copy_size import board_of_copy, is_of_board, scale_of_width, size_of_copy
from .drawn_reference import PrintedColours, draw_reference, measure_colours
from .features import Features, find_features, match, match_near
from .nudges import nudged, without_nudge, without_nudges
from .partial_reference import without_trains
from .picture_quality import Grid, PictureQuality, measure_picture
from .profile import (
    CameraMode,
    LearnedColour,
    Offset,
    Profile,
    SpaceKey,
    Srgb,
    route_of_key,
    space_key,
    space_keys,
    with_learned_of,
    with_words_of,
)
from .profile_file import MOST_FILE_BYTES, from_bytes, parse_head, to_bytes
from .quality import Quality
from .reference import check_corners, make_profile
from .verdict import Grade, Remark, Verdict, VerdictSettings, judge_picture

__all__ = [
    "MOST_FILE_BYTES",
    "CameraMode",
    "Features",
    "Grade",
    "Grid",
    "LearnedColour",
    "Offset",
    "PictureQuality",
    "PrintedColours",
    "Profile",
    "Quality",
    "Remark",
    "SpaceKey",
    "Srgb",
    "Verdict",
    "VerdictSettings",
    "board_of_copy",
    "check_corners",
    "draw_reference",
    "find_features",
    "from_bytes",
    "is_of_board",
    "judge_picture",
    "make_profile",
    "match",
    "match_near",
    "measure_colours",
    "measure_picture",
    "nudged",
    "parse_head",
    "route_of_key",
    "scale_of_width",
    "size_of_copy",
    "space_key",
    "space_keys",
    "to_bytes",
    "with_learned_of",
    "with_words_of",
    "without_nudge",
    "without_nudges",
    "without_trains",
]
