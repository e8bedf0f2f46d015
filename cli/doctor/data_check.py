"""Whether what is to be kept can be kept: the data directory, its disk, the profiles in it."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from railspotter.calibration.errors import ProfileError
from railspotter.calibration.profiles.profile import Profile
from railspotter.table.errors import HomeError
from railspotter.table.home import ProfileStore
from railspotter.table.whole_file import write_whole

from .check_up import CheckResult, State

# A profile takes 3 MB, a long game less; a disk that is so full soon fails for other reasons.
LEAST_FREE_MB = 500


def check_data(folder: Path, least_free_mb: float = LEAST_FREE_MB) -> CheckResult:
    """Tell whether profiles and games can be kept in a directory; nothing is left there."""
    there = next((path for path in (folder, *folder.parents) if path.exists()), Path.cwd())
    details = {"folder": str(folder), "exists": folder.exists()}
    try:
        if not folder.exists() and not (there.is_dir() and os.access(there, os.W_OK)):
            raise PermissionError(13, "Permission denied")
        if folder.exists():
            probe = folder / f"check-{secrets.token_hex(4)}"
            write_whole(probe, b"can this be written?")
            probe.unlink()
        free_mb = shutil.disk_usage(there).free / 1e6
    except OSError as error:
        return CheckResult(
            "data",
            State.ATTENTION,
            f"nothing can be saved in {folder}: {error.strerror or error}",
            ("make that directory writable, or name another one with RAILSPOTTER_HOME",),
            details,
        )
    details["free_mb"] = round(free_mb)
    if free_mb < least_free_mb:
        return CheckResult(
            "data",
            State.ATTENTION,
            f"the disk of {folder} is almost full: {free_mb:.0f} MB are free",
            ("make room, or name a directory on another disk with RAILSPOTTER_HOME",),
            details,
        )
    said = f"profiles and games are kept in {folder}; {free_mb / 1000:.1f} GB are free"
    return CheckResult("data", State.WELL, said, (), details)


def read_profiles(
    store: ProfileStore, names: Sequence[str] | None = None
) -> Iterator[Profile | CheckResult]:
    """Yield each profile, or why it cannot be read."""
    for name in store.names() if names is None else names:
        try:
            yield store.load(name)
        except (HomeError, ProfileError) as error:
            yield CheckResult("profile", State.ATTENTION, str(error), (), {"name": name})
