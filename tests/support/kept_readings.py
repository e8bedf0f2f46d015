"""What the reader said of pictures: one that is shown once more is not read once more."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.calibration.finding.feature_pose import FrameFeatures, SeenFeatures
from railspotter.calibration.finding.ways import (
    Candidate,
    FindBy,
    FoundByNone,
    FoundPose,
    find_board,
)
from railspotter.table.live_table import board_watch, watched_board
from railspotter.vision.watching.looks import Look, LookRead, read

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
        self._found: dict[bytes, FoundPose | FoundByNone] = {}

    def read(self, look: Look) -> LookRead:
        """Return what a look says."""
        printed, pose = look.printed, look.pose
        prints = printed.board.id, printed.print_offsets_mm, printed.nudges_mm, printed.px_per_mm
        arrays = look.picture, printed.reference, pose.frame_from_board, pose.bend_mm
        key = digest(*arrays, *prints, printed.drawn_routes, look.pieces, sorted(look.in_play))
        if key not in self._read:
            self._read[key] = read(look)
        return replace(self._read[key], at_s=look.at_s)

    def find_board(
        self, frames: list[Picture], candidates: list[Candidate], methods: list[FindBy]
    ) -> FoundPose | FoundByNone:
        """Return where a profile's board is in a picture."""
        profile = candidates[0].profile
        assert profile is not None
        key = digest(frames[0], profile.reference, profile.features.points, profile.lenses)
        if key not in self._found:
            self._found[key] = find_board(frames, candidates, methods)
        return self._found[key]


@contextmanager
def kept_readings() -> Iterator[None]:
    """Let live tables ask what was read, while the block runs."""
    kept = KeptReadings()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_watch, "read", kept.read)
        patch.setattr(watched_board, "find_board", kept.find_board)
        yield


@contextmanager
def kept_searches() -> Iterator[None]:
    """Let a picture's features be looked for once while it is shown again and again."""
    lately: OrderedDict[bytes, SeenFeatures] = OrderedDict()

    look = FrameFeatures.at

    def seen(features: FrameFeatures, longer_side_px: int, limit: int) -> SeenFeatures:
        key = digest(features.frame, longer_side_px, limit)
        if key not in lately:
            lately[key] = look(features, longer_side_px, limit)
        lately.move_to_end(key)
        if len(lately) > MOST_KEPT:
            lately.popitem(last=False)
        return lately[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FrameFeatures, "at", seen)
        yield
