"""The running demonstration: game after game on a drawn board, read while it is played."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import msgspec
from railspotter.scoring import Standing, final_score, position_of

from .demo import LIVE_SEED, demo_game
from .live import LiveState
from .photo_file import to_jpeg
from .photo_score import PhotoScorer
from .scored_photo import Picture, ScoredPhoto
from .virtual_game import VirtualGame

FRAME_S = 0.2
"""A picture is shown for so long, however many look."""
QUALITY = 75
"""Of the pictures for the page: 5 a second go to every phone. The reader gets them uncompressed."""
LOOK_S = 0.1
"""So often the table is looked at for something new to read."""
UNWATCHED_S = 10.0
"""When nobody has looked for so long, nothing is drawn or read until somebody does."""
REST_S = 30.0
"""How long a final score stays before the next game begins. Chosen."""


@dataclass(frozen=True, eq=False)
class _Running:
    """A game and when it began, by the clock."""

    game: VirtualGame
    began_s: float


@dataclass(frozen=True, eq=False)
class _Read:
    """What was read last; `number` rises with each."""

    number: int
    photo: ScoredPhoto | None = None
    final: Standing | None = None


class LiveDemo:
    """Plays and reads games on a drawn board while its `with` block runs.

    Pictures are drawn when they are asked for. A thread reads the board whenever something changed
    and no hand is over it: what a camera alone has to find out, the drawn game simply knows. It
    reads the newest picture only, and rests as long as it worked.

    Parameters
    ----------
    scorer : PhotoScorer
        For the drawn board. It reads uploads too (`score`), never both at once.
    make_game : callable
        Returns the game of a seed.
    seed : int
        Of the first game; each later one has the next.
    clock : callable
        Seconds, as `time.monotonic` counts them.
    """

    def __init__(
        self,
        scorer: PhotoScorer,
        make_game: Callable[[int], VirtualGame] = demo_game,
        seed: int = LIVE_SEED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._scorer, self._make_game, self._clock = scorer, make_game, clock
        # Replaced whole, so that whoever asks meanwhile never sees a half of them.
        self._running = _Running(make_game(seed), clock())
        self._read = _Read(0)
        self._seen: object = None
        self._looked_s = clock()
        self._reader = threading.Lock()
        # One thread draws for all: the allocator keeps a picture's memory for every one that did.
        self._camera = ThreadPoolExecutor(1, thread_name_prefix="virtual camera")
        self._jpeg, self._drawn, self._drawn_s = b"", (-1, -1.0), clock() - FRAME_S
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="live demo")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._camera.shutdown()

    def state(self) -> LiveState:
        """Return what is known now."""
        self._looked_s = self._clock()
        running, read = self._running, self._read
        game = running.game
        t_s = self._time_of(running)
        return LiveState(read.number, game.seed, t_s, game.duration_s, read.photo, read.final)

    def picture(self) -> bytes:
        """Return what the virtual camera sees now, as the content of a JPEG file."""
        self._looked_s = self._clock()
        return self._camera.submit(self._newest_jpeg).result()

    def score(self, picture: Picture, name: str) -> ScoredPhoto:
        """Score a picture; another one that is being read goes first."""
        with self._reader:
            return self._scorer.score(picture, name)

    def _newest_jpeg(self) -> bytes:
        running, now_s = self._running, self._clock()
        moment = running.game.seed, self._time_of(running)
        if moment != self._drawn and now_s - self._drawn_s >= FRAME_S:
            self._jpeg = to_jpeg(running.game.frame_at(moment[1]).picture, QUALITY)
            self._drawn, self._drawn_s = moment, now_s
        return self._jpeg

    def _time_of(self, running: _Running) -> float:
        return min(self._clock() - running.began_s, running.game.duration_s)

    def _run(self) -> None:
        pause_s = 0.0
        while not self._ended.wait(max(pause_s, LOOK_S)):
            started_s = time.monotonic()
            if self._clock() - self._looked_s < UNWATCHED_S:
                self._begin_the_next_when_due()
                self._read_what_is_new()
            pause_s = time.monotonic() - started_s

    def _begin_the_next_when_due(self) -> None:
        running = self._running
        if self._clock() - running.began_s < running.game.duration_s + REST_S:
            return
        following = self._make_game(running.game.seed + 1)
        self._running = _Running(following, self._clock())
        self._read = _Read(self._read.number + 1)

    def _read_what_is_new(self) -> None:
        running = self._running
        game, t_s = running.game, self._time_of(running)
        scene = game.enactment.scene_at(t_s)
        look = game.seed, scene.pieces, scene.things, scene.nudge
        if look != self._seen and game.is_still_at(t_s):
            frame = self._camera.submit(game.camera.take, scene).result()
            photo = self.score(frame.picture, "drawn board")
            self._seen = look
            self._read = _Read(self._read.number + 1, photo)
        photo_read = self._read.photo
        if t_s >= game.duration_s and self._read.final is None and photo_read:
            final = final_standing(game, photo_read)
            self._read = _Read(self._read.number + 1, photo_read, final)


def final_standing(game: VirtualGame, photo: ScoredPhoto) -> Standing:
    """Return the final score: the routes as they were read, the tickets as the players hold them.

    What was read in a colour that nobody plays counts for nobody.
    """
    end = game.enactment.played.final
    playing = {player.colour for player in end.players}
    claims = {route: c for route, c in (photo.claims or {}).items() if c in playing}
    read = msgspec.structs.replace(end, claims=claims)
    return final_score(position_of(read, game.enactment.played.board))
