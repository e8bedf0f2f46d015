"""A picture of the virtual board and what is true of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from railspotter.scoring.board import Board, RouteId, Space

from ..arrays import Float64s, Picture
from .camera import Projection, board_corners_mm
from .pieces import Piece
from .printed_copy import Copy

# Where a space is looked at to tell how much of it is hidden, in its own length and width.
LOOKED_AT: Float64s = np.array(
    [(x, y) for x in np.linspace(-0.45, 0.45, 7) for y in (-0.4, 0, 0.4)]
)


@dataclass(frozen=True, eq=False)
class RenderedFrame:
    """A picture and what is true of it."""

    picture: Picture  # (H, W, 3) uint8 array, BGR
    # maps any point of the scene to pixels, the lens included; a pixel's coordinates are those of
    # its middle
    projection: Projection
    # (3, 3) float64 array: Maps the board file's millimetres to pixels, as far as a pinhole goes
    # and a board is flat
    frame_from_board: Float64s
    # (4, 2) float64 array: The printed board's outer corners TL, TR, BR, BL, as they are seen
    corners_px: Float64s
    # colour for each route that any train stands on; that of the first, if they differ
    claims: dict[RouteId, str]
    # for every route of the board, what stands on each space from `a` to `b`; None for empty
    spaces: dict[RouteId, tuple[str | None, ...]]
    pieces: tuple[Piece, ...]  # where every piece really stands, in the copy's millimetres
    # for every route, the share of each space, 0 to 1, that a thing is before or that is outside
    # of the picture; told from 21 points
    hidden: dict[RouteId, tuple[float, ...]]

    @property
    def frame_from_scene(self) -> Float64s:
        """Maps (x, y, z) in the copy's millimetres to pixels as a pinhole does, (3, 4)."""
        return self.projection.frame_from_scene


def frame_of(
    picture: Picture,
    pieces: tuple[Piece, ...],
    mask: Picture,
    seen: Projection,
    printed: Board,
    copy: Copy,
) -> RenderedFrame:
    """Return the frame of a picture."""
    corners_mm = board_corners_mm(printed.size_mm)
    rise = copy.height_mm(corners_mm, printed.size_mm)
    frame_from_printed = seen.frame_from_scene[:, [0, 1, 3]]
    claims, spaces = _occupied(printed, pieces)
    return RenderedFrame(
        picture=picture,
        projection=seen,
        frame_from_board=frame_from_printed @ np.diag([copy.scale, copy.scale, 1.0]),
        corners_px=seen.project(np.column_stack([corners_mm, rise])),
        claims=claims,
        spaces=spaces,
        pieces=pieces,
        hidden=_hidden(printed, copy, seen, mask),
    )


def _occupied(
    board: Board, pieces: Sequence[Piece]
) -> tuple[dict[RouteId, str], dict[RouteId, tuple[str | None, ...]]]:
    claims: dict[RouteId, str] = {}
    standing: dict[RouteId, list[str | None]] = {
        route.id: [None] * route.length for route in board.routes
    }
    for piece in pieces:
        if piece.route is not None and piece.space is not None:
            claims.setdefault(piece.route, piece.colour)
            standing[piece.route][piece.space] = piece.colour
    return claims, {route: tuple(colours) for route, colours in standing.items()}


def _hidden(
    board: Board, copy: Copy, seen: Projection, mask: Picture
) -> dict[RouteId, tuple[float, ...]]:
    at_mm = _looked_at([space for route in board.routes for space in route.spaces])
    rise = copy.height_mm(at_mm, board.size_mm)
    at_px = np.rint(seen.project(np.column_stack([at_mm, rise]))).astype(int)
    height, width = mask.shape
    is_outside = (at_px < 0).any(axis=1) | (at_px >= (width, height)).any(axis=1)
    column, row = np.clip(at_px, 0, (width - 1, height - 1)).T
    is_hidden = is_outside | (mask[row, column] > 127)
    shares = iter(is_hidden.reshape(-1, len(LOOKED_AT)).mean(axis=1).tolist())
    return {route.id: tuple(next(shares) for _ in route.spaces) for route in board.routes}


def _looked_at(spaces: Sequence[Space]) -> Float64s:
    """Return the points of all spaces where they are looked at, one space after another."""
    angles = np.deg2rad([space.angle_deg for space in spaces])
    along = np.column_stack([np.cos(angles), np.sin(angles)])
    across = np.column_stack([-along[:, 1], along[:, 0]])
    off = LOOKED_AT * np.array([space.size_mm for space in spaces])[:, None]
    middles = np.array([space.xy_mm for space in spaces])
    at_mm = middles[:, None] + off[..., :1] * along[:, None] + off[..., 1:] * across[:, None]
    return np.asarray(at_mm.reshape(-1, 2), np.float64)
