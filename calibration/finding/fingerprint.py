"""A board's fingerprint: its print as numbers, distributed with the program.

It makes it possible to find and read a board that this user has never calibrated. It has features
(positions and gradient histograms), positions of printed routes, and a few colours, but no picture.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources

import numpy as np
from railspotter.scoring.board import Board, RouteId, board_names, load_board

from ..arrays import GreyPicture, Picture
from ..pose import Pose
from ..profiles.drawn_reference import PrintedColours, draw_reference
from ..profiles.features import Features
from ..profiles.profile import Offset, Profile
from ..profiles.reference import REFERENCE_PX_PER_MM
from .alignment import align_by_features
from .proof import LEAST_FEATURES_SEEN

NAME = "fingerprint"


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """One board's print as numbers."""

    features: Features  # points in board millimetres
    colours: PrintedColours
    # Offsets of routes on the copy it was made from, from the board file.
    print_offsets_mm: Mapping[RouteId, Offset]
    darkest: GreyPicture  # `darkest_print` of that copy

    def of_copy(self, scale: float | None) -> "Fingerprint":
        """Return the fingerprint in the millimetres of a copy of this scale (`Profile.scale`)."""
        if scale is None:
            return self
        features = replace(self.features, points=self.features.points * scale)
        offsets = {route: (x * scale, y * scale) for route, (x, y) in self.print_offsets_mm.items()}
        return replace(self, features=features, print_offsets_mm=offsets)


def load_fingerprint(board: Board) -> Fingerprint | None:
    """Load a board's fingerprint; None if it has none."""
    file = resources.files(__package__).joinpath("fingerprints", f"{board.id}.npz")
    if not file.is_file():
        return None
    return parse_fingerprint(file.read_bytes(), board)


def parse_fingerprint(content: bytes, board: Board) -> Fingerprint:
    """Parse a board's fingerprint from the content of its file."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        inks = dict(zip(arrays["ink_names"].tolist(), arrays["inks"], strict=True))
        offsets = arrays["print_offsets_mm"].astype(np.float64).tolist()
        return Fingerprint(
            Features(
                arrays["points_mm"].astype(np.float64),
                arrays["descriptors"],
                arrays["frames"].astype(np.float32),
            ),
            PrintedColours(arrays["ground"], inks),
            {route.id: (x, y) for route, (x, y) in zip(board.routes, offsets, strict=True)},
            arrays["darkest"],
        )


@lru_cache(maxsize=16)
def stand_in_profile(board: Board) -> Profile | None:
    """Return a profile for a board without calibration, cached.

    None if it has no fingerprint, as a user's board, even if it has the name of a known one.
    """
    is_known = board.id in board_names() and board == load_board(board.id)
    fingerprint = load_fingerprint(board) if is_known else None
    return None if fingerprint is None else stand_in_of(fingerprint, board)


def stand_in_of(fingerprint: Fingerprint, board: Board) -> Profile:
    """Return a profile with a reference drawn from a fingerprint (`Profile.is_drawn`)."""
    return Profile(
        name=NAME,
        board=board.id,
        size_mm=board.size_mm,
        made_at="",
        reference=draw_reference(
            fingerprint.colours, REFERENCE_PX_PER_MM, board, fingerprint.print_offsets_mm
        ),
        px_per_mm=REFERENCE_PX_PER_MM,
        features=fingerprint.features,
        print_offsets_mm=fingerprint.print_offsets_mm,
        is_drawn=True,
        darkest=fingerprint.darkest,
    )


def shows_print(photo: Picture, pose: Pose, fingerprint: Fingerprint) -> bool:
    """Tell whether a photo shows the print of a fingerprint at a pose."""
    aligned = align_by_features(photo, pose, fingerprint.features)
    return aligned.pose.agreement >= LEAST_FEATURES_SEEN
