"""Phones: their position at the board, and the processing of their pictures."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from railspotter.calibration.arrays import Float32s, Float64s, Mask, Points
from railspotter.calibration.geometry import outline_mm
from railspotter.simulation.virtual_board.camera import CameraSetup, Projection
from railspotter.simulation.virtual_board.errors import SceneError

from hardships.renderings import sharpen, to_srgb
from teaching.relighting import add_noise, blur, change_tones

PHONES = 10  # there are: their numbers name them
FILM_MM = 43.27  # the diagonal that focal lengths are equivalent to
WIDE_MM = (12.5, 14.0)  # of a phone's .5x lens
BLUR_SHARE = 0.4  # how much less phones blur a still board than what a net is taught with
MARGIN_PX = 6  # the board keeps at least so far from the picture's edge


@dataclass(frozen=True)
class Phone:
    """A phone: its lenses and its processing."""

    name: str
    focal_mm: float  # equivalent
    wide_mm: float
    wide_k1: float  # what its maker leaves of the wide lens's barrel
    balanced: float  # share of a lamp's colour that it takes out
    sharpening: float
    quality: int  # of its JPEG files
    tones: int  # seed of its tone curve and colours

    @classmethod
    def of(cls, number: int) -> "Phone":
        """Return a random phone."""
        rng = np.random.default_rng([number, 109])
        return cls(
            f"phone-{number}",
            rng.uniform(24, 28),
            rng.uniform(*WIDE_MM),
            rng.uniform(-0.08, 0.0),
            rng.uniform(0.45, 1.0),
            rng.uniform(0.0, 0.9),
            int(rng.integers(60, 96)),
            int(rng.integers(1 << 30)),
        )


@dataclass(frozen=True, eq=False)
class CameraView:
    """The camera of a picture."""

    projection: Projection
    tilt_deg: float
    heading_deg: float
    roll_deg: float
    distance_mm: float
    focal_mm: float


def aim_phone(
    phone: Phone,
    size_mm: tuple[float, float],
    size_wh: tuple[int, int],
    tilt_deg: tuple[float, float],
    rng: Generator,
) -> CameraView:
    """Point a phone at a board from a random position, with all of it in the picture."""
    wide = rng.random() < 0.15
    focal_mm, k1 = (phone.wide_mm, phone.wide_k1) if wide else (phone.focal_mm, 0.0)
    focal_px = focal_mm / FILM_MM * float(np.hypot(*size_wh))
    upright = rng.random() < 0.75  # most people stand at a long side and hold it level
    tilt, heading = float(rng.uniform(*tilt_deg)), float(rng.uniform(-180, 180))
    if upright:
        heading = float(rng.choice([0.0, 180.0, 90.0, -90.0], p=[0.6, 0.2, 0.1, 0.1]))
        heading += float(rng.normal(0, 12))
    roll = float(rng.normal(0, 5)) if upright else float(rng.uniform(-180, 180))
    fill = float(rng.uniform(0.72, 0.96) if rng.random() < 0.8 else rng.uniform(0.4, 0.72))
    setup = CameraSetup(size_wh, tilt, heading, roll, fill=fill, k1=k1)
    if _is_upright(setup, size_mm) != (size_wh[1] > size_wh[0]) and rng.random() < 0.9:
        setup = replace(setup, size_wh=size_wh[::-1])
    projection, distance = _project_with_focal(setup, size_mm, focal_px)
    return CameraView(_rotate(projection, size_mm, rng), tilt, heading, roll, distance, focal_mm)


def _is_upright(setup: CameraSetup, size_mm: tuple[float, float]) -> bool:
    """Tell whether the board appears taller than wide."""
    far = replace(setup, distance_mm=5000.0).projection(size_mm)
    seen = far.project(np.column_stack([outline_mm(size_mm), np.zeros(4)]))
    wide, high = np.ptp(seen, axis=0)
    return bool(high > wide)


def _project_with_focal(
    setup: CameraSetup, size_mm: tuple[float, float], focal_px: float
) -> tuple[Projection, float]:
    """Return the projection through a lens of that length, and its distance."""
    low, high = 300.0, 6000.0
    for _ in range(30):
        middle = (low + high) / 2
        try:
            near = replace(setup, distance_mm=middle).projection(size_mm).lens.focal_px < focal_px
        except SceneError:
            near = True
        low, high = (middle, high) if near else (low, middle)
    return replace(setup, distance_mm=high).projection(size_mm), high


def _rotate(projection: Projection, size_mm: tuple[float, float], rng: Generator) -> Projection:
    """Return the camera slightly rotated, with the board off the picture's middle."""
    lens = projection.lens
    x, y = lens.centre_px
    sensor = np.array([(lens.focal_px, 0, x), (0, lens.focal_px, y), (0, 0, 1)])
    corners = np.column_stack([outline_mm(size_mm), np.zeros(4)])
    room = np.array(projection.size_wh) / 2 - np.abs(
        projection.project(corners) - lens.centre_px
    ).max(axis=0)
    for share in (1.0, 0.6, 0.3):
        right, down = share * rng.uniform(-1, 1, 2) * room / lens.focal_px
        turn = np.asarray(cv2.Rodrigues(np.array([down, -right, 0.0]))[0], np.float64)
        camera = sensor @ turn @ np.linalg.inv(sensor) @ projection.frame_from_scene
        turned = replace(projection, frame_from_scene=np.asarray(camera, np.float64))
        seen = turned.project(corners)
        last = np.array(projection.size_wh) - 1 - MARGIN_PX
        if (seen > MARGIN_PX).all() and (seen < last).all():
            return turned
    return projection


