"""The queue of uploaded photos, which are read one at a time.

Each is read on a daemon thread, so that closing the page does not wait for a photo in progress.
"""

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from railspotter.scoring.board import Board
from railspotter.scoring.edition import Edition
from railspotter.scoring.names import INVISIBLE
from railspotter.scoring.sentence import Sentence
from railspotter.table.errors import BoardNotRecognisedError
from railspotter.table.photo_file import Files, is_plain, plain_photo, upright_photo
from railspotter.table.photo_reader.messages import Corners, Step
from railspotter.table.photos.scored_photo import ScoredPhoto
from railspotter.table.ticket_photos.reading import SeenTickets
from werkzeug.datastructures import FileStorage

from ..errors import BoardNotFoundError, BusyError, UploadError

ID_BYTES = 16  # 128 random bits
MOST_NAME = 80  # characters of a file's name that are shown
MOST_UNFOUND = 6  # photos without a found board, kept for users to set the corners; a megabyte each
MOST_TOGETHER = 6  # photos of one board in one upload: one from each side, and two more
# Queued uploads: a photo of each phone in a large round, which takes about a minute. Each takes a
# server thread.
MOST_WAITING = 19
# Characters of an upload's ticket, by which a page asks for its queue position: four numbers of 32
# bits with dashes between.
MOST_TICKET = 43
ENDS = Sentence("the program ends: no more photos are read")
NO_FILE = Sentence("No photo was chosen. Take or choose one first.")

Result = TypeVar("Result")


@dataclass(frozen=True)
class PhotoReading:
    """The functions that read photos.

    They raise `PhotoError` for a bad file, and another `TableError` if photos cannot be read at
    all.
    """

    score: Callable[[Files], ScoredPhoto]  # scores photos of one board
    plain: Callable[[bytes], bytes] = plain_photo
    upright: Callable[[bytes], bytes] = upright_photo
    # Scores a photo by the board's corners and, if there are `boards`, its id; None if unsupported.
    score_at: Callable[[Files, Corners, str], ScoredPhoto] | None = None
    # Returns the tickets of an edition on a board in photos of one hand; None if unsupported.
    tickets: Callable[[Files, Board, Edition], SeenTickets] | None = None
    # Returns the names of boards that a photo may show, by id; none while the board is fixed.
    boards: Callable[[], Mapping[str, str]] = dict
    # Returns what is done with the photo that is read now.
    step: Callable[[], Step] = lambda: "board"


@dataclass(frozen=True)
class Progress:
    """How far an upload, or the one that is read now, is."""

    before: int  # how many are read before it
    seconds: float  # for how long it has been read
    step: Step = "board"


