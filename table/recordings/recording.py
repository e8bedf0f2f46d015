"""A recorded game: pictures of what moved, with their times.

A folder with `recording.json` (which game it is), `profile.npz` (what the board was read with),
pictures `000001.jpg`, `000002.jpg` ... and `frames.jsonl`, a line of JSON for each picture, written
after it. A line that a pulled plug tore is as if it were not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
from railspotter.scoring.bounded_file import read_bounded
from railspotter.scoring.sentence import Sentence

from ..errors import TableError
from ..game_log.course_facts import GameStarted

HEAD, FRAMES, PROFILE = "recording.json", "frames.jsonl", "profile.npz"
FORMAT = 1
MOST_INDEX_BYTES = 256_000_000  # lines for a million pictures: more than a recording has room for


class RecordingError(TableError):
    """A folder is no recording, or cannot be used."""


class RecordingHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which game a recording is of."""

    game: str  # its id
    started: GameStarted
    format: int = FORMAT


class RecordedFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A picture of a recording."""

    file: str
    at_s: float  # when it was taken, in seconds that never go back, near those since 1970-01-01 UTC
    seq: int  # the newest event of the game's log by then
    begins: bool = False  # whether watching began with it: anew, where it is not the first


@dataclass(frozen=True)
class Recording:
    """A recorded game."""

    head: RecordingHead
    frames: tuple[RecordedFrame, ...]  # in the order in which they were taken

    @classmethod
    def load(cls, folder: Path) -> Recording:
        """Read a recording's head and index."""
        try:
            head = msgspec.json.decode(read_bounded(folder / HEAD), type=RecordingHead)
            frames = tuple(_lines(read_bounded(folder / FRAMES, MOST_INDEX_BYTES)))
        except FileNotFoundError as error:
            raise RecordingError(f"{folder} is no recording: it has no {error.filename}") from error
        except OSError as error:
            raise RecordingError(f"{folder} cannot be read: {error.strerror}") from error
        except msgspec.MsgspecError as error:
            raise RecordingError(
                "{path} is damaged: {error}",
                path=folder / HEAD,
                error=Sentence("it is not as the program wrote it"),
            ) from error
        if head.format > FORMAT:
            raise RecordingError(f"{folder} was written by a newer program: update this one")
        return cls(head, frames)


def _lines(content: bytes) -> Iterator[RecordedFrame]:
    """Yield the frames of an index; what follows the last whole line was torn."""
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        try:
            frame = msgspec.json.decode(line, type=RecordedFrame)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise RecordingError(
                "{path} is damaged: {error}",
                path=f"{FRAMES}, line {number}",
                error=Sentence("it is not as the program wrote it"),
            ) from error
        if Path(frame.file).name != frame.file:
            raise RecordingError(f"{FRAMES}, line {number}: {frame.file!r} is no file's name")
        yield frame
