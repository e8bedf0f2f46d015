"""Pictures that a phone's browser posts: a box that whoever serves the page puts them into."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from threading import Condition

from railspotter.scoring.sentence import Sentence

from ..errors import PictureError
from .moving_jpeg import IntactJpegs
from .source import Shot, Shots, Source, Watch

# Most bytes of one picture. A browser posts some 0.3 MB; more is a mistake or an attack.
MOST_BYTES = 8 * 2**20
# So often the same picture again is a photo: a page that may not film repeats it for a while.
REPEATED = 3
# A phone that posted nothing for so long is waited for: it sleeps, or its page was closed.
SILENT_S = 5.0
LOOK_S = 0.25  # seconds after which an empty box looks again whether anybody still waits for it


class PostedFrames(Source):
    """A box for pictures that are posted.

    It holds the newest only, as it came: whoever posts never waits for one to be decoded. `clock`
    counts seconds as the grabber's does.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._news = Condition()
        self._newest: tuple[bytes, float] | None = None
        self._last, self._repeated = b"", 0
        self._pictures = IntactJpegs()

    @property
    def name(self) -> str:
        """What people call it."""
        return Sentence("the phone's camera")

    def post(self, content: bytes) -> None:
        """Put a picture into the box, in the place of one that nobody took yet.

        Raises
        ------
        PictureError
            When it is too large. Whether it is a picture turns out later, on another thread.
        """
        if len(content) > MOST_BYTES:
            raise PictureError(
                "the picture has {size} MB, more than the {most} MB that are taken; send a"
                " smaller one",
                size=f"{len(content) / 2**20:.1f}",
                most=MOST_BYTES // 2**20,
            )
        with self._news:
            self._repeated = self._repeated + 1 if content == self._last else 0
            self._last = content
            self._newest = content, self._clock()
            self._news.notify()

    @property
    def are_photos(self) -> bool:
        """Whether the phone sends single photos, each again and again: then it falls silent."""
        return self._repeated >= REPEATED

    def shots(self, watch: Watch) -> Shots:
        """Give what is posted, as long as anybody wants it; this source never ends."""
        watch.wait_for(Sentence("a picture from {name}", name=self.name))
        newest_s = math.inf  # who has sent nothing has not fallen silent
        while not watch.is_over:
            posted = self._take()
            if posted is None:
                if watch.now_s() - newest_s >= SILENT_S:
                    watch.wait_for(
                        Sentence("a picture from {name}, which has stopped sending", name=self.name)
                    )
                    newest_s = math.inf
                continue
            content, newest_s = posted
            try:
                yield Shot(self._pictures.unpack(content), newest_s)
            except PictureError as error:
                watch.wait_for(
                    Sentence(
                        "a picture from {name}; what came cannot be used: {error}",
                        name=self.name,
                        error=error,
                    )
                )

    def _take(self) -> tuple[bytes, float] | None:
        with self._news:
            if self._newest is None:
                self._news.wait(LOOK_S)
            posted, self._newest = self._newest, None
            return posted
