"""The newest results, in memory only, each under an id that nobody can guess."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace

from railspotter.scoring import Colour
from railspotter.table.photo_file import to_jpeg
from railspotter.table.photos import Answers, ScoredPhoto

ID_BYTES = 16
"""128 bits: whoever has no link to a result does not find it by trying."""


@dataclass(frozen=True, eq=False)
class KeptPhoto:
    """A scored photo whose picture is packed: a tenth of the memory.

    Attributes
    ----------
    id : str
        What its links hold.
    photo : ScoredPhoto
        As it was read, without its picture.
    jpeg : bytes or None
        The annotated picture, where there is one.
    size_wh : tuple of int, or None
        The picture's width and height.
    answers : mapping of id to (colour or None)
        What people said on the page of what was in doubt.
    """

    id: str
    photo: ScoredPhoto
    jpeg: bytes | None
    size_wh: tuple[int, int] | None
    answers: Answers = field(default_factory=dict)

    @classmethod
    def of(cls, photo: ScoredPhoto) -> KeptPhoto:
        """Pack a photo, under a new id."""
        name = secrets.token_urlsafe(ID_BYTES)
        picture = photo.annotated
        if picture is None:
            return cls(name, photo, None, None)
        height, width = picture.shape[:2]
        return cls(name, replace(photo, annotated=None), to_jpeg(picture), (width, height))


class KeptPhotos:
    """The newest few photos; older ones are forgotten.

    Several threads may use it at once.

    Parameters
    ----------
    most : int
        How many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._photos: OrderedDict[str, KeptPhoto] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, photo: KeptPhoto) -> None:
        """Keep a photo, and forget the oldest when there are too many."""
        with self._lock:
            self._photos[photo.id] = photo
            while len(self._photos) > self._most:
                self._photos.popitem(last=False)

    def answer(self, name: str, about: str, colour: Colour | None) -> None:
        """Note what someone says of a route, place or site of a photo, if it is still kept."""
        with self._lock:
            if photo := self._photos.get(name):
                self._photos[name] = replace(photo, answers={**photo.answers, about: colour})

    def take_back(self, name: str, about: str) -> None:
        """Forget what someone said of a route, place or site."""
        with self._lock:
            if photo := self._photos.get(name):
                left = {other: said for other, said in photo.answers.items() if other != about}
                self._photos[name] = replace(photo, answers=left)

    def get(self, name: str) -> KeptPhoto | None:
        """Return the photo of that id, or None when it is not (or no longer) kept."""
        with self._lock:
            return self._photos.get(name)
