"""Judges this computer's clock by what is known without the internet.

A Raspberry Pi without a battery begins in 1970, and an old laptop's clock may be years off. Nothing
that people rely on is thrown away because of a time that such a clock says.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from railspotter.scoring.sentence import NOTHING, Sentence

from .game_log.game_store import SUFFIX, GameStore

# No right clock says less: this was written then. Files say more, but may be copied with any date.
WRITTEN = datetime(2026, 11, 1, tzinfo=UTC)
TOLERANCE = timedelta(days=1)  # clocks that keep local time, or were set a little back


def clock_fault(folder: Path, now: datetime | None = None) -> Sentence:
    """Return why this computer's clock must be wrong; empty if it may be right.

    It cannot be before the program was installed or the newest game in the data directory was
    written; and whatever is years after both may be right.
    """
    now = now or datetime.now(UTC)
    known, what = max(_known(folder))
    if now >= known - TOLERANCE:
        return NOTHING
    return Sentence(
        "this computer's clock says {now}, but {what} {then}: set the clock",
        now=f"{now:%Y-%m-%d %H:%M}",
        what=what,
        then=f"{known:%Y-%m-%d}",
    )


def _known(folder: Path) -> Iterator[tuple[datetime, Sentence]]:
    """Yield moments that are over, each with what tells so."""
    yield WRITTEN, Sentence("this program was written after")
    files = [(Path(__file__), Sentence("this program was installed on"))]
    logs = GameStore(folder).folder.glob(f"*{SUFFIX}")
    files += ((path, Sentence("a game here is from")) for path in logs)
    for path, what in files:
        with suppress(OSError, OverflowError, ValueError):
            yield datetime.fromtimestamp(path.stat().st_mtime, UTC), what
