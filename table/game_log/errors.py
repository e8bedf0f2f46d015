"""What the game log raises.

GameLogError
├── EventError          an event that does not fit the game, or is none
├── ImpossibleError     what is said is more than the game's pieces allow
├── BudgetError         its writer may write no more of that kind
├── LogFileError        a game's file cannot be used: damaged, the disk is full, ...
│   ├── DamagedFileError    ... as it is it can be read in part at most
│   ├── GameInUseError      another program writes to it
│   └── NewerFormatError    a newer program wrote it
├── NoGameError         there is no such game, or several
└── BundleError         a file that is no usable bundle of a game
"""

from ..errors import TableError


class GameLogError(TableError):
    """Anything that the game log refuses; its text is a sentence for the person who asked."""


class EventError(GameLogError):
    """An event names what its game has not, or cannot have happened."""


class ImpossibleError(GameLogError):
    """What somebody says lies there is more than one misreading away from what is possible."""


class BudgetError(GameLogError):
    """A seat has said as much of a kind as a game keeps, or the room left is kept for others."""


class LogFileError(GameLogError):
    """A game's file is damaged, missing or no such file, or the disk does not take more."""


class DamagedFileError(LogFileError):
    """The file is not as it was written."""


class GameInUseError(LogFileError):
    """Another program, or another part of this one, has the game open for writing."""


class NewerFormatError(LogFileError):
    """The file was written by a newer program."""


class NoGameError(GameLogError):
    """No game, or more than one, answers to what was asked for."""


class BundleError(GameLogError):
    """A file is no bundle of a game, or a damaged one; the text says where."""
