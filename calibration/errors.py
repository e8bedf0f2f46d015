"""What calibration raises.

CalibrationError
├── ProfileError        a profile that is missing, damaged or of another version
├── OutlineError        the corners of a reference photo are unusable or could not be found
├── CopySizeError       no copy of the board has such a size
├── NudgeError          a space cannot be nudged so
└── BoardMakingError    a picture, a table of places or an edit that no board can be made of

A board that cannot be found in a photo is not an error but a value: `finding.NotFound`.
"""

from railspotter.scoring.sentence import StatedError


class CalibrationError(StatedError):
    """Base of calibration's errors; the text is a sentence for users."""


class ProfileError(CalibrationError):
    """A profile is missing, damaged or of another version."""


class OutlineError(CalibrationError):
    """The board's corners in a reference photo are unusable or could not be found."""


class CopySizeError(CalibrationError):
    """No copy of the board has such a size."""


class NudgeError(CalibrationError):
    """A space cannot be nudged so: the board has none of that name, or it would be too far."""


class BoardMakingError(CalibrationError):
    """No board can be made so: of this picture, of this table, or with this route."""
