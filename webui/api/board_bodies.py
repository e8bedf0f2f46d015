"""What is sent with calls about the user's boards; all strict, and described by these types."""

from __future__ import annotations

from typing import Annotated

import msgspec
from railspotter.scoring.board import Identifier

from .bodies import Body

Seen = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""The number of the draft that was looked at."""
Side = Annotated[float, msgspec.Meta(ge=100, le=2000)]
SpaceSide = Annotated[float, msgspec.Meta(ge=3, le=100)]
Pixel = Annotated[float, msgspec.Meta(ge=-1000, le=100_000)]
Corner = Annotated[list[Pixel], msgspec.Meta(min_length=2, max_length=2)]


class NewBoard(Body, frozen=True):
    """A board to make; `onto` is one to complete or change, the others may then be missing."""

    title: Annotated[str, msgspec.Meta(max_length=80)] = ""
    width_mm: Side | None = None
    height_mm: Side | None = None
    onto: Identifier | None = None


class BoardCorners(Body, frozen=True):
    """The printed board's corners in the photo, clockwise from its top left; none: all of it."""

    corners_px: Annotated[list[Corner], msgspec.Meta(max_length=4)]


class SeenDraft(Body, frozen=True):
    """The draft that was seen."""

    seen: Seen


class SpaceSize(Body, frozen=True):
    """The size of a printed space; without it, it is estimated."""

    length_mm: SpaceSide | None = None
    width_mm: SpaceSide | None = None
