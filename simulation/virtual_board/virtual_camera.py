"""The virtual camera: renders pictures of one board, with their ground truth.

Unchanged parts are cached between pictures, for speed; a scene's picture does not depend on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from railspotter.scoring.board import Board, RouteId, Space

from ..arrays import Float64s, Picture
from .board_renderer import BoardRenderer
from .camera import CameraSetup, Projection, board_corners_mm
from .ground import draw_bare_board, draw_table
from .light import Light, LightMap, Sensor, SensorRecorder
from .pieces import Piece, piece_solid, plastic_ink
from .printed_copy import Copy
from .scene import BoardShift, Scene
from .solids import Solid
from .things import Thing, thing_solid

# Points of a space that are tested for being hidden, in shares of its length and width.
SAMPLE_OFFSETS: Float64s = np.array(
    [(x, y) for x in np.linspace(-0.45, 0.45, 7) for y in (-0.4, 0, 0.4)]
)


@dataclass(frozen=True, eq=False)
class RenderedFrame:
    """A picture and its ground truth."""

    picture: Picture  # (H, W, 3) uint8 array, BGR
    projection: Projection  # of scene points to pixels, with the lens' distortion
    # (3, 3): maps the board file's millimetres to pixels, without distortion and folds
    frame_from_board: Float64s
    corners_px: Float64s  # (4, 2): the printed board's outer corners TL, TR, BR, BL
    # for each route with any train the colour of the first one
    claims: dict[RouteId, str]
    # for every route the colour on each space from `a` to `b`; None for empty
    spaces: dict[RouteId, tuple[str | None, ...]]
    pieces: tuple[Piece, ...]  # in the copy's millimetres
    # for every route the share of each space, 0 to 1, that is behind a thing or outside of the
    # picture
    hidden: dict[RouteId, tuple[float, ...]]


def _claims_and_spaces(
    board: Board, pieces: Sequence[Piece]
) -> tuple[dict[RouteId, str], dict[RouteId, tuple[str | None, ...]]]:
    claims: dict[RouteId, str] = {}
    spaces: dict[RouteId, list[str | None]] = {
        route.id: [None] * route.length for route in board.routes
    }
    for piece in pieces:
        if piece.route is not None and piece.space is not None:
            claims.setdefault(piece.route, piece.colour)
            spaces[piece.route][piece.space] = piece.colour
    return claims, {route: tuple(colours) for route, colours in spaces.items()}


def _hidden_shares(
    board: Board, copy: Copy, projection: Projection, mask: Picture
) -> dict[RouteId, tuple[float, ...]]:
    at_mm = _sample_points([space for route in board.routes for space in route.spaces])
    rise = copy.height_mm(at_mm, board.size_mm)
    at_px = np.rint(projection.project(np.column_stack([at_mm, rise]))).astype(int)
    height, width = mask.shape
    is_outside = (at_px < 0).any(axis=1) | (at_px >= (width, height)).any(axis=1)
    column, row = np.clip(at_px, 0, (width - 1, height - 1)).T
    is_hidden = is_outside | (mask[row, column] > 127)
    shares = iter(is_hidden.reshape(-1, len(SAMPLE_OFFSETS)).mean(axis=1).tolist())
    return {route.id: tuple(next(shares) for _ in route.spaces) for route in board.routes}


def _sample_points(spaces: Sequence[Space]) -> Float64s:
    """Return the tested points of all spaces in millimetres, (N, 2), space by space."""
    angles = np.deg2rad([space.angle_deg for space in spaces])
    along = np.column_stack([np.cos(angles), np.sin(angles)])
    across = np.column_stack([-along[:, 1], along[:, 0]])
    off = SAMPLE_OFFSETS * np.array([space.size_mm for space in spaces])[:, None]
    middles = np.array([space.xy_mm for space in spaces])
    at_mm = middles[:, None] + off[..., :1] * along[:, None] + off[..., 1:] * across[:, None]
    return np.asarray(at_mm.reshape(-1, 2), np.float64)


class VirtualCamera:
    """A camera above one copy of a board.

    Pieces and things are in the millimetres of `printed`, the copy's board. `art` is a picture of
    its print, edge to edge; by default the copy is drawn. Raises `SceneError` for an unmeasured
    board, or a view that does not contain it.

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
        self._table_projection = self.view.projection((width, height))
        self._bare_table = draw_table(table_seed, self._table_projection, (width / 2, height / 2))
        self._art = art
        self._recorder = SensorRecorder(self.sensor)
        self._renderer = lru_cache(1)(self._new_renderer)
        self._light_map = lru_cache(1)(
            partial(LightMap, self._table_projection, sensor=self.sensor)
        )

    def take(self, scene: Scene) -> RenderedFrame:
        """Render a picture of a scene."""
        shift, light = scene.shift, scene.light
        # The lamp stays where it is when the board turns under it.
        lamp = Light(
            from_deg=light.from_deg - shift.turn_deg,
            height_deg=light.height_deg,
            ambient=light.ambient,
            softness=light.softness,
        )
        renderer = self._renderer(shift, lamp)
        projection = renderer.projection
        renderer.set_pieces(scene.pieces)
        unlit, varnish, covered = renderer.with_things(scene.things)
        light_map = self._light_map(replace(light, strength=1.0, gain_bgr=(1.0, 1.0, 1.0)))
        picture = light_map.apply(unlit, varnish, light)
        corners_mm = board_corners_mm(self.printed.size_mm)
        rise = self.copy.height_mm(corners_mm, self.printed.size_mm)
        claims, spaces = _claims_and_spaces(self.printed, scene.pieces)
        return RenderedFrame(
            picture=self._recorder.record(picture, scene.moment),
            projection=projection,
            frame_from_board=projection.frame_from_scene[:, [0, 1, 3]]
            @ np.diag([self.copy.scale, self.copy.scale, 1.0]),
            corners_px=projection.project(np.column_stack([corners_mm, rise])),
            claims=claims,
            spaces=spaces,
            pieces=scene.pieces,
            hidden=_hidden_shares(self.printed, self.copy, projection, covered),
        )

    def _new_renderer(self, shift: BoardShift, lamp: Light) -> BoardRenderer:
        on_table = self._table_projection
        move = shift.table_from_board_3d(self.printed.size_mm)
        projection = replace(on_table, frame_from_scene=on_table.frame_from_scene @ move)
        ground = draw_bare_board(
            self.printed, self.copy, self._bare_table, projection, lamp, self._art
        )
        return BoardRenderer(ground, projection, lamp, self.solid_of)

    def solid_of(self, item: Piece | Thing) -> Solid:
        """Return the solid of a piece or thing on this copy's board."""
        if isinstance(item, Thing):
            return thing_solid(item)
        rise = float(self.copy.height_mm(item.xy_mm, self.printed.size_mm))
        raised = replace(item, z_mm=item.z_mm + rise)
        ink = plastic_ink(item.colour, self.copy.plastic_spread, self.copy.seed, item.kind)
        return piece_solid(raised, self.copy.train_size_mm, ink)
