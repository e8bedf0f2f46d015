"""The labelled photos of one board, registered, rectified and segmented on demand."""

from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from railspotter.calibration.arrays import Mask, Picture
from railspotter.calibration.profiles.profile import Profile
from railspotter.scoring.board import Board
from railspotter.table.photo_file import load_photo

from composed.registration import Registration, register
from composed.source import Source, segment
from photos.labelled import PHOTOS, REFERENCES, LabelledPhoto, labelled_photos, reference_profile

STAGES = {
    "usa": ("IMG_4172_1920", "IMG_4169_1920", "IMG_4170_1920", "IMG_4181_1920"),
    "europe": ("cropped_blank",),
}
# Every state once, in even light; of Europe those without stations, which cuts would bring along
# half.
SOURCES = {
    "usa": ("IMG_4133_1920", "IMG_4143_1920", "IMG_4152_1920", "IMG_4066_1008", "IMG_4076_1008"),
    "europe": ("cropped1_12-12", "cropped5_12-12"),
}


class Library:
    """One board's photos, with cached results."""

    def __init__(self, board: Board, px_per_mm: float = 2.5) -> None:
        self.board, self.px_per_mm = board, px_per_mm
        chosen = [photo for photo in labelled_photos(PHOTOS) if photo.board == board.id]
        self._photos = {photo.path.stem: photo for photo in chosen}
        self._reference = Path(REFERENCES[board.id]).stem
        self._registrations: dict[str, Registration] = {}
        self._rectified: dict[str, Picture] = {}
        self._sources: dict[str, Source] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The files' names without ending."""
        return tuple(self._photos)

    def drop(self, name: str) -> None:
        """Drop a photo's large results; its registration is kept."""
        self._rectified.pop(name, None)
        self._sources.pop(name, None)

    def photo(self, name: str) -> LabelledPhoto:
        """Return a photo and its truth by its file's name without ending."""
        return self._photos[name]

    @cached_property
    def profile(self) -> Profile:
        """The profile of the empty board that everything is registered to."""
        reference = self._photos[self._reference]
        return reference_profile(reference.path, self.board, reference.corners_px)

    @cached_property
    def empty_board(self) -> Picture:
        """The empty board from above."""
        width, height = (round(side * self.px_per_mm) for side in self.board.size_mm)
        return np.asarray(cv2.resize(self.profile.reference, (width, height)), np.uint8)

    def registration(self, name: str) -> Registration:
        """Return the registration of a photo."""
        if name not in self._registrations:
            self._registrations[name] = register(self.picture(name), self.profile)
        return self._registrations[name]

    def picture(self, name: str) -> Picture:
        """Return a photo's picture."""
        return load_photo(self._photos[name].path)

    def rectified_board(self, name: str) -> Picture:
        """Return the board in a photo from above."""
        if name not in self._rectified:
            registration = self.registration(name)
            self._rectified[name] = registration.rectify(self.picture(name), self.px_per_mm)
        return self._rectified[name]

    def source(self, name: str) -> Source:
        """Return the segmentation of a photo with trains."""
        if name not in self._sources:
            self._sources[name] = segment(
                name,
                self.rectified_board(name),
                self.empty_board,
                self.px_per_mm,
                self.board,
                self._photos[name].truth["spaces"],
            )
        return self._sources[name]

    def bare_mask(self, name: str) -> Mask:
        """Return where a photo shows bare print."""
        if self._photos[name].is_blank:
            return np.ones(self.empty_board.shape[:2], bool)
        return self.source(name).bare_mask
