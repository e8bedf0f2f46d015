"""Sources of existing pictures: photo files, and drawn boards."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from pathlib import Path

from railspotter.calibration.arrays import Picture
from railspotter.calibration.pyramid import Pyramid, pyramid_of
from railspotter.scoring.bounded_file import read_bounded
from railspotter.scoring.sentence import Sentence, raised_as

from ..decoding import ENOUGH_PX, MOST_BYTES_UNPACKED, decode, unpack
from ..errors import PictureError
from ..heif import heif_kind
from .source import Frame, Shots, Source, SourceUnusableError, Watch

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".heic", ".heif", ".avif"})
PER_S = 5.0  # times a second that a held photo is repeated, as by a camera
ROUNDING_S = 1e-6


@dataclass(frozen=True)
class Photos(Source):
    """The photos in a folder, sorted by name, or one photo."""

    path: Path
    held_s: float = 3.0  # how long each is repeated; 0 for once, and the next when it was read

    @property
    def name(self) -> str:
        """The folder's or file's name."""
        return self.path.name or str(self.path)

    @property
    def waits_for_reader(self) -> bool:
        """Whether the next photo waits until this one was read."""
        return self.held_s == 0

    def shots(self, watch: Watch) -> Shots:
        """Yield one photo after the other.

        One that cannot be read ends with an error: skipping it would skip a move.
        """
        paths = photos_in(self.path)
        if not paths:
            raise SourceUnusableError(
                "there are no photos in it (.jpg, .png, .webp, .heic, .avif, .bmp)"
            )
        for path in paths:
            picture = _load(path)
            until_s = watch.now_s() + self.held_s
            while True:
                yield Frame(picture, watch.now_s())
                left_s = until_s - watch.now_s()
                if left_s <= 0:
                    break
                watch.rest(min(left_s, 1 / PER_S))


def photos_in(path: Path) -> list[Path]:
    """Return the photos of a folder, photo 2 before photo 10; or the one photo."""
    if path.is_file():
        return [path]
    with raised_as(SourceUnusableError, OSError):
        found = [one for one in path.iterdir() if one.suffix.lower() in SUFFIXES]
    # Hidden files are other programs'.
    return sorted((one for one in found if not one.name.startswith(".")), key=_natural_key)


def _natural_key(path: Path) -> list[tuple[int, str]]:
    """Return a sort key of file names that compares numbers by value.

    >>> sorted(map(Path, ["b 10.jpg", "b 9.jpg", "a.jpg"]), key=_natural_key)[1].name
    'b 9.jpg'
    """
    words = re.findall(r"\d+|\D+", path.name.lower())
    return [(int(word), "") if word.isdecimal() else (-1, word) for word in words]


def _load(path: Path) -> Pyramid:
    unusable = OSError, PictureError
    with raised_as(SourceUnusableError, unusable, "{name}: {error}", name=path.name):
        content = read_bounded(path, MOST_BYTES_UNPACKED)
        if heif_kind(content):  # refused from cameras, allowed in the user's own files
            return pyramid_of(decode(content, ENOUGH_PX))
        return unpack(content)


@dataclass(frozen=True)
class VirtualBoard(Source):
    """A source drawn by a function of time, such as an enactment."""

    picture_at: Callable[[float], Picture]  # by seconds from the beginning
    duration_s: float | None = None  # None for endless
    per_s: float = 5.0  # pictures a second of its own time
    # Whether its time passes as fast as pictures are read, without missing one.
    as_fast_as_read: bool = False
    name: str = Sentence("the virtual board")
    # By the moment that it shows: up to which moment its time may pass now; None if it ends there.
    until_s: Callable[[float], float | None] = lambda t_s: inf
    # Most of its own time between two pictures: with slower drawing its time slows down.
    longest_step_s: float = inf

    @property
    def waits_for_reader(self) -> bool:
        """Whether the next picture waits until this one was read."""
        return self.as_fast_as_read

    def shots(self, watch: Watch) -> Shots:
        """Draw and yield one picture after the other; while time stands still, the same one."""
        picture_at = lru_cache(maxsize=1)(self.picture_at)
        step_s, t_s, next_s, due_s = 1 / self.per_s, 0.0, 0.0, watch.now_s()
        while True:
            taken_at_s = due_s
            if not self.as_fast_as_read:
                watch.rest(max(0.0, due_s - watch.now_s()))
                taken_at_s = max(due_s, watch.now_s())
            # If drawing takes longer than a picture's time, moments are skipped.
            late_s = min(taken_at_s - due_s, max(self.longest_step_s - step_s, 0.0))
            if (until_s := self.until_s(t_s)) is None:
                return
            t_s = max(t_s, min(next_s + late_s, until_s))
            if self.duration_s is not None and t_s > self.duration_s + ROUNDING_S:
                return
            yield Frame(picture_at(t_s), taken_at_s)
            next_s, due_s = t_s + step_s, taken_at_s + step_s
