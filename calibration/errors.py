"""What calibration raises.

CalibrationError
├── ProfileError        a profile that is missing, damaged or of another version
└── OutlineError        the corners of a reference photo are unusable or could not be found

A board that cannot be found in a photo is not an error but a value: `finding.NotFound`.
"""


class CalibrationError(Exception):
    """Anything that calibration refuses; its text is a sentence for the person who asked."""


class ProfileError(CalibrationError):
    """A profile is missing, damaged or of another version."""


class OutlineError(CalibrationError):
    """The board's corners in a reference photo are unusable or could not be found."""
