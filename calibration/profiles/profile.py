"""A profile: what calibrating saves of one copy of a board.

It is a value: whatever changes it makes a new one. `profile_file.py` has it as a file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from railspotter.scoring.board import Board, RouteId

from ..arrays import Mask, Picture
from ..errors import PatchError
from ..lenses import Lens
from .camera_mode import CameraMode
from .features import Features
from .learned_colour import LearnedColour
from .quality import Quality

Offset = tuple[float, float]
SpaceKey = str
"""One space: its route's id, `#`, and its number from the route's `a`, counted from 0."""


def space_key(route: RouteId, number: int) -> SpaceKey:
    """Return the key of one space of a route.

    Examples
    --------
    >>> space_key("helena--seattle", 2)
    'helena--seattle#2'
    """
    return f"{route}#{number}"


def route_of_key(key: SpaceKey) -> RouteId:
    """Return the route of a space's key.

    Examples
    --------
    >>> route_of_key("helena--seattle#2")
    'helena--seattle'
    """
    return key.rpartition("#")[0]


def space_keys(board: Board) -> tuple[SpaceKey, ...]:
    """Return the keys of all measured spaces of a board, route by route.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> len(space_keys(load_board("usa")))
    309
    """
    return tuple(
        space_key(route.id, number) for route in board.routes for number in range(len(route.spaces))
    )


@dataclass(frozen=True, eq=False)
class Profile:
    """One copy of a board, as its owner photographed it empty.

    Attributes
    ----------
    name : str
    board : str
        The id of the board.
    size_mm : tuple of float
        Width and height of the printed board. All millimetres of a profile are this copy's own,
        which are the board file's times `scale`.
    made_at : str
        UTC time of making, ISO 8601.
    reference : (H, W, 3) uint8 array, BGR
        The empty board seen from straight above, edge to edge.
    px_per_mm : float
        The reference's scale: H and W are the board's size times this.
    features : Features
        The print's features, points in board millimetres.
    print_offsets_mm : mapping of route id to (dx, dy)
        Where this copy's reference shows the route's spaces, less where the board file has them.
    is_drawn : bool
        Whether the reference was drawn by the program, for want of a photo; such a profile is not
        saved.
    lenses : mapping of camera to Lens
        Of the cameras that this board was seen by often enough, under names of the user's own.
    quality : Quality, optional
        How good the photos were that it was made from; None for one of an older version.
    nudges_mm : mapping of route id or space key to (dx, dy)
        How far a person moved a route, or one space of it, from where it was measured; both add up.
        `nudges.py` makes and takes them back.
    scale : float, optional
        How much larger this copy is than the board file has it, where its owner measured it; None
        where nobody did, and the board file's size is assumed.
    colours : mapping of train colour to tuple of LearnedColour
        What the plastic of this box looked like, one for each light it was learned in.
    unseen : frozenset of space key
        Spaces that the reference does not show free: trains lay there when it was taken.
    made_with : CameraMode, optional
        The camera that took the reference, and how large its pictures were.
    """

    name: str
    board: str
    size_mm: tuple[float, float]
    made_at: str
    reference: Picture
    px_per_mm: float
    features: Features
    print_offsets_mm: Mapping[RouteId, Offset]
    is_drawn: bool = False
    lenses: Mapping[str, Lens] = field(default_factory=dict)
    quality: Quality | None = None
    nudges_mm: Mapping[RouteId | SpaceKey, Offset] = field(default_factory=dict)
    scale: float | None = None
    colours: Mapping[str, tuple[LearnedColour, ...]] = field(default_factory=dict)
    unseen: frozenset[SpaceKey] = frozenset()
    made_with: CameraMode | None = None

    def with_patch(
        self,
        patch: Picture,
        at_px: tuple[int, int],
        is_shown: Mask | None = None,
        completed: Collection[SpaceKey] = (),
    ) -> Profile:
        """Return the profile with a part of its reference replaced, as spaces fall free.

        Features stay as they are: `reference.with_new_features` finds them anew, which takes a
        second.

        Parameters
        ----------
        patch : (h, w, 3) uint8 array, BGR
            The print from straight above, at the reference's scale and in its light.
        at_px : tuple of int
            Where the patch's top-left pixel lies in the reference: (column, row).
        is_shown : (h, w) bool array, optional
            The patch's pixels that are taken; without it all are.
        completed : collection of space key
            Spaces that the reference shows free from now on.

        Raises
        ------
        PatchError
            When the patch does not lie inside the reference.
        """
        column, row = at_px
        height, width = patch.shape[:2]
        inside = min(at_px) >= 0 and patch.shape[2:] == (3,)
        inside &= row + height <= self.reference.shape[0]
        inside &= column + width <= self.reference.shape[1]
        if not inside or (is_shown is not None and is_shown.shape != (height, width)):
            raise PatchError(
                f"a patch of shape {patch.shape!r} at {at_px!r} does not fit a reference of shape"
                f" {self.reference.shape!r}"
            )
        reference = self.reference.copy()
        part = reference[row : row + height, column : column + width]
        taken = np.ones((height, width), bool) if is_shown is None else is_shown
        part[taken] = patch[taken]
        return replace(self, reference=reference, unseen=self.unseen - frozenset(completed))
