"""Where photos are read: one at a time, a few waiting, results kept under ids nobody can guess.

Each is read on a thread of its own, which the end of the page does not wait for: whatever reads
photos (a process of its own, in the program) may be in the middle of one.
"""

from __future__ import annotations

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
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot
from railspotter.table.errors import BoardNotRecognisedError
from railspotter.table.photo_file import Files, is_plain, plain_photo, to_jpeg, upright_photo
from railspotter.table.photo_reader.messages import Corners
from railspotter.table.photos.scored_photo import Answers, ScoredPhoto
from werkzeug.datastructures import FileStorage

from ..errors import BoardNotFoundError, BusyError, ManyPhotosError, NoPhotoError

ID_BYTES = 16  # 128 bits: whoever has no link to a result does not find it by trying
MOST_KEPT = 20  # results; with half a megabyte of picture each they take about 10 MB
MOST_NAME = 80  # characters of a file's name that are shown
# Results that show a part of a board, whose photos are kept until those of the rest come, and how
# many bytes of each: two photos of a phone.
MOST_UNFINISHED, MOST_KEPT_BYTES = 3, 12_000_000
# Photos in which no board was found, which are kept until somebody says where it lies: a megabyte
# each.
MOST_UNFOUND = 6
MOST_TOGETHER = 6  # photos of one board in one form: from each side, and two for luck
# Uploads that wait for their turn, in files where they are large: a photo of each phone in a large
# round, and none waits for much longer than a minute. Each holds a thread of the server.
MOST_WAITING = 19
# Characters of the name that a page gives its upload, to ask how many are before it.
MOST_TICKET = 40
ENDS = Sentence("the program ends: no more photos are read")

Result = TypeVar("Result")


@dataclass(frozen=True)
class PhotoReading:
    """What reads photos that are sent.

    Each raises `PhotoError` for a bad file, and another `TableError`, whose text is shown, where
    photos cannot be read at all.
    """

    score: Callable[[Files], ScoredPhoto]  # scores photos of one board
    # Returns a photo as a JPEG: one that is plain as it is; one as people look at it.
    plain: Callable[[bytes], bytes] = plain_photo
    upright: Callable[[bytes], bytes] = upright_photo
    # Scores a photo by where a person says that the board lies, and which it is, where `boards` has
    # any; None where nobody is asked.
    score_at: Callable[[Files, Corners, str], ScoredPhoto] | None = None
    # The boards that a photo may show, each with its name; none where it is known which.
    boards: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class UnfoundPhoto:
    """A photo in which no board was found."""

    name: str  # as it was sent
    jpeg: bytes  # as people look at it


@dataclass(frozen=True, eq=False)
class PhotoResult:
    """A scored photo, with its picture packed as JPEG: a tenth of the memory."""

    id: str  # the part of its links that nobody can guess
    photo: ScoredPhoto  # as it was read, without its picture
    jpeg: bytes | None  # the annotated picture, where there is one
    size_wh: tuple[int, int] | None  # the picture's width and height
    # Answers that people gave on the page to the photo's doubts; None for nothing there.
    answers: Answers = field(default_factory=dict)
    files: Files = ()  # the photos, where they show a part of the board and are kept for the rest

    @classmethod
    def of(cls, photo: ScoredPhoto) -> PhotoResult:
        """Pack a photo, under a new id."""
        name = secrets.token_urlsafe(ID_BYTES)
        picture = photo.annotated
        if picture is None:
            return cls(name, photo, None, None)
        height, width = picture.shape[:2]
        kept = msgspec.structs.replace(photo, annotated=None)
        return cls(name, kept, to_jpeg(picture), (width, height))


