"""The colours of plastic: those of each box, those of one photo, those learned at a table."""

from .learned_colours import (
    Learned,
    in_photo,
    is_of_their_own,
    is_own,
    light_called,
    swatch_of,
    table_trains,
    teaches,
    trains_named,
    with_own,
    with_seen,
    without_seen,
)
from .photo_colours import PhotoColours, photo_colours, seen_plastic
from .train_colours import TrainColour, leashed, plastic

__all__ = [
    "Learned",
    "PhotoColours",
    "TrainColour",
    "in_photo",
    "is_of_their_own",
    "is_own",
    "leashed",
    "light_called",
    "photo_colours",
    "plastic",
    "seen_plastic",
    "swatch_of",
    "table_trains",
    "teaches",
    "trains_named",
    "with_own",
    "with_seen",
    "without_seen",
]
