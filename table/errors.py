"""What table raises.

TableError
├── AnswersError    what someone says stands on a route cannot stand there
├── PhotoError      a file that is not a usable picture
├── BoardNotRecognisedError   no known board is in a photo
├── HomeError       the user's data directory, or a profile in it, cannot be used
│   ├── NoProfileError    there is no profile of a board yet
│   ├── NoBoardError      there is no board of the user's, or draft, of an id
│   └── BoardKeptError    there is a board of an id already
├── ChangedBoardError   a draft is another one by now
├── CalibratingError    what is wanted of the board's calibration cannot be
│   └── NotNowError         ... yet, or any more
├── TakingBackError     somebody may not take something back
│   └── UnaskedError        ... before its player has agreed
├── SetUpError          a game cannot be set up so
│   └── NotReadyError       ... yet, or has begun already
└── DraftError          what is wanted of a draft cannot be done
"""

from railspotter.scoring.sentence import Sentence, StatedError
from railspotter.scoring.spot import Spot


class TableError(StatedError):
    """Anything that table refuses; its text is a sentence for the person who asked."""


class AnswersError(TableError):
    """Answers name a route or a colour that is not there, or are none."""


class PhotoError(TableError):
    """A file is not a picture, is damaged, or is too small or too large."""


class BoardNotRecognisedError(TableError):
    """None of the photos shows a board that the program knows."""


class HomeError(TableError):
    """The user's data directory cannot be used, or holds no profile that fits."""


class NoProfileError(HomeError):
    """Nobody has calibrated the board yet."""


class NoBoardError(HomeError):
    """The user has no board, or no draft of one, of that id."""


class BoardKeptError(HomeError):
    """There is a board of that id already."""


class ChangedBoardError(TableError):
    """A draft was changed since it was seen."""


class DraftError(TableError):
    """What is wanted of a board's draft cannot be done; the text says why."""


class CalibratingError(TableError):
    """What a person wants of the board's calibration cannot be; the text says why."""


class NotNowError(CalibratingError):
    """It cannot be done yet, or not any more."""


class SetUpError(TableError):
    """What somebody chose cannot be, or something is missing; the text says what."""


class NotReadyError(SetUpError):
    """The game cannot begin yet, or has begun already; the text says what is missing."""


class TakingBackError(TableError):
    """With cards on phones somebody may not take something back; the text says who may."""


class UnaskedError(TakingBackError):
    """A claim is the host's to take back, and there is no word of who paid for `spot` yet."""

    def __init__(self, spot: Spot, name: str) -> None:
        super().__init__(
            Sentence(
                "{name} has to agree: this can be taken back on {name}'s own phone now", name=name
            )
        )
        self.spot = spot
