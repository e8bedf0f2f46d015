"""The virtual camera: renders pictures of one board, with their ground truth.

It keeps what did not change since the last one (the bare board, the pieces and their shadows), so
that a running game costs little; a scene's picture is the same whatever was taken before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from railspotter.scoring.board import Board, RouteId, Space

from ..arrays import Float64s, Picture
from .camera import CameraSetup, Projection, board_corners_mm
from .ground import lay_ground, lay_table
from .light import Exposure, Light, Sensor, SensorRecorder
from .pieces import Piece, piece_solids, plastic_ink
from .printed_copy import Copy
from .scene import BoardShift, Scene
from .solids import Solid
from .standing import OccupiedGround
from .things import Thing, thing_solids

# Where a space is looked at to tell how much of it is hidden, in its own length and width.
LOOKED_AT: Float64s = np.array(
    [(x, y) for x in np.linspace(-0.45, 0.45, 7) for y in (-0.4, 0, 0.4)]
)


@dataclass(frozen=True, eq=False)
class RenderedFrame:
    """A picture and its ground truth."""

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


class VirtualCamera:
    """A camera that looks at one copy of a board.

    `printed` is the board as the copy prints it; pieces and things are in its millimetres. `art` is
    its print, edge to edge, where that is not what the program draws of the copy. Raises
    `SceneError` for a board that was not measured, or a view that cannot see it.

    Examples
    --------
    >>> from railspotter.scoring.board import load_board
    >>> camera = VirtualCamera(load_board("usa"), view=CameraSetup((320, 240)))
    >>> train = Piece("train", "red", (643.9, 341.8), 0.0, route="atlanta--charleston", space=0)
    >>> frame = camera.take(Scene(pieces=(train,)))
    >>> frame.picture.shape, frame.spaces["atlanta--charleston"]
    ((240, 320, 3), ('red', None))
    """

    def __init__(
        self,
        board: Board,
        copy: Copy | None = None,
        view: CameraSetup | None = None,
        sensor: Sensor | None = None,
        table_seed: int = 0,
        art: Picture | None = None,
    ) -> None:
        self.copy = copy or Copy()
        self.printed = self.copy.printed(board)
        self.view = view or CameraSetup()
        self.sensor = sensor or Sensor()
        width, height = self.printed.size_mm
        self._table_seen = self.view.projection((width, height))
        self._bare_table = lay_table(table_seed, self._table_seen, (width / 2, height / 2))
        self._art = art
        self._recorder = SensorRecorder(self.sensor)
        self._standing: OccupiedGround | None = None
        self._standing_key: tuple[object, ...] = ()
        self._exposure: Exposure | None = None
        self._exposure_key: Light | None = None

    def take(self, scene: Scene) -> RenderedFrame:
        """Take a picture."""
        nudge, light = scene.nudge, scene.light
        # The lamp stays where it is when the board turns under it.
        lamp = replace(light, from_deg=light.from_deg - nudge.turn_deg)
        move = nudge.table_from_board_3d(self.printed.size_mm)
        seen = self._table_seen.of_moved_board(move)

        standing = self._board_standing(seen, nudge, lamp)
        standing.stand(scene.pieces)
        look = standing.passed_over(scene.things)
        picture = self._light_falling(light).expose(look.picture, look.varnish, light)
        corners_mm = board_corners_mm(self.printed.size_mm)
        rise = self.copy.height_mm(corners_mm, self.printed.size_mm)
        claims, spaces = _occupied(self.printed, scene.pieces)
        return RenderedFrame(
            picture=self._recorder.record(picture, scene.moment),
            projection=seen,
            frame_from_board=seen.frame_from_scene[:, [0, 1, 3]]
            @ np.diag([self.copy.scale, self.copy.scale, 1.0]),
            corners_px=seen.project(np.column_stack([corners_mm, rise])),
            claims=claims,
            spaces=spaces,
            pieces=scene.pieces,
            hidden=_hidden(self.printed, self.copy, seen, look.hidden),
        )

    def _board_standing(self, seen: Projection, nudge: BoardShift, lamp: Light) -> OccupiedGround:
        """Return the board in such light, with what stands on it since the last picture."""
        key = nudge, lamp.from_deg, lamp.height_deg, lamp.ambient, lamp.softness
        if self._standing is None or self._standing_key != key:
            ground = lay_ground(self.printed, self.copy, self._bare_table, seen, lamp, self._art)
            self._standing = OccupiedGround(ground, seen, lamp, self.solids_of)
            self._standing_key = key
        return self._standing

    def _light_falling(self, light: Light) -> Exposure:
        """Return how light of that kind falls, whatever its strength, its colour and the board."""
        key = replace(light, strength=1.0, gain_bgr=(1.0, 1.0, 1.0))
        if self._exposure is None or self._exposure_key != key:
            self._exposure = Exposure(self._table_seen, light, self.sensor)
            self._exposure_key = key
        return self._exposure

    def solids_of(self, item: Piece | Thing) -> Sequence[Solid]:
        """Return the bodies of what stands on this copy's board or lies over it."""
        if isinstance(item, Thing):
            return thing_solids(item)
        rise = float(self.copy.height_mm(item.xy_mm, self.printed.size_mm))
        raised = replace(item, z_mm=item.z_mm + rise)
        ink = plastic_ink(item.colour, self.copy.plastic_spread, self.copy.seed, item.kind)
        return piece_solids(raised, self.copy.train_size_mm, ink)
