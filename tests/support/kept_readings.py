"""What the reader said of pictures: one that is shown once more is not read once more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding import finder
from railspotter.calibration.finding.alignment import Alignment
from railspotter.calibration.finding.feature_pose import SeenFeatures, see_features
from railspotter.calibration.finding.finder import find_aligned, find_board
from railspotter.calibration.pose import NotFound, Pose
from railspotter.calibration.profiles.profile import Profile
from railspotter.table.live_table import board_watch, rebuilding
from railspotter.table.photos import score
from railspotter.vision.watching.looks import Look, LookRead, read

Found = TypeVar("Found")
MOST_KEPT = 24  # a few megabytes each


def digest(*parts: Any) -> bytes:
    """Return what is the same for arrays and values that are the same."""
    found = sha256()
    for part in parts:
        is_array = isinstance(part, np.ndarray)
        found.update(np.ascontiguousarray(part).data if is_array else repr(part).encode())
    return found.digest()


class KeptReadings:
    """Reads looks and finds boards as the program does, each of them once.

    What a copy's prints were seen to do in earlier looks is that of the first time.
    """

    def __init__(self) -> None:
        self._read: dict[bytes, LookRead] = {}
        self._found: dict[bytes, Pose | NotFound] = {}

    def read(self, look: Look) -> LookRead:
        """Return what a look says."""
        printed, pose = look.printed, look.pose
        prints = printed.board.id, printed.print_offsets_mm, printed.nudges_mm, printed.px_per_mm
        arrays = look.picture, printed.reference, pose.frame_from_board, pose.bend_mm
        key = digest(*arrays, *prints, printed.drawn_routes, look.pieces, sorted(look.in_play))
        if key not in self._read:
            self._read[key] = read(look)
        return replace(self._read[key], at_s=look.at_s)

    def find_board(self, picture: Picture, profile: Profile) -> Pose | NotFound:
        """Return where a profile's board is in a picture."""
        key = digest(picture, profile.reference, profile.features.points, profile.lenses)
        if key not in self._found:
            self._found[key] = find_board(picture, profile)
        return self._found[key]


@contextmanager
def kept_readings() -> Iterator[None]:
    """Let live tables ask what was read, while the block runs."""
    kept = KeptReadings()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_watch, "read", kept.read)
        patch.setattr(rebuilding, "read", kept.read)
        patch.setattr(board_watch, "find_board", kept.find_board)
        yield


class KeptSearches:
    """What was found in pictures lately: many tests show the same one."""

    def __init__(self) -> None:
        self._found: OrderedDict[bytes, Any] = OrderedDict()

    def see_features(self, frame: Picture, longer_side_px: int, limit: int) -> SeenFeatures:
        """Return the features of a picture."""
        key = digest(frame, longer_side_px, limit)
        return self._kept(key, lambda: see_features(frame, longer_side_px, limit))

    def find_aligned(self, picture: Picture, profile: Profile) -> Alignment | NotFound:
        """Return where a profile's board is in a picture."""
        prints = profile.reference, profile.features.points, profile.features.descriptors
        key = digest(picture, *prints, profile.is_drawn, profile.lenses)
        return self._kept(key, lambda: find_aligned(picture, profile))

    def _kept(self, key: bytes, find: Callable[[], Found]) -> Found:
        if key not in self._found:
            self._found[key] = find()
        self._found.move_to_end(key)
        if len(self._found) > MOST_KEPT:
            self._found.popitem(last=False)
        found: Found = self._found[key]
        return found


@contextmanager
def kept_searches() -> Iterator[None]:
    """Let finding look for a picture's features once, and photos be searched once."""
    kept = KeptSearches()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finder, "see_features", kept.see_features)
        patch.setattr(score, "find_aligned", kept.find_aligned)
        yield
