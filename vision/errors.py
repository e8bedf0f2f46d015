"""What vision raises.

VisionError
├── PictureError    these bytes are not a usable picture
│   └── TornPictureError    ... though something can be made of them
└── ReaderError     there are no such trains, routes or stations to read

What a picture shows badly is not an error but a doubt: `reading.Doubt`.
"""

from railspotter.scoring.sentence import StatedError


class VisionError(StatedError):
    """Anything that vision refuses; its text is a sentence for the person who asked."""


class PictureError(VisionError):
    """Bytes are not a picture, are damaged, or make one that is too small or too large."""


class TornPictureError(PictureError):
    """A JPEG that came damaged; what its decoder makes of it is no picture of anything."""


class ReaderError(VisionError):
    """There are no such trains, routes or stations to read."""
