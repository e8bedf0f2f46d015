"""Recording a watched game's frames to a folder, mainly those with movement."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue

import msgspec
from railspotter.scoring.sentence import raised_as
from railspotter.vision.sources.source import Frame
from railspotter.vision.watching.settling import WatchState

from ..errors import TableError
from ..live_table.table_view import TableView
from ..photo_file import to_jpeg
from ..whole_file import KeptFile
from ..worker import Worker

# A recording is a folder with `000001.jpg`, `000002.jpg` ... and this file with the game's id.
HEAD = "recording.json"
QUALITY = 85
# Seconds between two recorded pictures while something moves, and while nothing does.
MOVING_S, RESTING_S = 0.2, 10.0
AFTER_S = 2.0  # seconds that a movement is considered to last: claims are settled by then
LEAST_FREE = 2**30  # free bytes that must stay on the disk
# The largest recording. A picture of 1920 x 1080 has some 400 kB: two hours of moving hands.
MOST_BYTES = 16 * 2**30
MOST_WAITING = 16  # the size of the queue to a slow disk; further pictures are dropped


class RecordingError(TableError):
    """A folder is no recording, or cannot be used."""


class RecordingHead(msgspec.Struct, frozen=True):
    """The content of a recording's head file."""

    game: str = ""  # its id; empty before there is a recording


class Recorder(Worker):
    """A thread that writes a recording, fed by the frame listener `on_frame`.

    The folder must be new or empty, or a recording of the same game, which is continued. `say` is
    called once if recording stops early: above `most_bytes`, or below `least_free` on the disk.
    Raises `RecordingError` for an unusable folder, `HomeError` for a damaged recording.
    """

    def __init__(
        self,
        folder: Path,
        game: str,
        *,
        say: Callable[[str], None],
        most_bytes: int = MOST_BYTES,
        least_free: int = LEAST_FREE,
    ) -> None:
        super().__init__("recorder")
        self._folder, self._say = folder, say
        self._most_bytes, self._least_free = most_bytes, least_free
        self._number, self._bytes = _prepare_folder(folder, game)
        self._moved_s = self._recorded_s = -RESTING_S
        self._queue: Queue[tuple[str, Frame]] = Queue(MOST_WAITING)

    def on_frame(self, frame: Frame, view: TableView) -> None:
        """Queue a frame if it is due; never blocks."""
        t_s = frame.taken_at_s
        if view.sight.state is not WatchState.SETTLED or view.questions:
            self._moved_s = t_s
        pause_s = MOVING_S if t_s - self._moved_s < AFTER_S else RESTING_S
        if self._stop_event.is_set() or t_s - self._recorded_s < pause_s - 0.01:
            return
        self._number += 1
        with suppress(Full):  # the disk is slow: drop it
            self._queue.put_nowait((f"{self._number:06}.jpg", frame))
            self._recorded_s = t_s

    def _run(self) -> None:
        try:
            while not (self._stop_event.is_set() and self._queue.empty()):
                with suppress(Empty):
                    self._write(*self._queue.get(timeout=0.1))
        except (OSError, RecordingError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            self._stop_event.set()
            self._say(f"nothing more is recorded into {self._folder}: {why}")

    def _write(self, name: str, frame: Frame) -> None:
        content = to_jpeg(frame.picture, QUALITY)
        free = shutil.disk_usage(self._folder).free
        if free - len(content) < self._least_free:
            raise RecordingError(f"the disk is nearly full ({free / 2**30:.1f} GB left)")
        self._bytes += len(content)
        if self._bytes > self._most_bytes:
            raise RecordingError(f"it has the {self._most_bytes / 2**30:.0f} GB that it may have")
        path = self._folder / name
        try:
            path.write_bytes(content)
        except OSError:
            path.unlink(missing_ok=True)
            raise


def _prepare_folder(folder: Path, game: str) -> tuple[int, int]:
    """Create or check a recording's folder; return its newest number, and its size in bytes."""
    head = KeptFile(folder / HEAD, RecordingHead())
    recorded = head.load().game
    if recorded == game:
        pictures = list(folder.glob("*.jpg"))
        number = max((int(p.stem) for p in pictures if p.stem.isdecimal()), default=0)
        return number, sum(path.stat().st_size for path in pictures)
    if recorded:
        raise RecordingError(f"{folder} is the recording of another game: name another folder")
    with raised_as(RecordingError, OSError, "cannot record into {path}: {error}", path=folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise RecordingError(f"{folder} holds other files: name an empty folder, or a new one")
    head.save(RecordingHead(game))
    return 0, 0
