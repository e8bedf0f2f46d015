"""The user's data directory, and the calibration profiles in it."""

import contextlib
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path

import platformdirs
from railspotter.calibration.errors import ProfileError
from railspotter.calibration.profiles import profile_file
from railspotter.calibration.profiles.profile import Profile, with_user_data_of
from railspotter.scoring.sentence import StatedError

from .errors import HomeError, NoProfileError
from .whole_file import KeptFolder

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
# Held while a profile is read, changed and saved: a game that learns and a person who corrects it
# must not overwrite each other's changes.
PROFILE_LOCK = threading.Lock()


def home() -> Path:
    """Return the user's data directory; `RAILSPOTTER_HOME` names another one."""
    named = os.environ.get("RAILSPOTTER_HOME")
    return Path(named) if named else platformdirs.user_data_path("railspotter", appauthor=False)


class ProfileStore(KeptFolder[Profile]):
    """The profiles in a data directory, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / "profiles",
            NAME.fullmatch,
            profile_file.from_bytes,
            profile_file.to_bytes,
            self._missing,
            suffix=".npz",
            most_bytes=profile_file.MOST_FILE_BYTES,
        )

    def check_name(self, name: str) -> None:
        """Raise `HomeError` for an invalid profile name."""
        if not self.is_name(name):
            raise HomeError(
                f"{name!r} cannot be a profile's name: use small letters, digits, '-' and '_'"
            )

    def path(self, name: str) -> Path:
        """Return the path of a profile's file, which need not exist; raises as `check_name`."""
        self.check_name(name)
        return super().path(name)

    def _missing(self, name: str) -> HomeError:
        known = ", ".join(self.names()) or "none yet"
        return HomeError(f"there is no profile {name!r}; there are: {known}")

    def damaged_error(self, path: Path, why: StatedError) -> StatedError:
        """Return the error for a damaged profile."""
        return ProfileError(
            "{path}: {error}; calibrate anew, or delete the file",
            path=path,
            error=why,
        )

    def save(self, profile: Profile) -> Path:
        """Save a profile, replacing one of the same name; raises `HomeError`."""
        return self.write(profile.name, profile)

    def change(self, name: str, change: Callable[[Profile], Profile]) -> Profile:
        """Load a profile, change it and save it under a lock, and return it.

        Nothing is saved if `change` raises or returns the same profile. Raises `HomeError` or
        `ProfileError` as `load` and `save`.
        """
        with PROFILE_LOCK:
            before = self.load(name)
            after = change(before)
            if after is not before:
                self.save(after)
            return after

    def save_keeping_edits(self, made: Profile) -> Profile:
        """Save a new profile with the user's edits of the one that it replaces."""
        with PROFILE_LOCK:
            # There may be no older one, or a damaged one.
            with contextlib.suppress(HomeError, ProfileError):
                made = with_user_data_of(made, self.load(made.name))
            self.save(made)
            return made

    def newest(self, board: str) -> Profile:
        """Return the newest profile of a board, skipping damaged ones.

        Raises `NoProfileError` when there is none, `HomeError` when there are only damaged ones.
        One so damaged that nobody knows its board may be this board's.
        """
        made_at: dict[str, str] = {}
        damaged: tuple[str, HomeError | ProfileError] | None = None
        for name in self.names():
            try:
                head = profile_file.parse_head(self.content(name))
            except (HomeError, ProfileError) as error:
                damaged = name, error
            else:
                if head.board == board:
                    made_at[name] = head.made_at
        for name in sorted(made_at, key=lambda name: (made_at[name], name), reverse=True):
            try:
                return profile_file.from_bytes(self.content(name))
            except (HomeError, ProfileError) as error:
                damaged = name, error
        if damaged is not None:
            name, why = damaged
            raise HomeError(
                "{path} cannot be read ({error}), and there is no other profile of the board"
                " {board!r}: calibrate anew, or delete that file",
                path=self.path(name),
                error=why,
                board=board,
            )
        raise NoProfileError(
            f"there is no profile of the board {board!r} yet: photograph your empty board and run"
            f" 'railspotter calibrate PHOTO --board {board}'"
        )
