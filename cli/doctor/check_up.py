"""What a check-up finds, as values and in words, and what it finds in the data directory."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from railspotter.calibration.errors import ProfileError
from railspotter.calibration.profiles.profile import Profile
from railspotter.table.errors import HomeError
from railspotter.table.home import ProfileStore
from railspotter.table.whole_file import write_whole

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


class State(StrEnum):
    """How it stands with one thing."""

    WELL = "well"
    NOTE = "note"  # good to know, nothing is wrong
    ATTENTION = "attention"  # it will not work, or not well, until somebody does something


@dataclass(frozen=True)
class CheckResult:
    """One thing that was looked at."""

    about: str  # `program`, `data`, `profile`, `camera`, `light` or `network`
    state: State
    said: str  # what was found, in a sentence without full stop
    advice: tuple[str, ...] = ()  # what to do about it
    # The same as numbers and names, for programs.
    details: Mapping[str, Any] = field(default_factory=dict)


MARKS = {State.WELL: "ok", State.NOTE: "--", State.ATTENTION: "!!"}


def findings_text(findings: Sequence[CheckResult]) -> Iterator[str]:
    r"""Yield the lines of a check-up, in words.

    Examples
    --------
    >>> dark = CheckResult("light", State.ATTENTION, "it is dark", ("switch on a lamp",))
    >>> print(*findings_text([dark]), sep="\n")
    !! light    it is dark
                switch on a lamp
    1 thing needs attention
    """
    for finding in findings:
        yield f"{MARKS[finding.state]} {finding.about:8} {finding.said}"
        yield from (f"{'':12}{advice}" for advice in finding.advice)
    count = sum(finding.state is State.ATTENTION for finding in findings)
    if count == 0:
        yield "all is well"
    else:
        yield f"{count} thing{'s need' if count > 1 else ' needs'} attention"


def findings_json(findings: Sequence[CheckResult]) -> dict[str, Any]:
    """Return a check-up for `--json`."""
    return {
        "is_well": is_well(findings),
        "findings": [
            {
                "about": finding.about,
                "state": str(finding.state),
                "said": finding.said,
                "advice": list(finding.advice),
                "details": dict(finding.details),
            }
            for finding in findings
        ],
    }


def is_well(findings: Sequence[CheckResult]) -> bool:
    """Tell whether nothing needs attention."""
    return all(finding.state is not State.ATTENTION for finding in findings)
