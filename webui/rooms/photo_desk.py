"""Where photos are read: one at a time, a few waiting, results kept under ids nobody can guess."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from railspotter.table.photos import ScoredPhoto
from werkzeug.datastructures import FileStorage

from ..errors import BoardNotFoundError, BusyError, NoPhotoError
from .kept_photos import KeptPhoto, KeptPhotos

MOST_KEPT = 20
"""Results; with half a megabyte of picture each they take about 10 MB."""
MOST_NAME = 80
"""Characters of a file's name that are shown."""
MOST_WAITING = 4
"""Uploads that wait for their turn, with up to 32 MB each in memory."""

Score = Callable[[bytes, str], ScoredPhoto]
Result = TypeVar("Result")
ScoreTogether = Callable[[Sequence[tuple[bytes, str]]], ScoredPhoto]


class PhotoDesk:
    """Reads photos and keeps the results. Several threads may use it at once.

    Parameters
    ----------
    score : callable
        Scores the content of an uploaded file, given its name. It raises `PhotoError` for a bad
        file and another `TableError`, whose text is shown, when it cannot read photos at all.
    score_together : callable, optional
        Does the same for several photos of one board; without it only the first is looked at.
    """

    def __init__(self, score: Score, score_together: ScoreTogether | None = None) -> None:
        self._score, self._score_together = score, score_together
        self.kept = KeptPhotos(MOST_KEPT)
        # Two photos at once would take twice the memory, and no less time.
        self._one_at_a_time = threading.Lock()
        self._places = threading.Semaphore(1 + MOST_WAITING)

    def read(self, uploads: Sequence[FileStorage]) -> KeptPhoto:
        """Read photos of one board; return the result, which is kept.

        Raises
        ------
        NoPhotoError
            When there is none among the uploads.
        BusyError
            When too many wait already.
        BoardNotFoundError
            With the reason.
        TableError
            When a file is no picture, or photos cannot be read at all.
        """
        photo = self.in_turn(uploads, self._scored)
        if photo.reason is not None:
            raise BoardNotFoundError(photo.reason)
        result = KeptPhoto.of(photo)
        self.kept.add(result)
        return result

    def in_turn(
        self, uploads: Sequence[FileStorage], work: Callable[[Sequence[tuple[bytes, str]]], Result]
    ) -> Result:
        """Do something with uploaded photos, as contents and names, when it is their turn.

        Raises
        ------
        NoPhotoError, BusyError
            As `read` does.
        """
        files = [file for file in uploads if file.filename]
        if not files:
            raise NoPhotoError("no photo was chosen")
        if not self._places.acquire(blocking=False):
            raise BusyError("other photos are being read: try again in a few seconds")
        try:
            photos = [(file.read(), (file.filename or "")[:MOST_NAME]) for file in files]
            with self._one_at_a_time:
                return work(photos)
        finally:
            self._places.release()

    def _scored(self, photos: Sequence[tuple[bytes, str]]) -> ScoredPhoto:
        if self._score_together and len(photos) > 1:
            return self._score_together(photos)
        return self._score(*photos[0])