def containing_pinhole(projection: Projection) -> Projection:
    """Return a pinhole projection that contains all of a distorting lens' picture."""
    lens = projection.lens
    if lens.k1 == lens.k2 == 0:
        return projection
    width, height = projection.size_wh
    edge = np.array([(x, y) for x in (0, width - 1) for y in (0, height - 1)], np.float64)
    spread = np.abs(lens.undistort(edge) - lens.centre_px).max(axis=0)
    wider = np.ceil(spread + 1).astype(int) * 2
    shift = np.eye(3)
    shift[:2, 2] = (wider - 1) / 2 - np.array(lens.centre_px)
    centre = float((wider[0] - 1) / 2), float((wider[1] - 1) / 2)
    return Projection(
        np.asarray(shift @ projection.frame_from_scene, np.float64),
        replace(lens, centre_px=centre, k1=0.0, k2=0.0),
        (int(wider[0]), int(wider[1])),
    )


def apply_lens(light: Float32s, projection: Projection, pinhole: Projection) -> Float32s:
    """Return the lens' picture, distorted from the pinhole's."""
    if pinhole is projection:
        return light
    width, height = projection.size_wh
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    at: Points = projection.lens.undistort(np.column_stack([x.ravel(), y.ravel()]))
    at = at + np.subtract(pinhole.lens.centre_px, projection.lens.centre_px)
    from_x, from_y = at.T.astype(np.float32).reshape(2, height, width)
    return np.asarray(cv2.remap(light, from_x, from_y, cv2.INTER_LINEAR), np.float32)


def develop_jpeg(
    light: Float32s,
    on_board: Mask,
    lamp_bgr: Float64s,
    is_dim: bool,
    px_per_mm: float,
    phone: Phone,
    rng: Generator,
) -> bytes:
    """Return a phone's JPEG file of linear light.

    What is beside the board, where not `on_board`, counts less for the exposure. `lamp_bgr` is the
    colour of the light that falls on the board, of which there `is_dim` so little that its noise is
    seen.
    """
    balance = (lamp_bgr / lamp_bgr.mean()) ** (-phone.balanced) * np.exp(rng.normal(0, 0.03, 3))
    exposed = light * balance.astype(np.float32)
    grey = exposed.mean(axis=-1)
    board = grey[on_board]
    around = np.minimum(grey, 4 * np.median(board))
    mean = 0.6 * float(board.mean()) + 0.4 * float(around.mean())
    gain = min(0.24 / mean, 1.1 / float(np.percentile(board, 98)))
    exposed *= np.float32(gain * np.exp(rng.normal(0, 0.22)))
    exposed = blur(exposed, BLUR_SHARE * px_per_mm, rng)
    if is_dim or rng.random() < 0.2:
        exposed = add_noise(np.minimum(exposed, np.float32(4)), rng)
    levels = change_tones(to_srgb(exposed), px_per_mm, np.random.default_rng(phone.tones))
    levels = sharpen(levels, phone.sharpening)
    quality = [cv2.IMWRITE_JPEG_QUALITY, phone.quality]
    return cv2.imencode(".jpg", levels, quality)[1].tobytes()
