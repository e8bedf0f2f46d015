"""The page for photos: what it holds after some is what it needs, not what each of them took."""

from __future__ import annotations

import sys

import drawn
import pytest
from railspotter.calibration.arrays import Picture
from railspotter.simulation.virtual_board.camera import CameraSetup
from railspotter.table.photo_file import to_jpeg

from serve_memory import serving

MOST_MB = 300.0
SIZES_WH = ((1000, 750), (1600, 1200))


def photo(size_wh: tuple[int, int]) -> Picture:
    return drawn.photographed(drawn.CLAIMS, CameraSetup(size_wh, tilt_deg=12, heading_deg=10))


# That memory is given back is tested in test_memory, the reader beside it in test_photo_reader.
@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is read from /proc")
def test_the_page_for_photos_gives_memory_back() -> None:
    photos = [to_jpeg(photo(size_wh)) for size_wh in SIZES_WH]
    with serving("usa", drawn.profile()) as page:
        for number in range(8):
            assert page.read(photos[number % len(photos)]) == "found"
        assert page.memory_mb() < MOST_MB
        assert page.beside_mb() > page.memory_mb(), "photos are read beside it"
