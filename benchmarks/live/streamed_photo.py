"""A photo as a camera's stream: many slightly different pictures a second.

The photo is held, and trembles by parts of a pixel; now and then somebody knocks against the table;
the light drifts, the sensor is noisy. Drawn arms pass over the real pixels, and what an arm leaves
behind may be another photo.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from railspotter.calibration.arrays import Float64s, Mask, Picture
from railspotter.calibration.geometry import outline_mm, project
from railspotter.calibration.pose import viewpoint
from railspotter.simulation.virtual_board.camera import Projection
from railspotter.simulation.virtual_board.light import Light, Sensor, SensorRecorder
from railspotter.simulation.virtual_board.solids import draw_mask
from railspotter.simulation.virtual_board.things import Thing, thing_solid

from composed.camera import paint_thing, projection_of

SWEEP_S = 3.5  # an arm takes so long from one end of the board to the other
OVERRUN_MM = 120.0  # so far beside the board it begins and ends: out of what is watched
TREMBLE_PX = 0.05
SWAY_PX = 0.3
KNOCK_PX = 3.0
KNOCK_S = 0.6
# Of the light's brightness, up and down; chosen, as are the others: a webcam on an arm in the
# afternoon.
DRIFT = 0.04
CAST = 0.015
NOISE = 2.0


@dataclass(frozen=True)
class Sweep:
    """An arm that passes over the whole board, from left to right."""

    start_s: float
    # Which picture lies on the board behind it; None leaves what is there.
    uncovered: int | None = None

    @property
    def end_s(self) -> float:
        """The time at which it has left."""
        return self.start_s + SWEEP_S


@dataclass(frozen=True, eq=False)
class StreamedPhoto:
    """One or several photos of a board from one position, as a stream."""

    # sequence of (H, W, 3) uint8, BGR: the first one is there when the stream begins.
    pictures: Sequence[Picture]
    corners_px: Float64s  # (4, 2) float64: the board's corners in them: TL, TR, BR, BL
    size_mm: tuple[float, float]
    sweeps: tuple[Sweep, ...] = ()  # in their order, one after the other
    knocks_s: tuple[float, ...] = ()  # when somebody knocks against the table
    seed: int = 0
    _recorder: SensorRecorder = field(init=False, repr=False)
    _projection: Projection = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Set up the camera."""
        sensor = Sensor(blur_px=0.0, vignette=0.0, noise=NOISE, seed=self.seed)
        object.__setattr__(self, "_recorder", SensorRecorder(sensor))
        size_wh = self.pictures[0].shape[1::-1]
        found, _ = cv2.findHomography(outline_mm(self.size_mm), self.corners_px)
        frame_from_board = np.asarray(found, np.float64)
        eye = viewpoint(frame_from_board, size_wh)
        projection = projection_of(frame_from_board, (eye.x_mm, eye.y_mm, eye.height_mm), size_wh)
        object.__setattr__(self, "_projection", projection)

    def picture_at(self, t_s: float) -> Picture:
        """Return the picture at a time, the same bytes each time."""
        picture = self._scene_at(t_s)
        height, width = picture.shape[:2]
        place = np.array([[1, 0, 0], [0, 1, 0]], np.float64)
        place[:, 2] = self._shake_px(t_s)
        picture = np.asarray(
            cv2.warpAffine(picture, place, (width, height), borderMode=cv2.BORDER_REPLICATE),
            np.uint8,
        )
        levels = np.clip(np.arange(256)[:, None] * self._gain_bgr(t_s) + 0.5, 0, 255)
        lit = np.asarray(cv2.LUT(picture, levels.astype(np.uint8)[None]), np.uint8)
        return self._recorder.record(lit, round(1000 * t_s))

    def is_arm_over_at(self, t_s: float) -> bool:
        """Tell whether an arm is over the board."""
        return any(one.start_s <= t_s < one.end_s for one in self.sweeps)

    def picture_number_at(self, t_s: float) -> int:
        """Return the visible picture; while an arm passes, the earlier one."""
        shown = 0
        for sweep in self.sweeps:
            if sweep.end_s <= t_s and sweep.uncovered is not None:
                shown = sweep.uncovered
        return shown

    def _scene_at(self, t_s: float) -> Picture:
        before = self.pictures[self.picture_number_at(t_s)]
        sweep = next((one for one in self.sweeps if one.start_s <= t_s < one.end_s), None)
        if sweep is None:
            return before
        width, height = self.size_mm
        done = (t_s - sweep.start_s) / SWEEP_S
        x = -OVERRUN_MM + done * (width + 2 * OVERRUN_MM)
        # From the bottom edge over the whole board: the fingertips are beyond the top edge.
        arm = Thing("flat hand", (x, -20.0), angle_deg=-90.0, seed=self.seed, z_mm=40.0)
        mask = np.zeros(before.shape[:2], np.uint8)
        after = before if sweep.uncovered is None else self.pictures[sweep.uncovered]
        scene = before.copy()
        if after is not before:
            draw_mask(mask, thing_solid(arm), self._projection)
            behind = _left_mask(mask, self._arm_columns_px(x, height))
            scene[behind] = after[behind]
        paint_thing(scene, mask, arm, self._projection, Light(softness=0.15))
        return scene

    def _arm_columns_px(self, x_mm: float, height_mm: float) -> Float64s:
        """Return the column of the arm's axis for every row of the picture."""
        frame_from_board, _ = cv2.findHomography(outline_mm(self.size_mm), self.corners_px)
        ends = project(np.asarray(frame_from_board), np.array([(x_mm, 0.0), (x_mm, height_mm)]))
        rows = np.arange(self.pictures[0].shape[0])
        (x0, y0), (x1, y1) = ends
        return np.asarray(x0 + (rows - y0) * (x1 - x0) / (y1 - y0), np.float64)

    def _shake_px(self, t_s: float) -> Float64s:
        rng = np.random.default_rng([self.seed, 5, round(1000 * t_s)])
        phases = np.random.default_rng([self.seed, 6]).uniform(0, 2 * np.pi, 2)
        off = rng.normal(0.0, TREMBLE_PX, 2) + SWAY_PX * np.sin(2 * np.pi * 0.3 * t_s + phases)
        for knock_s in self.knocks_s:
            since_s = t_s - knock_s
            if 0 <= since_s < 3 * KNOCK_S:
                fading = KNOCK_PX * np.exp(-since_s / (KNOCK_S / 2))
                off = off + fading * np.array([np.sin(30 * since_s), np.cos(23 * since_s)])
        return np.asarray(off, np.float64)

    def _gain_bgr(self, t_s: float) -> Float64s:
        phases = np.random.default_rng([self.seed, 7]).uniform(0, 2 * np.pi, 4)
        turns = 2 * np.pi * t_s / np.array([9.0, 14.0, 17.0, 23.0]) + phases
        return np.asarray(1 + DRIFT * np.sin(turns[0]) + CAST * np.sin(turns[1:]), np.float64)


def _left_mask(mask: Picture, middle_px: Float64s) -> Mask:
    """Return the pixels left of an arm's middle, which hides the seam, or of a line."""
    columns = np.arange(mask.shape[1])
    covered = mask > 127
    count = covered.sum(axis=1)
    seen = (covered * columns).sum(axis=1) / np.maximum(count, 1)
    middle = np.where(count > 0, seen, middle_px)
    return np.asarray(columns[None, :] < middle[:, None])
