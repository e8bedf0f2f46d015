"""Applies the light of a scene and the camera's sensor noise to a picture."""

from dataclasses import dataclass

import cv2
import numpy as np

from ..arrays import AnyFloats, Float32s, Float64s, Picture
from .camera import Projection

NOISE_TILE_PX = 512  # side of the blocks in which noise is added
NOISE_SHIFT_PX = 128  # range of a block's random offset into the stored noise
COARSE_PX = 8  # step of the grid on which the light is computed, as it changes slowly
# A wider reflection's strength and size, relative to the lamp's. Chosen.
SHEEN, SHEEN_SIZE = 0.3, 3.5


@dataclass(frozen=True)
class Sensor:
    """The settings of the camera's sensor."""

    blur_px: float = 0.5  # standard deviation of the blur
    vignette: float = 0.2  # how much darker the corners of the picture are, 0 to 1
    noise: float = 2.5  # standard deviation of the noise in grey levels
    jpeg_quality: int | None = None  # 1 to 100; None for no compression
    seed: int = 0  # of the noise


class SensorRecorder:
    """Adds a sensor's blur, noise and compression to pictures.

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

    def record(self, picture: Picture, moment: int) -> Picture:
        """Return the sensor's picture; `moment` seeds the noise."""
        if self.sensor.blur_px > 0:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), self.sensor.blur_px), np.uint8)
        if self.sensor.noise > 0:
            picture = self._add_noise(picture, moment)
        if self.sensor.jpeg_quality is not None:
            quality = [cv2.IMWRITE_JPEG_QUALITY, self.sensor.jpeg_quality]
            _, coded = cv2.imencode(".jpg", picture, quality)
            picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
        return picture

    def _add_noise(self, picture: Picture, moment: int) -> Picture:
        """Add noise block by block, each from a random part of the stored noise."""
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


@dataclass(frozen=True)
class Light:
    """The light of a scene.

    >>> Light(height_deg=90).to_lamp.round(3).tolist()
    [-0.0, -0.0, 1.0]
    """

    strength: float = 1.0  # brightness, 0 to 3; 1 is a well-lit table
    # gain of each channel, 0 to 3: (0.5, 0.8, 1) is a warm lamp without white balance
    gain_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    # the lamp's direction: clockwise from the board's +x, and up from the table
    from_deg: float = 215.0
    height_deg: float = 55.0
    ambient: float = 0.45  # share of the light without direction, which shadows keep
    # Half the lamp's size over its distance: 0.005 is the sun, 0.03 a lamp, 0.3 a bright ceiling.
    # A shadow's edge is twice this times the height of the body that casts it.
    softness: float = 0.06
    falloff: float = 0.2  # how much darker the board's side away from the lamp is, 0 to 1
    glare: float = 0.0  # strength of the lamp's reflection on varnish, 0 none to 1 white
    glare_size: float = 6.0  # standard deviation of the reflection in degrees, seen from the board

    @property
    def to_lamp(self) -> Float64s:
        """The direction (x, y, z) from the board to the lamp, of length 1."""
        around, up = np.deg2rad([self.from_deg, self.height_deg])
        return np.array([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)])


class LightMap:
    """A lamp's falloff, vignette and glare at each pixel, for any strength and colour of it."""

    def __init__(self, projection: Projection, light: Light, sensor: Sensor) -> None:
        width, height = projection.size_wh
        x, y = np.meshgrid(_grid(width), _grid(height))
        at_px = np.column_stack([x.ravel(), y.ravel()])
        self._gain = _upsample(
            _falloff(projection, light, at_px)
            * _vignette(projection.size_wh, sensor.vignette, at_px),
            x.shape,
            projection.size_wh,
            cv2.COLOR_GRAY2BGR,
        )
        self._glare = None
        if light.glare > 0:
            shine = light.glare * _lamp_reflection(projection, light, at_px)
            self._glare = _upsample(shine, x.shape, projection.size_wh)

    def apply(self, picture: Picture, varnish: Picture, light: Light) -> Picture:
        """Return the unlit picture in a light; `varnish` is each pixel's reflection, (H, W)."""
        levels = np.arange(256)[:, None] * (light.strength * np.array(light.gain_bgr))
        curve = np.rint(np.clip(levels, 0, 255)).astype(np.uint8)[:, None, :]
        lit = cv2.multiply(picture, self._gain, scale=1 / 255)
        lit = cv2.LUT(lit, curve)
        if self._glare is not None:
            shine = cv2.multiply(self._glare, varnish, scale=1 / 255)
            tint = np.rint(np.arange(256)[:, None] * np.clip(light.gain_bgr, 0, 1))
            glare = cv2.LUT(cv2.cvtColor(shine, cv2.COLOR_GRAY2BGR), tint.astype(np.uint8)[:, None])
            lit = cv2.add(lit, glare)
        return np.asarray(lit, np.uint8)


def _grid(side: int) -> Float32s:
    """Return the coordinates of a coarse grid along a side, one beyond its end."""
    return np.arange(0, side + COARSE_PX, COARSE_PX, dtype=np.float32)


def _upsample(
    values: AnyFloats,
    shape: tuple[int, ...],
    size_wh: tuple[int, int],
    code: int | None = None,
) -> Picture:
    """Interpolate values on the coarse grid, 0 to 1, to all pixels, as 0 to 255."""
    coarse = np.clip(values.reshape(shape) * 255, 0, 255).astype(np.float32)
    every = 1 / COARSE_PX
    at = np.array([[every, 0, 0], [0, every, 0]])
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    fine = np.rint(cv2.warpAffine(coarse, at, size_wh, flags=way, borderMode=cv2.BORDER_REPLICATE))
    fine = fine.astype(np.uint8)
    return fine if code is None else np.asarray(cv2.cvtColor(fine, code), np.uint8)


def _falloff(projection: Projection, light: Light, at_px: AnyFloats) -> Float32s:
    """Return the lamp's relative brightness at each pixel."""
    width, height = projection.size_wh
    ahead = projection.frame_from_scene[:2, :2] @ light.to_lamp[:2]
    ahead = ahead / (np.linalg.norm(ahead) + 1e-9)
    off = (at_px - np.array([width, height]) / 2) / (width / 2)
    return np.asarray(1 - light.falloff * (0.5 - 0.5 * off @ ahead), np.float32)


def _vignette(size_wh: tuple[int, int], vignette: float, at_px: AnyFloats) -> Float32s:
    half = np.array(size_wh) / 2
    off2 = (((at_px - half) / np.linalg.norm(half)) ** 2).sum(axis=1)
    return np.asarray(1 - vignette * off2, np.float32)


def _lamp_reflection(projection: Projection, light: Light, at_px: AnyFloats) -> Float32s:
    """Return the brightness of the lamp's reflection at each pixel, 0 to 1."""
    at_mm = np.nan_to_num(projection.board_points(at_px), nan=1e5)
    ray = np.column_stack([at_mm, np.zeros(len(at_mm))]) - projection.eye
    ray *= (1.0, 1.0, -1.0)  # reflected by a level mirror
    cosine = ray @ light.to_lamp / np.linalg.norm(ray, axis=1)
    off = np.rad2deg(np.arccos(np.clip(cosine, -1, 1))) / light.glare_size
    image = np.exp(-(off**2) / 2) + SHEEN * np.exp(-((off / SHEEN_SIZE) ** 2) / 2)
    return np.asarray(np.minimum(image, 1), np.float32)
