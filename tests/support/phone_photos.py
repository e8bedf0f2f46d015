"""Pictures in the formats in which phones keep them by themselves."""

import io
from typing import Literal

import numpy as np
import pillow_heif
from PIL import Image
from railspotter.calibration.arrays import Picture


def png_of(picture: Picture) -> bytes:
    """Return a picture as a PNG file's content."""
    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture[..., ::-1])).save(file, "PNG")
    return file.getvalue()


def phone_photo(
    picture: Picture | Image.Image, kind: Literal["HEIC", "AVIF"], **how: object
) -> bytes:
    """Return a picture as a file's content."""
    if not isinstance(picture, Image.Image):
        picture = Image.fromarray(np.ascontiguousarray(picture[..., ::-1]))
    file = io.BytesIO()
    if kind == "AVIF":
        picture.save(file, "AVIF", speed=10, **how)
        return file.getvalue()
    pillow_heif.register_heif_opener()
    picture.save(file, "HEIF", enc_params={"preset": "ultrafast"}, **how)
    return file.getvalue()
