"""What vision raises.

VisionError
├── PictureError    these bytes are not a usable picture
│   └── TornPictureError    ... because parts are missing or damaged
├── ReaderError     there is no such colour of trains, route or station
└── WordsMissingError   this installation lacks the nets that read words

What a picture shows badly is not an error but a doubt: `readings.Doubt`.
"""

from railspotter.scoring.sentence import StatedError


class VisionError(StatedError):
    """Base of vision's errors; the text is a sentence for users."""


class PictureError(VisionError):
    """Bytes that are no picture, a damaged one, or one too small or too large."""


class TornPictureError(PictureError):
    """A picture with lost or damaged parts; what a decoder makes of them is not what was there."""


class ReaderError(VisionError):
    """An unknown colour of trains, route or station."""


class WordsMissingError(VisionError):
    """An installation whose build could not fetch the nets that read words."""

    def __init__(self) -> None:
        super().__init__(
            "the part that reads words is missing here; install railspotter again while online"
        )
