"""Errors of the table package.

TableError
├── AnswersError    a user's answers about a photo are invalid
├── PhotoError      a file that is not a usable picture
├── BoardNotRecognisedError   no known board is in a photo
├── HomeError       the user's data directory, or a profile in it, cannot be used
│   ├── NoProfileError    there is no profile of a board yet
│   ├── NotKeptError      there is no board of the user's, draft or Card Game of an id
│   │   └── DeletedGameError    ... any more, but it can be brought back
│   └── BoardKeptError    there is a board of an id already
├── ChangedError    an edit was made on an outdated version
├── CardGameError   an operation on a Card Game is not possible
│   ├── SeatError           a seat of a game that is dealt is taken, or not the caller's
│   └── GuestsFullError     a guest, or all of them together, have too many games
├── CalibratingError    a calibration step is not possible
│   └── NotNowError         ... yet, or any more
├── TakingBackError     this person may not take a claim back
│   └── UnaskedError        ... before its player has agreed
├── SetUpError          a choice in the game's set-up is invalid or missing
│   └── NotReadyError       ... yet, or has begun already
└── DraftError          an operation on a board's draft is not possible
"""

from railspotter.scoring.json_text import CANNOT_READ as CANNOT_READ
from railspotter.scoring.sentence import Sentence, StatedError
from railspotter.scoring.spot import Spot

CANNOT_WRITE = Sentence("cannot write {path}: {error}")
CANNOT_DELETE = Sentence("cannot delete {path}: {error}")


class TableError(StatedError):
    """Base of all errors of this package; its text is a sentence for the user."""


class AnswersError(TableError):
    """A user's answers about a photo are malformed, or name an unknown route or colour."""


class PhotoError(TableError):
    """A file is not a picture, is damaged, or is too small or too large."""


class BoardNotRecognisedError(TableError):
    """None of the photos shows a board that the program knows."""


class HomeError(TableError):
    """The user's data directory cannot be used, or holds no profile that fits."""


class NoProfileError(HomeError):
    """Nobody has calibrated the board yet."""


class NotKeptError(HomeError):
    """The user has no board, no draft of one, or no Card Game of that id."""


class DeletedGameError(NotKeptError):
    """A Card Game was deleted, and can be brought back until then (seconds since 1970, UTC)."""

    def __init__(self, until_s: float) -> None:
        super().__init__(Sentence("this game was deleted: it can be brought back for a week"))
        self.until_s = until_s


class BoardKeptError(HomeError):
    """There is a board of that id already."""


class ChangedError(TableError):
    """An edit was made on an outdated version: somebody else changed it meanwhile."""


class DraftError(TableError):
    """An operation on a board's draft is not possible; the text says why."""


class CardGameError(TableError):
    """An operation on a Card Game is not possible; the text says why."""


class SeatError(CardGameError):
    """A seat of a dealt game is taken, or not the caller's."""


class GuestsFullError(CardGameError):
    """There is room for no more games of guests, or of this one."""


class CalibratingError(TableError):
    """A calibration step is not possible; the text says why."""


class NotNowError(CalibratingError):
    """A calibration step is not possible yet, or not any more."""


class SetUpError(TableError):
    """A choice in the game's set-up is invalid or missing; the text says which."""


class NotReadyError(SetUpError):
    """The game cannot begin yet, or has begun already; the text says what is missing."""


class TakingBackError(TableError):
    """With cards on phones, this person may not take a claim back; the text says who may."""


class UnaskedError(TakingBackError):
    """The host may not take back a claim before the player who paid for `spot` has agreed."""

    def __init__(self, spot: Spot, name: str) -> None:
        super().__init__(
            Sentence(
                "{name} has to agree: this can be taken back on {name}'s own phone now", name=name
            )
        )
        self.spot = spot
