"""Other boards than the one that is looked for: told by the fingerprints that come along."""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import cache
from importlib import resources

import numpy as np

from ..arrays import Picture
from ..profiles.features import Features
from .alignment import AlignmentSettings, align_by_features
from .feature_pose import FeatureSettings, SeenFeatures, poses_by_features


@cache
def known_prints() -> Mapping[str, Features]:
    """Return the features of every print that a fingerprint is of, by the board's id."""
    prints = {}
    for file in resources.files(__package__).joinpath("fingerprints").iterdir():
        board, dot, ending = file.name.rpartition(".")
        if dot and ending == "npz":
            with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as arrays:
                points = arrays["points_mm"].astype(np.float64)
                prints[board] = Features(points, arrays["descriptors"])
    return prints


def other_board_in(
    frame: Picture,
    seen: SeenFeatures,
    board: str,
    least_features_seen: float,
    features: FeatureSettings | None = None,
    alignment: AlignmentSettings | None = None,
) -> str | None:
    """Return the id of the board in a frame that is another than looked for, or None."""
    for name, print_of in known_prints().items():
        if name == board:
            continue
        width, height = print_of.points.max(axis=0).tolist()
        for pose in poses_by_features(seen, print_of, (width, height), features):
            aligned = align_by_features(frame, pose, print_of, alignment)
            if aligned.pose.agreement >= least_features_seen:
                return name
    return None
