"""The virtual camera's sensor: what becomes of the light behind the lens."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from ..arrays import Float32s, Picture
from .errors import SceneError, refuse_outside

NOISE_TILE_PX = 512  # side of the blocks that a picture's noise is laid in
# The block's noise starts anywhere in so many rows and columns of what is kept.
NOISE_SHIFT_PX = 128


@dataclass(frozen=True)
class Sensor:
    """How the camera records."""

    blur_px: float = 0.5  # standard deviation of the blur
    # how far, right and down, the picture moves while it is taken
    motion_px: tuple[float, float] = (0.0, 0.0)
    vignette: float = 0.2  # how much darker the corners of the picture are, 0 to 1
    noise: float = 2.5  # standard deviation of its noise in grey levels
    # 1 to 100, as a webcam or an upload compresses the picture; None leaves it alone
    jpeg_quality: int | None = None
    seed: int = 0  # another sensor's noise

    def __post_init__(self) -> None:
        """Refuse what no sensor does."""
        refuse_outside(self, {"blur_px": (0, 20), "vignette": (0, 1), "noise": (0, 100)})
        if not np.hypot(*self.motion_px) <= 100:
            raise SceneError(f"motion_px is {self.motion_px!r}, allowed are 100 px in all")
        if self.jpeg_quality is not None and not 1 <= self.jpeg_quality <= 100:
            raise SceneError(f"jpeg_quality is {self.jpeg_quality!r}, allowed are 1 to 100")


class SensorRecorder:
    """Records pictures as one sensor does; its noise is made once.

    Examples
    --------
    >>> recorder = SensorRecorder(Sensor(noise=0, blur_px=0))
    >>> recorder.record(np.full((2, 2, 3), 7, np.uint8), moment=0)[0, 0]
    array([7, 7, 7], dtype=uint8)
    """

    def __init__(self, sensor: Sensor) -> None:
        self.sensor = sensor
        side = NOISE_TILE_PX + NOISE_SHIFT_PX
        rng = np.random.default_rng([sensor.seed, 2])
        noise = rng.standard_normal((side, side, 3), np.float32) * np.float32(sensor.noise)
        levels = np.rint(noise).clip(-255, 255).astype(np.int16)
        self._brighter = levels.clip(0, 255).astype(np.uint8)
        self._darker = (-levels).clip(0, 255).astype(np.uint8)
        self._motion = _motion_kernel(*sensor.motion_px)

    def record(self, picture: Picture, moment: int) -> Picture:
        """Return the picture as the sensor gives it; the moment seeds the noise."""
        if self.sensor.blur_px > 0:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), self.sensor.blur_px), np.uint8)
        if self._motion.size > 1:
            picture = np.asarray(cv2.filter2D(picture, -1, self._motion), np.uint8)
        if self.sensor.noise > 0:
            picture = self._noisy(picture, moment)
        if self.sensor.jpeg_quality is not None:
            quality = [cv2.IMWRITE_JPEG_QUALITY, self.sensor.jpeg_quality]
            _, coded = cv2.imencode(".jpg", picture, quality)
            picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
        return picture

    def _noisy(self, picture: Picture, moment: int) -> Picture:
        """Lay the noise on block by block, each from a place of its own in what is kept."""
        rng = np.random.default_rng([self.sensor.seed, 3, moment])
        noisy = np.empty_like(picture)
        height, width = picture.shape[:2]
        for top in range(0, height, NOISE_TILE_PX):
            for left in range(0, width, NOISE_TILE_PX):
                block = np.s_[top : top + NOISE_TILE_PX, left : left + NOISE_TILE_PX]
                rows, columns = picture[block].shape[:2]
                y, x = rng.integers(0, NOISE_SHIFT_PX, 2)
                part = np.s_[y : y + rows, x : x + columns]
                up, down = self._brighter[part], self._darker[part]
                if rng.random() < 0.5:
                    up, down = down, up
                noisy[block] = cv2.subtract(cv2.add(picture[block], up), down)
        return noisy


def _motion_kernel(right_px: float, down_px: float) -> Float32s:
    """Return the weights of a straight smear, of sum 1."""
    reach = int(np.ceil(max(abs(right_px), abs(down_px)) / 2))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    half = np.array([right_px, down_px]) / 2
    ends = np.rint((reach + np.array([-half, half])) * 16).astype(np.int32)
    cv2.line(kernel, tuple(ends[0].tolist()), tuple(ends[1].tolist()), 1.0, 1, cv2.LINE_8, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)
