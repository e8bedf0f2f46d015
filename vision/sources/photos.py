"""Photos as a source: each is held before the reader for a while."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from railspotter.calibration.pyramid import Pyramid, pyramid_of
from railspotter.scoring.bounded_file import read_bounded

from ..decoding import ENOUGH_PX, MOST_BYTES_UNPACKED, decode, unpack
from ..errors import PictureError
from ..heif import heif_kind
from .errors import SourceUnusableError
from .source import Shot, Shots, Source, Watch

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".heic", ".heif", ".avif"})
PER_S = 5.0
"""A photo that is held is given so often, as a camera does that looks at it."""


@dataclass(frozen=True)
class Photos(Source):
    """The photos in a folder by their names, or one photo.

    Attributes
    ----------
    path : Path
    held_s : float
        How long each is held. 0 gives each once, the next when this one was looked at.
    """

    path: Path
    held_s: float = 3.0

    @property
    def name(self) -> str:
        """The folder's or file's name."""
        return self.path.name or str(self.path)

    @property
    def waits_for_reader(self) -> bool:
        """Whether the next photo waits until this one was looked at."""
        return self.held_s == 0

    def shots(self, watch: Watch) -> Shots:
        """Show one photo after the other.

        One that cannot be read stops the show: a photo that is passed over in silence would be a
        move that is missing.
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
                yield Shot(picture, watch.now_s())
                left_s = until_s - watch.now_s()
                if left_s <= 0:
                    break
                watch.rest(min(left_s, 1 / PER_S))


def photos_in(path: Path) -> list[Path]:
    """Return the photos of a folder, photo 2 before photo 10; or the one photo.

    Raises
    ------
    SourceUnusableError
        When there is nothing at the path.
    """
    if path.is_file():
        return [path]
    try:
        found = [one for one in path.iterdir() if one.suffix.lower() in SUFFIXES]
    except OSError as error:
        raise SourceUnusableError(error.strerror or str(error)) from error
    # Files that begin with a dot are what other programs left there.
    return sorted((one for one in found if not one.name.startswith(".")), key=_order)


def _order(path: Path) -> list[tuple[int, str]]:
    """Return what sorts numbers in names by their value.

    >>> sorted(map(Path, ["b 10.jpg", "b 9.jpg", "a.jpg"]), key=_order)[1].name
    'b 9.jpg'
    """
    words = re.findall(r"\d+|\D+", path.name.lower())
    return [(int(word), "") if word.isdecimal() else (-1, word) for word in words]


def _load(path: Path) -> Pyramid:
    try:
        content = read_bounded(path, MOST_BYTES_UNPACKED)
        if heif_kind(content):  # the user's own file, which no camera sent
            return pyramid_of(decode(content, ENOUGH_PX))
        return unpack(content)
    except OSError as error:
        raise SourceUnusableError(f"{path.name}: {error.strerror or error}") from error
    except PictureError as error:
        raise SourceUnusableError(f"{path.name}: {error}") from error
