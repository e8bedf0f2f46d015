"""Which display was chosen, kept in the user's data directory for the next game."""

from __future__ import annotations

from pathlib import Path

import msgspec
from railspotter.table.display_desk import DisplayChoice
from railspotter.table.errors import HomeError
from railspotter.table.whole_file import write_whole

FILE = "display.json"


class KeptDisplay:
    """The file that remembers the display.

    Parameters
    ----------
    folder : Path
        The data directory; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def load(self) -> DisplayChoice:
        """Return what was chosen; without a file, no display.

        Raises
        ------
        HomeError
            When it cannot be read; the message says what to do.
        """
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=DisplayChoice)
        except FileNotFoundError:
            return DisplayChoice()
        except OSError as error:
            raise HomeError(f"cannot read {self._path}: {error.strerror}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise HomeError(f"{self._path} is damaged: delete the file ({error})") from error

    def save(self, choice: DisplayChoice) -> None:
        """Remember a choice.

        Raises
        ------
        HomeError
            When it cannot be written; an older choice is then still there.
        """
        content = msgspec.json.format(msgspec.json.encode(choice))
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, content)
        except OSError as error:
            raise HomeError(f"cannot write {self._path}: {error.strerror}") from error
