"""What a source of frames raises.

SourceError                it gives no frames; the text says why
├── SourceLostError        just now: worth trying again by itself
└── SourceUnusableError    not as things are: somebody has to do something
    └── HostNotAllowedError    a phone named what the terminal has to allow

A source that came to its end (a video was played) raises nothing: its shots end.
"""

from ..errors import VisionError


class SourceError(VisionError):
    """A source gives no frames; the text is a sentence for the person who chose it."""


class SourceLostError(SourceError):
    """A source does not answer now: unplugged, out of reach, stalled. It may come back."""


class SourceUnusableError(SourceError):
    """A source cannot give frames until somebody does what the text says."""


class HostNotAllowedError(SourceUnusableError):
    """A phone named a host at home, for which the terminal does not vouch."""
