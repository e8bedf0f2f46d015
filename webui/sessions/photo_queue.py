"""The queue of uploaded photos, which are read one at a time, and the cache of their results.

Each is read on a daemon thread, so that closing the page does not wait for a photo in progress.
"""

import hashlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import msgspec
from railspotter.scoring.board import Board
from railspotter.scoring.edition import Edition
from railspotter.scoring.names import INVISIBLE
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.errors import BoardNotRecognisedError
from railspotter.table.photo_file import Files, is_plain, plain_photo, to_jpeg, upright_photo
from railspotter.table.photo_reader.messages import Corners
from railspotter.table.photos.scored_photo import Answers, ScoredPhoto
from railspotter.table.ticket_photos.reading import SeenTickets
from werkzeug.datastructures import FileStorage

from ..errors import BoardNotFoundError, BusyError, UploadError

ID_BYTES = 16  # 128 random bits
MOST_KEPT = 20  # results; with half a megabyte of picture each they take about 10 MB
MOST_NAME = 80  # characters of a file's name that are shown
# Results that show a part of a board, whose photos are kept to be read with photos of the rest, and
# the bytes of each: two photos of a phone.
MOST_UNFINISHED, MOST_KEPT_BYTES = 3, 12_000_000
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


@dataclass(frozen=True, eq=False)
class PhotoResult:
    """A scored photo, with its picture encoded as JPEG to save memory."""

    id: str  # random, in its links
    photo: ScoredPhoto  # without answers and picture
    jpeg: bytes | None  # the annotated picture, without answers
    size_wh: tuple[int, int] | None  # the picture's width and height
    answers: Answers = field(default_factory=dict)  # the users'
    files: Files = ()  # the photos, if they show a part of the board and are kept for the rest

    @classmethod
    def of(cls, photo: ScoredPhoto) -> "PhotoResult":
        """Make a result with a new id."""
        name = secrets.token_urlsafe(ID_BYTES)
        picture = photo.annotated
        if picture is None:
            return cls(name, photo, None, None)
        height, width = picture.shape[:2]
        kept = msgspec.structs.replace(photo, annotated=None)
        return cls(name, kept, to_jpeg(picture), (width, height))


class PhotoQueue:
    """Reads photos one at a time, and caches the results. Thread-safe."""

    def __init__(self, reading: PhotoReading) -> None:
        self.reading = reading
        self._last_plain = (b"", b"")
        self._results: OrderedDict[str, PhotoResult] = OrderedDict()  # the newest few
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

    def before(self, ticket: str) -> int | None:
        """Return how many uploads are queued before the one with a ticket; None if not queued."""
        with self._queue_changed:
            return next((n for n, one in enumerate(self._queue.values()) if one == ticket), None)

    def read(
        self, uploads: Sequence[FileStorage], ticket: str = "", rest_of: str = ""
    ) -> PhotoResult:
        """Read photos of one board; cache and return the result.

        `ticket` is for `before`; `rest_of` is the id of a result to add these photos to. Raises
        `UploadError` for none or too many, `BusyError` when the queue is full or closed,
        `BoardNotFoundError`, or as `score`.
        """
        part = self.result(rest_of)
        before = part.files if part else ()
        sent = _sent(uploads, len(before))

        def work() -> tuple[PhotoResult, Files]:
            photos = [*before, *map(_read_and_close, sent)]
            try:
                photo = self.reading.score(photos)
            except BoardNotRecognisedError as error:
                raise self._not_found_error(error.sentence, photos) from error
            if photo.reason is not None:
                raise self._not_found_error(photo.reason, photos)
            return PhotoResult.of(photo), photos

        result, files = self._enqueue(work, ticket)
        photo = result.photo
        if part is not None and part.files:
            result = replace(result, answers=part.answers)
        if photo.unseen and sum(len(content) for content, _ in files) <= MOST_KEPT_BYTES:
            result = replace(result, files=files)
        self.keep(result)
        return result

    def tickets(
        self, uploads: Sequence[FileStorage], board: Board, edition: Edition
    ) -> SeenTickets:
        """Read photos of one hand's tickets, which are not kept; raises as `read`."""
        read, sent = self.reading.tickets, _sent(uploads)
        if read is None:
            raise UploadError("tickets are not read from photos here: choose them from the list")
        return self._enqueue(lambda: read([*map(_read_and_close, sent)], board, edition))

    def read_at(self, unfound: str, corners_px: Corners, board: str) -> PhotoResult | None:
        """Read a photo without a found board by the user's corners; cache and return the result.

        `board` is its id, if the page does not know it. Returns None for a photo that is no longer
        kept; raises as `read`, and `TableError` for impossible corners.
        """
        kept, score_at = self.unfound(unfound), self.reading.score_at
        if kept is None or score_at is None:
            return None
        result = self._enqueue(lambda: PhotoResult.of(score_at([kept], corners_px, board)))
        if result.photo.reason is not None:
            raise BoardNotFoundError(result.photo.reason, unfound)
        self.keep(result)
        return result

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

    def keep(self, result: PhotoResult) -> None:
        """Cache a result, dropping the oldest ones, and the files of older unfinished ones."""
        with self._lock:
            self._results[result.id] = result
            while len(self._results) > MOST_KEPT:
                self._results.popitem(last=False)
            unfinished = [one for one in self._results.values() if one.files]
            for one in unfinished[:-MOST_UNFINISHED]:
                self._results[one.id] = replace(one, files=())

    def result(self, name: str) -> PhotoResult | None:
        """Return a cached result, or None."""
        with self._lock:
            return self._results.get(name)

    def answer(self, name: str, answers: Answers) -> None:
        """Add users' answers to a result, if it is still cached."""
        with self._lock:
            if photo := self._results.get(name):
                self._results[name] = replace(photo, answers={**photo.answers, **answers})

    def take_back(self, name: str, spots: Collection[Spot]) -> None:
        """Remove the answers about some spots."""
        with self._lock:
            if photo := self._results.get(name):
                left = {spot: colour for spot, colour in photo.answers.items() if spot not in spots}
                self._results[name] = replace(photo, answers=left)

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
