"""What table raises.

TableError
├── PhotoError      a file that is not a usable picture
└── HomeError       the user's data directory, or a profile in it, cannot be used
"""


class TableError(Exception):
    """Anything that table refuses; its text is a sentence for the person who asked."""


class PhotoError(TableError):
    """A file is not a picture, is damaged, or is too small or too large."""


class HomeError(TableError):
    """The user's data directory cannot be used, or holds no profile that fits."""
