"""One camera's lens from several pictures of the board.

A single picture of a board tells its lens as far as the board reaches in it, and takes a fold for
a little of the lens. Pictures from several sides have the lens in common and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Picture
from ..finding import Aligned, FindingSettings, find_aligned
from ..geometry import area_px2
from ..lenses import Lens, Sighting, fit_lens, no_lens
from ..pose import NotFound
from ..profiles import Profile

LEAST_VIEWS = 3
TOLERANCES_MM = (8.0, 3.0, 1.2)
"""A pose without a lens is bent by several millimetres; in the end a patch is as far off as
alignment allows."""
LEAST_BENDING = 0.01
"""Share of the half diagonal by which a lens moves the picture's corners. Below, a board's fold
looks like a lens when it is seen from much the same side each time: six labelled photos gave .005,
and others of that shoot fitted worse with it than without."""


def lens_of_camera(
    frames: Sequence[Picture], profile: Profile, settings: FindingSettings | None = None
) -> Lens | NotFound:
    """Return the lens of a camera by several of its pictures of one board.

    Parameters
    ----------
    frames : sequence of (H, W, 3) uint8 array, BGR
        From different sides, not cropped, all of one size.
    profile : Profile
        Of the board.

    Returns
    -------
    Lens or NotFound
        What `find_board` takes, one that bends nothing where there is no lens to speak of.
        `NotFound` where the board is found in fewer than three pictures.
    """
    found = (find_aligned(f, profile, settings) for f in frames if f.shape == frames[0].shape)
    views = [aligned for aligned in found if isinstance(aligned, Aligned)]
    if len(views) < LEAST_VIEWS:
        return NotFound(
            f"the board was found in {len(views)} pictures of one size: a camera's lens takes"
            f" {LEAST_VIEWS}, from different sides"
        )
    size_wh = frames[0].shape[1], frames[0].shape[0]
    lens = fit_lens(
        [_sighting(aligned) for aligned in views],
        _first_guess(views, size_wh),
        [mm * _px_per_mm(views) for mm in TOLERANCES_MM],
    ).lens
    bending = abs(float(lens.stretch(np.ones(1))[0]) - 1)
    return lens if bending >= LEAST_BENDING else replace(lens, bending=(0.0, 0.0, 0.0))


def _sighting(aligned: Aligned) -> Sighting:
    """Return where the print was seen that agrees."""
    at_mm, off_mm = aligned.at_mm[aligned.agrees], aligned.off_mm[aligned.agrees]
    return Sighting(at_mm, aligned.pose.seen_at(at_mm + off_mm), aligned.pose.frame_from_board)


def _first_guess(views: Sequence[Aligned], size_wh: tuple[int, int]) -> Lens:
    """Return the lens of the view that is surest of its own; none where none has one."""
    bent = [aligned for aligned in views if aligned.pose.lens is not None]
    surest = max(bent, key=lambda aligned: aligned.pose.agreement, default=None)
    lens = None if surest is None else surest.pose.lens
    return lens or no_lens(size_wh)


def _px_per_mm(views: Sequence[Aligned]) -> float:
    scales = [
        np.sqrt(area_px2(aligned.pose.corners_px) / np.prod(aligned.pose.size_mm))
        for aligned in views
    ]
    return float(np.mean(scales))
