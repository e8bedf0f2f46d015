"""The labelled photos of ../shared/photos, as values for the benchmarks."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from railspotter.calibration.arrays import Float64s
from railspotter.calibration.profiles.profile import Profile
from railspotter.calibration.profiles.reference import make_profile
from railspotter.scoring.board import Board, PlaceId, RouteId
from railspotter.table.photo_file import load_photo
from railspotter.vision.look import train_net
from railspotter.vision.reading import cues

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"
REFERENCE = "blank_rectified_1500x990.jpg"
# For each board, the photo of it empty that its profile is made from.
REFERENCES = {"usa": REFERENCE, "europe": "cropped_blank.jpg"}
# Of each shoot, by the photos' names: the board empty on the same evening, if it was photographed;
# on another evening, to be read by; and the photo of it that trains are laid onto. Of shoot-1 and
# Europe (shoot-4) the last is what the shoot's own reference is made from, so that the ground of
# what is composed there fits that one too well.
OWN_BLANKS = {
    "shoot-1": "blank_rectified_1500x990",
    "shoot-2": "IMG_4169_1920",
    "shoot-4": "cropped_blank",
}
OTHER_BLANKS = {
    "shoot-1": "IMG_4169_1920",
    "shoot-2": "blank_rectified_1500x990",
    "shoot-5": "blank_rectified_1500x990",
    "shoot-4": "cropped_blank",
    **dict.fromkeys(("house-5", "house-6", "house-7"), "cropped_blank"),
}
GROUND_PHOTOS = {
    "shoot-1": "IMG_4048_blank_1008",
    "shoot-2": "IMG_4172_1920",
    "shoot-4": "cropped_blank",
}
# Of each house, a copy in a room before a phone, the shoots.
HOUSE_SHOOTS = {
    "own-copy": ("shoot-1", "shoot-2"),
    "other-copy": ("shoot-5",),
    "europe": ("shoot-4",),
}
# Houses that only judge: nothing is chosen or fitted by them.
JUDGING_SHOOTS = {house: (house,) for house in ("house-5", "house-6", "house-7")}
COARSE_SHOOTS = frozenset({"shoot-5"})  # where the true corners are known to some millimetres only
SIZE_SUFFIX = re.compile(r"_(1008|1920|12mp)$")


@dataclass(frozen=True)
class LabelledPhoto:
    """A photo with its ground truth."""

    path: Path
    truth: dict[str, Any]

    @property
    def exposure(self) -> str:
        """A name shared by one exposure's files in several sizes."""
        return SIZE_SUFFIX.sub("", self.path.stem)

    @property
    def size_class(self) -> str:
        """The name of its size; a photo of no common size has its longer side."""
        named = SIZE_SUFFIX.search(self.path.stem)
        return named[1] if named else str(max(self.truth["size_px"]))

    @property
    def board(self) -> str:
        """The id of the board in it."""
        return str(self.truth["board"])

    @property
    def shoot(self) -> str:
        """One evening, room and phone, to be held out together."""
        return str(self.truth.get("shoot", "?"))

    @property
    def state(self) -> str:
        """A name shared by photos with the same trains; empty if unknown."""
        return str(self.truth.get("state", ""))

    @property
    def is_blank(self) -> bool:
        """Whether there is no train on the board."""
        return not self.truth["claims"]

    @property
    def half_filled(self) -> frozenset[RouteId]:
        """Partly filled routes, about which no answer is right or wrong."""
        return frozenset(self.truth.get("half_filled_routes") or ())

    @property
    def unseen(self) -> frozenset[RouteId]:
        """Routes outside of the picture."""
        return frozenset(self.truth.get("unseen") or ())

    @property
    def stations(self) -> dict[PlaceId, str] | None:
        """The owner of each place's station; None without labels.

        Nobody builds one before there are trains: an empty board has none.
        """
        stations: dict[PlaceId, str] | None = self.truth.get("stations")
        return {} if self.is_blank else stations

    @property
    def corners_px(self) -> Float64s:
        """The printed board's corners, (4, 2): TL, TR, BR, BL."""
        return np.array(self.truth["corners_px"], dtype=np.float64)


def load_label(label: Path) -> LabelledPhoto | None:
    """Return the photo of a ground truth file; None if the file is none."""
    truth = json.loads(label.read_text("utf-8"))
    if isinstance(truth, dict) and {"board", "photo", "corners_px", "claims", "spaces"} <= {*truth}:
        return LabelledPhoto(label.with_name(truth["photo"]), truth)
    return None


def labelled_photos(folder: Path) -> list[LabelledPhoto]:
    """Return the labelled photos in a folder and below, by name."""
    photos = (load_label(label) for label in sorted(folder.rglob("*.json")))
    return [photo for photo in photos if photo is not None]


def largest_of_states(photos: Iterable[LabelledPhoto], exposures: int = 1) -> list[LabelledPhoto]:
    """Return some exposures of every state of every shoot, the largest, and the largest of each.

    States that nobody named are told apart by what stands on the board.
    """
    states: dict[tuple[str, str], dict[str, LabelledPhoto]] = defaultdict(dict)
    for photo in sorted(photos, key=lambda p: (max(p.truth["size_px"]), p.exposure)):
        standing = photo.truth["spaces"], photo.truth.get("stations")
        state = states[photo.shoot, photo.state or str(standing)]
        state.pop(photo.exposure, None)  # what comes later is larger, and stands later
        state[photo.exposure] = photo
    return [photo for state in states.values() for photo in [*state.values()][-exposures:]]


def reference_profile(
    photo: Path, board: Board, corners_px: npt.ArrayLike | None = None
) -> Profile:
    """Make the profile from a photo of the empty board."""
    picture = load_photo(photo)
    last = np.array([picture.shape[1] - 1, picture.shape[0] - 1])
    if corners_px is None:
        corners_px = [[0, 0], [1, 0], [1, 1], [0, 1]] * last
    # Some labels count from the pixels' edges, half a pixel out of the picture.
    return make_profile(picture, board, np.clip(corners_px, 0, last), "benchmark", "")


def read_with(net: Path | None, weights: Path | None) -> None:
    """Set this process' net and weights to those of `teach.py`; None for the program's own."""
    if net is not None:
        train_net.NETS = dict.fromkeys(train_net.NETS, net)
    if weights is not None:
        cues.WEIGHTS = weights
