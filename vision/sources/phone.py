"""Pictures posted by a phone's browser: a mailbox of the newest one."""

import math
import time
from collections.abc import Callable
from threading import Condition

from railspotter.scoring.sentence import Sentence

from ..errors import PictureError
from .moving_jpeg import IntactJpegs
from .source import Frame, Shots, Source, Watch

# Size limit of one picture. A browser posts some 0.3 MB; more is a mistake or an attack.
MOST_BYTES = 8 * 2**20
# Repetitions from which a picture is a photo: a page that may not film posts it repeatedly, for
# half a minute (static/camera/main.js). What is repeated for longer is a film that hangs.
REPEATED = 3
PHOTO_S = 35.0
# Seconds without a picture after which the phone is reported silent: it sleeps, or left the page.
SILENT_S = 5.0
LOOK_S = 0.25  # poll interval for the end of the watch while nothing is posted


class PostedFrames(Source):
    """A source of pictures that are posted to it.

    It holds the newest only, not decoded, so that posting never waits. `clock` returns the
    grabber's seconds.
    """

    name = Sentence("the phone's camera")

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._posted = Condition()
        self._newest: tuple[bytes, float] | None = None
        self._last, self._repeated, self._first_s = b"", 0, 0.0
        self._pictures = IntactJpegs()

    def post(self, content: bytes, *, is_filmed: bool = False) -> None:
        """Store a picture, replacing one that was not taken yet; a film's is never a photo.

        Raises
        ------
        PictureError
            When it is too large. It is decoded later, on another thread.
        """
        if len(content) > MOST_BYTES:
            raise PictureError(
                "the picture has {size} MB, more than the {most} MB that are taken; send a"
                " smaller one",
                size=f"{len(content) / 2**20:.1f}",
                most=MOST_BYTES // 2**20,
            )
        with self._posted:
            now_s = self._clock()
            if content != self._last:
                self._repeated, self._first_s = 0, now_s
            elif is_filmed or now_s - self._first_s > PHOTO_S:
                self._repeated = 0
            else:
                self._repeated += 1
            self._last, self._newest = content, (content, now_s)
            self._posted.notify()

    @property
    def are_photos(self) -> bool:
        """Whether the phone posts single photos, each repeatedly."""
        return self._repeated >= REPEATED

    @property
    def is_filming(self) -> bool:
        """Whether its pictures are a film's."""
        return not self.are_photos

    def shots(self, watch: Watch) -> Shots:
        """Yield what is posted, until the watch is over; this source never ends."""
        watch.report_waiting_for(Sentence("a picture from {name}", name=self.name))
        newest_s = math.inf  # no silence before the first picture
        while not watch.is_over:
            posted = self._take()
            if posted is None:
                if watch.now_s() - newest_s >= SILENT_S:
                    watch.report_waiting_for(
                        Sentence("a picture from {name}, which has stopped sending", name=self.name)
                    )
                    newest_s = math.inf
                continue
            content, newest_s = posted
            try:
                yield Frame(self._pictures.unpack(content), newest_s)
            except PictureError as error:
                watch.report_waiting_for(
                    Sentence(
                        "a picture from {name}; what came cannot be used: {error}",
                        name=self.name,
                        error=error,
                    )
                )

    def _take(self) -> tuple[bytes, float] | None:
        with self._posted:
            if self._newest is None:
                self._posted.wait(LOOK_S)
            posted, self._newest = self._newest, None
            return posted
