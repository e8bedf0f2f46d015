"""Drafts of boards in the data directory: written whole after every change."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from railspotter.calibration.board_making.edits import EditHistory
from railspotter.scoring.sentence import Sentence

from ..errors import ChangedBoardError, HomeError, NoBoardError
from ..whole_file import KeptFolder, read_kept, write_kept
from .draft import BoardDraft
from .own_boards import is_id
from .picture import BoardPhoto, Corners

MOST_DRAFTS = 50
PLACE = re.compile(r"\{(\w+)(!r)?\}")
MOST_VERSIONS = 30  # that can be taken back, after a restart too


@dataclass(frozen=True)
class KeptDraft:
    """A draft as it is on the disk."""

    history: EditHistory[BoardDraft]
    number: int = 0  # grows with every change: what somebody saw goes by it
    photo_px: tuple[int, int] = (0, 0)  # width and height of its photo; zeros without one
    # The board's corners in the photo, clockwise from the top left, once somebody has set them.
    corners_px: Corners = ()

    @property
    def now(self) -> BoardDraft:
        """The draft as it is."""
        return self.history.now

    def then(self, draft: BoardDraft) -> KeptDraft:
        """Return it after an edit; the oldest ones are forgotten."""
        grown = self.history.then(draft)
        kept = grown.versions[-MOST_VERSIONS:]
        return replace(self, history=EditHistory(kept, len(kept) - 1))


def _template_and_values(sentence: Any) -> Any:
    """Return a sentence as JSON has it: one without values is a text, as all were once."""
    if not isinstance(sentence, Sentence):
        raise NotImplementedError(f"{type(sentence)} is not kept in a draft")
    return [sentence.template, dict(sentence.values)] if sentence.values else sentence.template


def _sentence(kind: type, kept: Any) -> Any:
    """Return the sentence that JSON has."""
    if kind is Sentence and isinstance(kept, str):
        return Sentence(kept)
    template, values = msgspec.convert(kept, tuple[str, dict[str, Any]])
    if not {name for name, _ in PLACE.findall(template)} <= values.keys():
        raise ValueError("a sentence lacks what stands in it")
    if re.search("[{}]", PLACE.sub("", template)):
        raise ValueError("a sentence's places are its values, and nothing of them")
    return Sentence(template, **{name: _value(value) for name, value in values.items()})


def _value(kept: Any) -> Any:
    return _sentence(Sentence, kept) if isinstance(kept, list) else kept


def _draft_in(content: bytes) -> KeptDraft:
    try:
        return msgspec.json.decode(content, type=KeptDraft, dec_hook=_sentence)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HomeError("it is not as the program wrote it") from error


def _missing(draft: str) -> NoBoardError:
    return NoBoardError("no board {name!r} is being made", name=draft)


class DraftStore(KeptFolder[KeptDraft]):
    """The drafts in a data directory. Several threads may use it at once."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / "boards" / "drafts",
            is_id,
            _draft_in,
            partial(msgspec.json.encode, enc_hook=_template_and_values),
            _missing,
            suffix="/draft.json",  # each has a folder, for its pictures stand beside it
            most_bytes=None,  # every version that can be taken back is in it
        )
        self._lock = threading.RLock()

    def add(self, draft: BoardDraft) -> KeptDraft:
        """Keep a new draft; raises `HomeError`."""
        with self._lock:
            if len(self.names()) >= MOST_DRAFTS:
                raise HomeError("{n} boards are being made already: delete old ones", n=MOST_DRAFTS)
            kept = KeptDraft(EditHistory((draft,)))
            self.write(draft.id, kept)
            return kept

    def change(
        self, draft: str, change: Callable[[KeptDraft], KeptDraft], seen: int | None = None
    ) -> KeptDraft:
        """Change a draft; return what is on the disk then."""
        with self._lock:
            before = self.load(draft)
            if seen is not None and seen != before.number:
                raise ChangedBoardError("the board was changed meanwhile, on another page")
            after = replace(change(before), number=before.number + 1)
            self.write(draft, after)
            return after

    def put_photo(self, draft: str, photo: BoardPhoto) -> KeptDraft:
        """Keep a draft's photo; whatever corners were set in another one are forgotten."""
        with self._lock:
            self.load(draft)
            write_kept(self._beside(draft, "photo.jpg"), photo.jpeg)
            return self.change(
                draft, lambda kept: replace(kept, photo_px=photo.size_px, corners_px=())
            )

    def put_corners(self, draft: str, corners: Corners, rectified: bytes) -> KeptDraft:
        """Keep where the board is in the photo, and the board from above as JPEG."""
        with self._lock:
            write_kept(self._beside(draft, "above.jpg"), rectified)
            return self.change(draft, lambda kept: replace(kept, corners_px=corners))

    def photo(self, draft: str) -> bytes:
        """Return a draft's photo as JPEG; raises `NoBoardError` where there is none."""
        return self._file(draft, "photo.jpg")

    def above(self, draft: str) -> bytes:
        """Return the board from above as JPEG; raises `NoBoardError` where there is none."""
        if not self.load(draft).corners_px:
            raise NoBoardError("nobody has said yet where the board is in the picture")
        return self._file(draft, "above.jpg")

    def delete(self, name: str, called: str = "") -> None:
        """Delete a draft with its pictures; raises `NoBoardError` or `HomeError`."""
        with self._lock:
            folder = self.path(name).parent
            if not folder.is_dir():
                raise self.missing(name)
            try:
                shutil.rmtree(folder)
            except OSError as error:
                raise HomeError(
                    "cannot delete {path}: {error}", path=called or folder, error=error.strerror
                ) from error

    def _file(self, draft: str, name: str) -> bytes:
        try:
            return read_kept(self._beside(draft, name), most_bytes=None)
        except FileNotFoundError as error:
            raise NoBoardError("there is no picture of the board yet") from error

    def _beside(self, draft: str, name: str) -> Path:
        return self.path(draft).with_name(name)
