"""From a look to an answer for every route and station, with its odds and its doubts."""

from .annotate import annotate, annotate_print, good_spaces, mark_spaces
from .cue_reader import WeighedBoard, read_by_cues, weigh
from .doubts import reading_of
from .odds import DoubtSettings
from .photo_notes import BY_DRAWING
from .score_markers import MarkerSettings, read_markers
from .several_photos import JointReading, read_together
from .sites import spot_of, with_site_routes
from .train_lessons import Lesson, lessons, plain_for

__all__ = [
    "BY_DRAWING",
    "DoubtSettings",
    "JointReading",
    "Lesson",
    "MarkerSettings",
    "WeighedBoard",
    "annotate",
    "annotate_print",
    "good_spaces",
    "lessons",
    "mark_spaces",
    "plain_for",
    "read_by_cues",
    "read_markers",
    "read_together",
    "reading_of",
    "spot_of",
    "weigh",
    "with_site_routes",
]
