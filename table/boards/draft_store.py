"""Board drafts in the data directory, with their undo history; saved after every change."""

import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from railspotter.calibration.board_making.draft import Draft
from railspotter.scoring.json_text import MALFORMED
from railspotter.scoring.sentence import Sentence, plain_of, raised_as, sentence_of

from ..errors import CANNOT_DELETE, ChangedError, HomeError, NotKeptError
from ..whole_file import KeptFolder, read_kept, write_kept
from .own_boards import is_id
from .picture import Corners

MOST_DRAFTS = 50
PHOTO, ABOVE = "photo.jpg", "above.jpg"
NOT_AS_WRITTEN = Sentence("it is not as the program wrote it")
NO_PICTURE = Sentence("there is no picture of the board yet")
MOST_VERSIONS = 30  # of the undo history, which survives a restart


@dataclass(frozen=True)
class KeptDraft:
    """A saved draft with its undo history."""

    versions: tuple[Draft, ...]  # the oldest first
    at: int = 0  # the index of the current version
    number: int = (
        0  # the revision: grows with every change, and edits name the one they were made on
    )
    photo_px: tuple[int, int] = (0, 0)  # width and height of its photo; zeros without one
    # The board's corners in the photo, clockwise from the top left, once somebody has set them.
    corners_px: Corners = ()

    @property
    def now(self) -> Draft:
        """The current version."""
        return self.versions[self.at]

    def with_edit(self, draft: Draft) -> "KeptDraft":
        """Return it with a new current version; undone and the oldest versions are dropped."""
        versions = (*self.versions[: self.at + 1], draft)[-MOST_VERSIONS:]
        return replace(self, versions=versions, at=len(versions) - 1)

    def at_version(self, at: int) -> "KeptDraft":
        """Return it with another current version, the nearest that there is."""
        return replace(self, at=min(max(at, 0), len(self.versions) - 1))


def _encoded(value: object) -> object:
    """Encode a `Sentence` (an `enc_hook`)."""
    if not isinstance(value, Sentence):
        raise NotImplementedError(f"{type(value)} is not kept in a draft")
    return plain_of(value)


def _decode_draft(content: bytes) -> KeptDraft:
    with raised_as(HomeError, MALFORMED, NOT_AS_WRITTEN):
        return msgspec.json.decode(
            content, type=KeptDraft, dec_hook=lambda _, plain: sentence_of(plain)
        )


def _missing(draft: str) -> NotKeptError:
    return NotKeptError("no board {name!r} is being made", name=draft)


class DraftStore(KeptFolder[KeptDraft]):
    """The drafts in a data directory. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / "boards" / "drafts",
            is_id,
            _decode_draft,
            partial(msgspec.json.encode, enc_hook=_encoded),
            _missing,
            suffix="/draft.json",  # a folder for each draft: its pictures are beside it
            most_bytes=None,  # the undo history makes it large
        )
        self._lock = threading.RLock()

    def add(self, draft: Draft) -> KeptDraft:
        """Save a new draft; raises `HomeError`."""
        with self._lock:
            if len(self.names()) >= MOST_DRAFTS:
                raise HomeError("{n} boards are being made already: delete old ones", n=MOST_DRAFTS)
            kept = KeptDraft((draft,))
            self.write(draft.id, kept)
            return kept

    def change(
        self, draft: str, change: Callable[[KeptDraft], KeptDraft], seen: int | None = None
    ) -> KeptDraft:
        """Apply a change to a draft and save it; raises `ChangedError` if it is outdated."""
        with self._lock:
            before = self.load(draft)
            if seen is not None and seen != before.number:
                raise ChangedError("the board was changed meanwhile, on another page")
            after = replace(change(before), number=before.number + 1)
            self.write(draft, after)
            return after

    def put_picture(self, draft: str, name: str, jpeg: bytes, **fields: Any) -> KeptDraft:
        """Save a picture of a draft, and set the draft's fields that describe it."""
        with self._lock:
            self.load(draft)
            write_kept(self._beside(draft, name), jpeg)
            return self.change(draft, lambda kept: replace(kept, **fields))

    def photo(self, draft: str) -> bytes:
        """Return a draft's photo as JPEG; raises `NotKeptError` where there is none."""
        return self._file(draft, PHOTO)

    def above(self, draft: str) -> bytes:
        """Return the board from above as JPEG; raises `NotKeptError` where there is none."""
        if not self.load(draft).corners_px:
            raise NotKeptError("nobody has said yet where the board is in the picture")
        return self._file(draft, ABOVE)

    def delete(self, name: str) -> None:
        """Delete a draft with its pictures; raises `NotKeptError` or `HomeError`."""
        with self._lock:
            folder = self.path(name).parent
            if not folder.is_dir():
                raise self.missing(name)
            with raised_as(HomeError, OSError, CANNOT_DELETE, path=folder):
                shutil.rmtree(folder)

    def _file(self, draft: str, name: str) -> bytes:
        with raised_as(NotKeptError, FileNotFoundError, NO_PICTURE):
            return read_kept(self._beside(draft, name), None)

    def _beside(self, draft: str, name: str) -> Path:
        return self.path(draft).with_name(name)
