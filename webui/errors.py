"""Errors of the webui package.

WebError
├── AddressError    the address or port to serve on cannot be used
├── CertificateError    what https needs cannot be kept
├── PairingError    the pairing of phones and seats cannot be saved
├── DamagedGameError    a past game's file cannot be read
├── UnfinishedGameError a game is not over, so it cannot be exported
├── SlowGameError   a past game is still being read
├── QueryOptionError    a query parameter of a page's URL is invalid
└── UploadError     uploaded photos are not read
    ├── BusyError           the queue is full
    └── BoardNotFoundError  no board is in them
"""

from railspotter.scoring.sentence import Sentence, StatedError


class WebError(StatedError):
    """Base of all errors of this package; its text is a sentence for the user."""


class AddressError(WebError, OSError):
    """The address or port to serve on is in use, or not this machine's."""


class CertificateError(WebError):
    """The certificates for https cannot be made or saved; the text says why."""


class PairingError(WebError):
    """The pairing of phones and seats cannot be saved; the text says why."""


class QueryOptionError(WebError):
    """A query parameter of a page's URL is invalid."""


class DamagedGameError(WebError):
    """A past game's file cannot be read."""


class UnfinishedGameError(WebError):
    """A game that is not over cannot be exported: its file may contain secret hands."""


class SlowGameError(WebError):
    """A past game is still being read: the client should retry."""


class UploadError(WebError):
    """Uploaded photos are not read."""


class BusyError(UploadError):
    """The queue of photos is full, or the program is ending."""


class BoardNotFoundError(UploadError):
    """No board was found in the photos; the text says why.

    `unfound` is the id of the kept photo, in which the user can set the corners; empty for none.
    """

    def __init__(self, reason: Sentence, unfound: str = "") -> None:
        super().__init__(reason)
        self.unfound = unfound
