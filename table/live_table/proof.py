"""The part of a frame that proves a change, as a small JPEG."""

from __future__ import annotations

from railspotter.vision.sources import Frame

from ..photo_file import to_jpeg

MARGIN = 0.25
"""Of the spot's size, that is shown around it."""
LEAST_PX = 96
QUALITY = 80


def proof_of(frame: Frame, box_px: tuple[int, int, int, int]) -> bytes:
    """Return a picture of a spot and what is around it, the content of a JPEG file.

    Parameters
    ----------
    box_px : tuple of int
        Left, top, right and bottom of the spot; parts beyond the frame are left out.
    """
    height, width = frame.picture.shape[:2]
    left, top, right, bottom = box_px
    across = max(MARGIN * (right - left), (LEAST_PX - (right - left)) / 2)
    down = max(MARGIN * (bottom - top), (LEAST_PX - (bottom - top)) / 2)
    rows = slice(max(int(top - down), 0), min(int(bottom + down), height))
    columns = slice(max(int(left - across), 0), min(int(right + across), width))
    part = frame.picture[rows, columns]
    return to_jpeg(part, QUALITY) if part.size else b""
