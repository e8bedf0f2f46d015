"""Photos that are scored: one or several, with answers to what was asked, as values and as text."""

from .answers import Answers, load_answers, with_answers
from .game_file import GameFile
from .photo_score import PhotoScorer, readable_board
from .remarks import remarks
from .scored_photo import Doubt, PhotoPart, ScoredPhoto, photo_standing
from .scored_photo_text import route_name, spot_called, spot_name, to_text
from .sitting import Sitting, score_together

__all__ = [
    "Answers",
    "Doubt",
    "GameFile",
    "PhotoPart",
    "PhotoScorer",
    "ScoredPhoto",
    "Sitting",
    "load_answers",
    "photo_standing",
    "readable_board",
    "remarks",
    "route_name",
    "score_together",
    "spot_called",
    "spot_name",
    "to_text",
    "with_answers",
]
