"""The camera over a composed game: what passes over the board, light, sensor and tripod."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.geometry import project
from railspotter.scoring.board import RouteId, Space
from railspotter.simulation.enactment.enactment import table_from_board
from railspotter.simulation.virtual_board.camera import Projection, VirtualLens
from railspotter.simulation.virtual_board.light import Light, Sensor, SensorRecorder
from railspotter.simulation.virtual_board.scene import BoardShift
from railspotter.simulation.virtual_board.solids import cover, paint_solids
from railspotter.simulation.virtual_board.standing import cast_shadows
from railspotter.simulation.virtual_board.things import Thing, thing_solids

from composed.laid import LaidTrain
from composed.stage import Stage
from composed.table import ComposedTable
from photos.labelled import LabelledPhoto

# Adds nothing: the photos brought their own blur and noise along.
STILL = Sensor(blur_px=0.0, vignette=0.0, noise=0.0)
# Adds a little of both, as the camera of a composed game does.
SENSOR = Sensor(blur_px=0.0, vignette=0.0, noise=1.5, jpeg_quality=90)
# Where a space is looked at to tell how much is hidden, in its own length and width.
LOOKED_AT = np.array([(u, v) for u in (-0.4, -0.2, 0, 0.2, 0.4) for v in (-0.35, 0, 0.35)])


@dataclass(frozen=True)
class Moment:
    """What the camera sees besides the trains.

    Attributes
    ----------
    shift_px, turn_deg, zoom :
        How the camera has moved since the first picture.
    """

    things: tuple[Thing, ...] = ()  # rendered hands, cups and cards over the board
    brightness: float = 1.0
    # A cast: (0.3, 0.7, 1) is an orange lamp that the camera did not correct.
    gain_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    lamp: Light = field(default_factory=Light)  # where the light on the things comes from
    shift_px: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    zoom: float = 1.0
    # How far the board was pushed since then. The table goes with it, as if camera and lamp had
    # gone the other way.
    push: BoardShift = field(default_factory=BoardShift)
    number: int = 0  # seeds the noise

    def moved(self, stage: Stage) -> Float64s:
        """Return where a pixel of the unmoved camera and board is now, (3, 3)."""
        size_wh = stage.surroundings.shape[1::-1]
        middle = ((size_wh[0] - 1) / 2, (size_wh[1] - 1) / 2)
        turn = np.asarray(cv2.getRotationMatrix2D(middle, -self.turn_deg, self.zoom), np.float64)
        turn[:, 2] += np.array(self.shift_px)
        camera = np.vstack([turn, [0, 0, 1]])
        if self.push == BoardShift():
            return np.asarray(camera, np.float64)
        flat = stage.frame_from_board
        return np.asarray(camera @ flat @ _pushed(self.push, stage) @ np.linalg.inv(flat))


@dataclass(frozen=True, eq=False)
class Taken:
    """A picture of the composed game and what is true of it."""

    picture: Picture
    truth: LabelledPhoto
    # For every route, how much of each space a thing covers, 0 to 1.
    hidden: dict[RouteId, tuple[float, ...]]


class ComposedCamera:
    """Takes pictures of a composed table."""

    def __init__(self, table: ComposedTable, sensor: Sensor = STILL) -> None:
        self._table = table
        self._recorder = SensorRecorder(sensor)
        self._projection = projection_of(table.stage)

    @property
    def stage(self) -> Stage:
        """The empty board that the trains are laid on."""
        return self._table.stage

    def take(self, trains: Collection[LaidTrain], moment: Moment | None = None) -> Taken:
        """Take a picture; the same trains and moment give the same bytes."""
        moment = moment or Moment()
        picture = self._table.picture(trains)
        truth = self._table.truth(trains)
        mask = np.zeros(picture.shape[:2], np.uint8)
        for thing in moment.things:
            pass_over(picture, mask, thing, self._projection, moment.lamp)
        hidden = self._hidden(mask)
        moved = moment.moved(self._table.stage)
        if not np.array_equal(moved, np.eye(3)):
            picture = np.asarray(
                cv2.warpPerspective(
                    picture, moved, picture.shape[1::-1], borderMode=cv2.BORDER_REFLECT_101
                ),
                np.uint8,
            )
            truth.truth["corners_px"] = project(moved, self._table.stage.corners_px).tolist()
        picture = _lit(picture, moment.brightness * np.array(moment.gain_bgr))
        return Taken(self._recorder.record(picture, moment.number), truth, hidden)

    def _hidden(self, mask: Picture) -> dict[RouteId, tuple[float, ...]]:
        return {
            route.id: tuple(self._hidden_share(mask, space) for space in route.spaces)
            for route in self._table.board.routes
        }

    def _hidden_share(self, mask: Picture, space: Space) -> float:
        if not mask.any():
            return 0.0
        turn = np.deg2rad(space.angle_deg)
        axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        at_mm = np.array(space.xy_mm) + (LOOKED_AT * space.size_mm) @ axes
        at_px = np.rint(project(self._table.stage.frame_from_board, at_mm)).astype(int)
        inside = np.all((at_px >= 0) & (at_px < mask.shape[::-1]), axis=1)
        column, row = np.clip(at_px, 0, np.array(mask.shape[::-1]) - 1).T
        return float(np.mean(~inside | (mask[row, column] > 127)))


def projection_of(stage: Stage) -> Projection:
    """Return how a stage's camera sees what is above the board.

    The board's own plane is seen as the stage has it; the camera's place says the rest.
    """
    flat = stage.frame_from_board
    x, y, z = stage.eye_mm
    upward = -(flat @ (x, y, 1)) / z
    frame_from_scene = np.column_stack([flat[:, 0], flat[:, 1], upward, flat[:, 2]])
    frame_from_scene /= np.linalg.norm(frame_from_scene[2, :3])  # depths are millimetres then
    height, width = stage.surroundings.shape[:2]
    lens = VirtualLens(float(max(width, height)), ((width - 1) / 2, (height - 1) / 2))
    return Projection(frame_from_scene, lens, (width, height))


def _pushed(push: BoardShift, stage: Stage) -> Float64s:
    """Return where a spot of the unpushed board is now, in board millimetres, (3, 3)."""
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    to = np.array([table_from_board((x, y), push, stage.size_mm) for x, y in corners])
    return np.array([[*(to[1:, i] - to[0, i]), to[0, i]] for i in range(2)] + [[0.0, 0.0, 1.0]])


def _lit(picture: Picture, gain_bgr: Float64s) -> Picture:
    if np.array_equal(gain_bgr, np.ones(3)):
        return picture
    levels = np.clip(np.arange(256)[:, None] * gain_bgr + 0.5, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, levels[None]), np.uint8)


def pass_over(
    picture: Picture, mask: Picture, thing: Thing, projection: Projection, light: Light
) -> None:
    """Paint a hand, cup or card and its shadow over real pixels."""
    solids = thing_solids(thing)
    shade = np.zeros_like(mask)
    cast_shadows(shade, solids, projection, light)
    rows, columns = (np.flatnonzero(shade.any(axis=axis)) for axis in (1, 0))
    if len(rows):
        part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        left = 1 - (1 - light.ambient) / 255 * shade[part].astype(np.float32)
        picture[part] = picture[part] * left[..., None] + np.float32(0.5)
    paint_solids(picture, solids, projection, light)
    cover(mask, solids, projection)
