"""What board making raises.

CalibrationError
└── BoardMakingError            anything that making a board file refuses
    ├── PictureTooCoarseError   a picture in which no outline of a space can be seen
    ├── PlacesError             a table of places that is wrong
    └── EditError               an edit of something that is not in the proposal
"""

from __future__ import annotations

from ..errors import CalibrationError


class BoardMakingError(CalibrationError):
    """Making a board file is refused; its text is a sentence for the person who asked."""


class PictureTooCoarseError(BoardMakingError):
    """The board has too few pixels in the picture."""


class PlacesError(BoardMakingError):
    """A table of places is wrong."""


class EditError(BoardMakingError):
    """An edit names what is not there, or would make a board that cannot be."""