class PhotoQueue:
    """Reads photos one at a time. Thread-safe."""

    def __init__(self, reading: PhotoReading) -> None:
        self.reading = reading
        self._last_plain = (b"", b"")
        self._begun_s = 0.0  # when the first of the queue was begun
        # Photos without a found board: upright JPEGs, and their names as they were sent.
        self._unfound: OrderedDict[str, tuple[bytes, str]] = OrderedDict()
        self._lock = threading.Lock()
        # The queue of jobs with their tickets; the first is running. Two at once would take twice
        # the memory, and no less time.
        self._queue: dict[Future[Any], str] = {}
        self._queue_changed = threading.Condition()
        self._is_closed = False

    def close(self) -> None:
        """Fail all queued jobs with `BusyError`, and accept no more."""
        with self._queue_changed:
            self._is_closed = True
            for future in self._queue:
                with suppress(InvalidStateError):  # done already
                    future.set_exception(BusyError(ENDS))

    def progress(self, ticket: str = "") -> Progress | None:
        """Return how far the upload with a ticket is, without one the one that is read now."""
        with self._queue_changed:
            tickets = [one for one in self._queue.values() if one]
            if not tickets or (ticket and ticket not in tickets):
                return None
            before = tickets.index(ticket) if ticket else 0
            seconds = 0.0 if before else time.monotonic() - self._begun_s
            return Progress(before, seconds, self.reading.step() if not before else "board")

    def read(
        self, uploads: Sequence[FileStorage], ticket: str = "", kept: Files = ()
    ) -> tuple[ScoredPhoto, Files]:
        """Read photos of one board, with those that are `kept` of it; return all of them too.

        `ticket` is for `progress`. Raises `UploadError` for none or too many, `BusyError` when the
        queue is full or closed, `BoardNotFoundError`, or as `score`.
        """
        sent = _sent(uploads)

        def work() -> tuple[ScoredPhoto, Files]:
            new = [_read_and_close(one) for one in sent]
            photos = [*kept[len(new) - MOST_TOGETHER or len(kept) :], *new]
            try:
                photo = self.reading.score(photos)
            except BoardNotRecognisedError as error:
                raise self._not_found_error(error.sentence, new) from error
            reason = (
                photo.reason
                or next(  # another photo that shows nothing is said to be one
                    (part.reason for part in photo.parts[len(photos) - len(new) :] if part.reason),
                    None,
                )
            )
            if reason is not None:
                raise self._not_found_error(reason, new)
            return photo, photos

        return self._enqueue(work, ticket or "photo")

    def tickets(
        self, uploads: Sequence[FileStorage], board: Board, edition: Edition
    ) -> SeenTickets:
        """Read photos of one hand's tickets, which are not kept; raises as `read`."""
        read, sent = self.reading.tickets, _sent(uploads)
        if read is None:
            raise UploadError("tickets are not read from photos here: choose them from the list")
        return self._enqueue(lambda: read([*map(_read_and_close, sent)], board, edition))

    def read_at(
        self, unfound: str, corners_px: Corners, board: str
    ) -> tuple[ScoredPhoto, Files] | None:
        """Read a photo without a found board by the user's corners.

        `board` is its id, if the page does not know it. Returns None for a photo that is no longer
        kept; raises as `read`, and `TableError` for impossible corners.
        """
        kept, score_at = self.unfound(unfound), self.reading.score_at
        if kept is None or score_at is None:
            return None
        photo = self._enqueue(lambda: score_at([kept], corners_px, board), "photo")
        if photo.reason is not None:
            raise BoardNotFoundError(photo.reason, unfound)
        return photo, [kept]

    def unfound(self, name: str) -> tuple[bytes, str] | None:
        """Return the JPEG and the name of a kept photo without a found board, or None."""
        with self._lock:
            return self._unfound.get(name)

    def _not_found_error(self, reason: Sentence, photos: Files) -> BoardNotFoundError:
        """Return the error, and keep a single photo for the user to set the corners."""
        if self.reading.score_at is None or len(photos) > 1:
            return BoardNotFoundError(reason)
        [(content, name)] = photos
        unfound = secrets.token_urlsafe(ID_BYTES)
        kept = self.reading.upright(content), name
        with self._lock:
            self._unfound[unfound] = kept
            while len(self._unfound) > MOST_UNFOUND:
                self._unfound.popitem(last=False)
        return BoardNotFoundError(reason, unfound)

    def plain(self, content: bytes) -> bytes:
        """Convert a photo to JPEG if it is HEIC or AVIF.

        The last one is cached, since a phone camera sends the same photo repeatedly. Raises
        `BusyError` when the queue is full, or as `reading.plain`.
        """
        if is_plain(content):
            return content
        digest = hashlib.sha256(content).digest()
        if self._last_plain[0] == digest:
            return self._last_plain[1]
        jpeg = self._enqueue(lambda: self.reading.plain(content))
        self._last_plain = digest, jpeg
        return jpeg

    def _enqueue(self, work: Callable[[], Result], ticket: str = "") -> Result:
        """Queue a job for its own thread, wait for it, and return its result."""
        future: Future[Result] = Future()
        with self._queue_changed:
            if self._is_closed:
                raise BusyError(ENDS)
            if len(self._queue) > MOST_WAITING:
                raise BusyError(
                    "{n} photos are before yours: send it again in a minute", n=len(self._queue)
                )
            self._queue[future] = ticket[:MOST_TICKET]
        threading.Thread(target=self._run, args=(future, work), name="photo", daemon=True).start()
        return future.result()

    def _run(self, future: Future[Result], work: Callable[[], Result]) -> None:
        """Run a job when it is the first of the queue, then remove it."""
        try:
            with self._queue_changed:
                while next(iter(self._queue)) is not future:
                    self._queue_changed.wait()
            self._begun_s = time.monotonic()
            if not future.done():  # failed by `close` meanwhile
                result = work()
                with suppress(InvalidStateError):
                    future.set_result(result)
        except BaseException as error:
            with suppress(InvalidStateError):
                future.set_exception(error)
        finally:
            with self._queue_changed:
                del self._queue[future]
                self._queue_changed.notify_all()
            del future, work  # else an error's traceback would keep them alive


def _sent(uploads: Sequence[FileStorage], before: int = 0) -> list[FileStorage]:
    """Return the photos of an upload, which belong to others before; raises `UploadError`."""
    sent = [file for file in uploads if file.filename]
    if not sent:
        raise UploadError(NO_FILE)
    if before + len(sent) > MOST_TOGETHER:
        raise UploadError(
            "{n} photos are too many at once: send at most {most} of one board",
            n=before + len(sent),
            most=MOST_TOGETHER,
        )
    return sent


def _read_and_close(upload: FileStorage) -> tuple[bytes, str]:
    """Return an upload's content and name, and delete its temporary file."""
    with closing(upload):
        return upload.read(), INVISIBLE.sub("", upload.filename or "")[:MOST_NAME]
