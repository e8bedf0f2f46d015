"""What vision raises.

VisionError
└── ReaderError     there is no such reader, or it cannot read these colours

What a picture shows badly is not an error but a doubt: `reading.Doubt`.
"""


class VisionError(Exception):
    """Anything that vision refuses; its text is a sentence for the person who asked."""


class ReaderError(VisionError):
    """There is no such reader, or it cannot read these colours."""
