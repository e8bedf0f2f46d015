"""The camera over a composed game: things over the board, light, sensor noise and movement."""

from collections.abc import Collection
from dataclasses import dataclass, field

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Picture
from railspotter.calibration.geometry import project
from railspotter.simulation.virtual_board.board_renderer import cast_shadows
from railspotter.simulation.virtual_board.camera import Projection, VirtualLens
from railspotter.simulation.virtual_board.light import Light, Sensor, SensorRecorder
from railspotter.simulation.virtual_board.scene import BoardShift
from railspotter.simulation.virtual_board.solids import draw_mask, paint_solid
from railspotter.simulation.virtual_board.things import Thing, thing_solid

from composed.laid_train import LaidTrain
from composed.stage import Stage
from composed.table import ComposedTable
from photos.labelled import LabelledPhoto

# Adds nothing: the photos brought their own blur and noise along.
NOISELESS = Sensor(blur_px=0.0, vignette=0.0, noise=0.0)
# Adds a little of both, as the camera of a composed game does.
SENSOR = Sensor(blur_px=0.0, vignette=0.0, noise=1.5, jpeg_quality=90)


@dataclass(frozen=True)
class Moment:
    """What the camera sees besides the trains, at one moment."""

    things: tuple[Thing, ...] = ()  # rendered hands, cups and cards over the board
    brightness: float = 1.0
    # A cast: (0.3, 0.7, 1) is an orange lamp that the camera did not correct.
    gain_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    lamp: Light = field(default_factory=Light)  # where the light on the things comes from
    # How far the board was pushed. The table goes with it, as if camera and lamp had gone the
    # other way.
    push: BoardShift = field(default_factory=BoardShift)
    number: int = 0  # seeds the noise

    def push_transform(self, stage: Stage) -> Float64s:
        """Return the (3, 3) transformation of pixels by the push."""
        flat = stage.frame_from_board
        return np.asarray(flat @ _push_on_board(self.push, stage) @ np.linalg.inv(flat))


@dataclass(frozen=True, eq=False)
class ComposedPicture:
    """A picture of the composed game, with its ground truth."""

    picture: Picture
    truth: LabelledPhoto


class ComposedCamera:
    """Takes pictures of a composed table."""

    def __init__(self, table: ComposedTable, sensor: Sensor = NOISELESS) -> None:
        self._table = table
        self._recorder = SensorRecorder(sensor)
        stage = table.stage
        size_wh = stage.surroundings.shape[1::-1]
        self._projection = projection_of(stage.frame_from_board, stage.eye_mm, size_wh)

    def take(self, trains: Collection[LaidTrain], moment: Moment | None = None) -> ComposedPicture:
        """Take a picture; the same trains and moment give the same bytes."""
        moment = moment or Moment()
        picture = self._table.picture(trains)
        truth = self._table.truth(trains)
        mask = np.zeros(picture.shape[:2], np.uint8)
        for thing in moment.things:
            paint_thing(picture, mask, thing, self._projection, moment.lamp)
        if moment.push != BoardShift():
            moved = moment.push_transform(self._table.stage)
            picture = np.asarray(
                cv2.warpPerspective(
                    picture, moved, picture.shape[1::-1], borderMode=cv2.BORDER_REFLECT_101
                ),
                np.uint8,
            )
            truth.truth["corners_px"] = project(moved, self._table.stage.corners_px).tolist()
        picture = _apply_gain(picture, moment.brightness * np.array(moment.gain_bgr))
        return ComposedPicture(self._recorder.record(picture, moment.number), truth)


def projection_of(
    flat: Float64s, eye_mm: tuple[float, float, float], size_wh: tuple[int, int]
) -> Projection:
    """Return the projection of points above the board, from its homography and the eye."""
    x, y, z = eye_mm
    upward = -(flat @ (x, y, 1)) / z
    frame_from_scene = np.column_stack([flat[:, 0], flat[:, 1], upward, flat[:, 2]])
    frame_from_scene /= np.linalg.norm(frame_from_scene[2, :3])  # depths are millimetres then
    width, height = size_wh
    lens = VirtualLens(float(max(size_wh)), ((width - 1) / 2, (height - 1) / 2))
    return Projection(frame_from_scene, lens, size_wh)


def _push_on_board(push: BoardShift, stage: Stage) -> Float64s:
    """Return the (3, 3) transformation of a push, in board millimetres."""
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    to = np.array([push.table_from_board((x, y), stage.size_mm) for x, y in corners])
    return np.array([[*(to[1:, i] - to[0, i]), to[0, i]] for i in range(2)] + [[0.0, 0.0, 1.0]])


def _apply_gain(picture: Picture, gain_bgr: Float64s) -> Picture:
    if np.array_equal(gain_bgr, np.ones(3)):
        return picture
    levels = np.clip(np.arange(256)[:, None] * gain_bgr + 0.5, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, levels[None]), np.uint8)


def paint_thing(
    picture: Picture, mask: Picture, thing: Thing, projection: Projection, light: Light
) -> None:
    """Paint a hand, cup or card with its shadow over a picture."""
    solid = thing_solid(thing)
    shade = np.zeros_like(mask)
    cast_shadows(shade, solid, projection, light)
    rows, columns = (np.flatnonzero(shade.any(axis=axis)) for axis in (1, 0))
    if len(rows):
        part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        left = 1 - (1 - light.ambient) / 255 * shade[part].astype(np.float32)
        picture[part] = picture[part] * left[..., None] + np.float32(0.5)
    paint_solid(picture, solid, projection, light)
    draw_mask(mask, solid, projection)