class PhotoQueue:
    """Reads photos and keeps the results. Several threads may use it at once."""

    def __init__(self, reading: PhotoReading) -> None:
        self.reading = reading
        self._last_plain = (b"", b"")
        self._results: OrderedDict[str, PhotoResult] = OrderedDict()  # the newest few
        self._unfound: OrderedDict[str, UnfoundPhoto] = OrderedDict()  # so are these
        self._lock = threading.Lock()
        # What is to be read, with its tickets; the first is being read. Two photos at once would
        # take twice the memory, and no less time.
        self._line: dict[Future[Any], str] = {}
        self._moved = threading.Condition()
        self._is_closed = False

    def close(self) -> None:
        """Read nothing more; who waits for a photo is told so at once."""
        with self._moved:
            self._is_closed = True
            for done in self._line:
                with suppress(InvalidStateError):  # it is read
                    done.set_exception(BusyError(ENDS))

    def before(self, ticket: str) -> int | None:
        """Return how many uploads are to be read before one; None for one that is not in the line.

        `ticket` is what it was called when it was to be read.
        """
        with self._moved:
            return next((n for n, one in enumerate(self._line.values()) if one == ticket), None)

    def read(
        self, uploads: Sequence[FileStorage], ticket: str = "", rest_of: str = ""
    ) -> PhotoResult:
        """Read photos of one board; return the result, which is kept.

        `ticket` is what to ask `before` by. Raises `NoPhotoError` or `ManyPhotosError` for uploads
        that are none or too many, `BusyError` when too many wait already or the program ends,
        `BoardNotFoundError` with the reason, and what `score` raises.
        """
        part = self.result(rest_of)
        before = part.files if part else ()
        sent = [file for file in uploads if file.filename]
        if not sent:
            raise NoPhotoError("no photo was chosen")
        if len(before) + len(sent) > MOST_TOGETHER:
            raise ManyPhotosError(
                "{n} photos are too many at once: send at most {most} of one board",
                n=len(before) + len(sent),
                most=MOST_TOGETHER,
            )

        def work() -> tuple[PhotoResult, Files]:
            photos = [*before, *map(_taken, sent)]
            try:
                photo = self.reading.score(photos)
            except BoardNotRecognisedError as error:
                raise self._not_found(error.sentence, photos) from error
            if photo.reason is not None:
                raise self._not_found(photo.reason, photos)
            return PhotoResult.of(photo), photos

        result, files = self._in_turn(work, ticket)
        photo = result.photo
        if part is not None and part.files:
            result = replace(result, answers=part.answers)
        if photo.unseen and sum(len(content) for content, _ in files) <= MOST_KEPT_BYTES:
            result = replace(result, files=files)
        self.keep(result)
        return result

    def read_at(self, unfound: str, corners_px: Corners, board: str) -> PhotoResult | None:
        """Read a photo in which no board was found; return the result, which is kept.

        `corners_px` are the board's in that photo, `board` is which one it is, where the page does
        not know it. Returns None for a photo that is no longer kept; raises what `read` does, and
        `TableError` for corners that cannot be a board's.
        """
        kept, score_at = self.unfound(unfound), self.reading.score_at
        if kept is None or score_at is None:
            return None
        files = [(kept.jpeg, kept.name)]
        result = self._in_turn(lambda: PhotoResult.of(score_at(files, corners_px, board)))
        if result.photo.reason is not None:
            raise BoardNotFoundError(result.photo.reason, unfound)
        self.keep(result)
        return result

    def unfound(self, name: str) -> UnfoundPhoto | None:
        """Return the photo of that id in which no board was found, or None."""
        with self._lock:
            return self._unfound.get(name)

    def _not_found(self, reason: Sentence, photos: Files) -> BoardNotFoundError:
        """Return what says so; a single photo is kept, for somebody to say where the board is."""
        if self.reading.score_at is None or len(photos) > 1:
            return BoardNotFoundError(reason)
        [(content, name)] = photos
        unfound = secrets.token_urlsafe(ID_BYTES)
        kept = UnfoundPhoto(name, self.reading.upright(content))
        with self._lock:
            self._unfound[unfound] = kept
            while len(self._unfound) > MOST_UNFOUND:
                self._unfound.popitem(last=False)
        return BoardNotFoundError(reason, unfound)

    def keep(self, result: PhotoResult) -> None:
        """Keep a result, and forget the oldest ones, and the photos of parts that are old."""
        with self._lock:
            self._results[result.id] = result
            while len(self._results) > MOST_KEPT:
                self._results.popitem(last=False)
            unfinished = [one for one in self._results.values() if one.files]
            for one in unfinished[:-MOST_UNFINISHED]:
                self._results[one.id] = replace(one, files=())

    def result(self, name: str) -> PhotoResult | None:
        """Return the photo of that id, or None when it is not (or no longer) kept."""
        with self._lock:
            return self._results.get(name)

    def answer(self, name: str, answers: Answers) -> None:
        """Note what someone says of spots of a photo, if it is still kept."""
        with self._lock:
            if photo := self._results.get(name):
                self._results[name] = replace(photo, answers={**photo.answers, **answers})

    def take_back(self, name: str, spots: Collection[Spot]) -> None:
        """Forget what someone said of spots."""
        with self._lock:
            if photo := self._results.get(name):
                left = {spot: said for spot, said in photo.answers.items() if spot not in spots}
                self._results[name] = replace(photo, answers=left)

    def plain(self, content: bytes) -> bytes:
        """Return a photo that is used elsewhere as a JPEG, one that is plain as it is.

        The last one is kept: a phone that is the camera sends its photo again and again. Raises
        `BusyError` when too many photos wait already, and what `reading.plain` raises.
        """
        if is_plain(content):
            return content
        digest = hashlib.sha256(content).digest()
        if self._last_plain[0] == digest:
            return self._last_plain[1]
        jpeg = self._in_turn(lambda: self.reading.plain(content))
        self._last_plain = digest, jpeg
        return jpeg

    def _in_turn(self, work: Callable[[], Result], ticket: str = "") -> Result:
        """Return what a piece of work returns, done on a thread of its own when it is its turn."""
        done: Future[Result] = Future()
        with self._moved:
            if self._is_closed:
                raise BusyError(ENDS)
            if len(self._line) > MOST_WAITING:
                raise BusyError(
                    "{n} photos are before yours: send it again in a minute", n=len(self._line)
                )
            self._line[done] = ticket[:MOST_TICKET]
        threading.Thread(target=self._do, args=(done, work), name="photo", daemon=True).start()
        return done.result()

    def _do(self, done: Future[Result], work: Callable[[], Result]) -> None:
        """Do a piece of work when all that came before is done; then its place is given up."""
        try:
            with self._moved:
                while next(iter(self._line)) is not done:
                    self._moved.wait()
            if not done.done():  # else the page was closed meanwhile, and whoever waits was told
                result = work()
                with suppress(InvalidStateError):
                    done.set_result(result)
        except BaseException as error:
            with suppress(InvalidStateError):
                done.set_exception(error)
        finally:
            with self._moved:
                del self._line[done]
                self._moved.notify_all()
            del done, work  # an error's frames would keep them


def _taken(upload: FileStorage) -> tuple[bytes, str]:
    """Return an upload's content and what it is called; the file that it waited in goes."""
    with closing(upload):
        return upload.read(), (upload.filename or "")[:MOST_NAME]
