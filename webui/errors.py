"""What webui raises.

WebError
├── AddressError    the address or port to serve on cannot be used
├── CertificateError    what https needs cannot be kept
├── PairingError    who sits where cannot be written down
├── HistoryError    a past game that cannot be shown or taken in
│   ├── DamagedGameError    its file cannot be read
│   ├── GameKeptError       it is here already
│   └── SlowGameError       it is still being summed up
├── QueryOptionError    what stands behind a page's ? is none of its options
└── UploadError     photos that are not read
    ├── NoPhotoError        there is none
    ├── ManyPhotosError     they are too many
    ├── BusyError           others wait already
    └── BoardNotFoundError  no board is in them
"""

from railspotter.scoring.sentence import Sentence, StatedError


class WebError(StatedError):
    """Anything that webui refuses; its text is a sentence for the person who asked."""


class AddressError(WebError, OSError):
    """The address or port to serve on cannot be used: it is taken, or not this machine's."""


class CertificateError(WebError):
    """The certificates for https cannot be made or kept; the text says why."""


class PairingError(WebError):
    """Which phone has which seat cannot be written down; the text says why."""


class QueryOptionError(WebError):
    """What stands behind the question mark of a page's address is none of its options."""


class HistoryError(WebError):
    """A past game cannot be shown or taken in."""


class DamagedGameError(HistoryError):
    """A past game's file cannot be read."""


class GameKeptError(HistoryError):
    """A game that is to be taken in is here already."""


class UnfinishedGameError(HistoryError):
    """A game that is not over may have hands in it that nobody may see yet."""


class SlowGameError(HistoryError):
    """A past game is still being read; whoever asks again may find it done."""


class UploadError(WebError):
    """Photos that were sent are not read."""


class NoPhotoError(UploadError):
    """No photo is among what was sent."""


class ManyPhotosError(UploadError):
    """More photos were sent together than are read together."""


class BusyError(UploadError):
    """Too many photos wait to be read, or the program ends."""


class BoardNotFoundError(UploadError):
    """No board was found in the photos; the text says why.

    `unfound` is the id of the photo in which a person can say where it lies, empty where not.
    """

    def __init__(self, reason: Sentence, unfound: str = "") -> None:
        super().__init__(reason)
        self.unfound = unfound
