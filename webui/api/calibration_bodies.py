"""What is sent with calls about where the board is; all strict, and described by these types."""

from __future__ import annotations

from typing import Annotated

import msgspec

from .board_bodies import Corner
from .bodies import Body

Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Step = Annotated[float, msgspec.Meta(ge=-100, le=100)]
Key = Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{1,80}(#[0-9]{1,2})?$")]
"""A route's or a site's id, or one of its spaces as `helena--seattle#2`."""


class Picture(Body, frozen=True):
    """A picture by its number; without it the newest."""

    picture: Number | None = None


class GivenCorners(Body, frozen=True):
    """The printed board's corners in a picture, clockwise from its top left.

    None: the program looks for them. They are moved onto the board's edge where it is clear, unless
    they are exact. Without its number the newest picture is meant.
    """

    corners_px: Annotated[list[Corner], msgspec.Meta(max_length=4)]
    picture: Number | None = None
    is_exact: bool = False


class Nudge(Body, frozen=True):
    """A route, or one space of it, and how far it is moved from where it is now."""

    key: Key
    dxy_mm: Annotated[list[Step], msgspec.Meta(min_length=2, max_length=2)]


class NudgedKey(Body, frozen=True):
    """A route or a space that was moved; without it all of them."""

    key: Key | None = None
