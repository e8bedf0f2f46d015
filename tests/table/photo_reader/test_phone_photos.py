"""HEIC and AVIF photos: unpacked where photos are read, never beside a game."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from phone_photos import phone_photo
from railspotter.table.errors import PhotoError
from railspotter.table.photo_file import PLAIN_PX, load_photo, parse_photo, plain_photo
from railspotter.table.photo_reader.reader import PhotoReader
from railspotter.vision.heif import heif_kind


def test_a_phones_photo_is_unpacked_there_and_comes_back_as_a_jpeg(pictures: Path) -> None:
    heic = phone_photo(load_photo(pictures / "game.jpg"), "HEIC")
    with PhotoReader() as reader:
        jpeg = reader.plain_photo(heic)
        with pytest.raises(PhotoError, match="damaged or cut short"):
            reader.plain_photo(heic[: len(heic) // 2])
    assert heif_kind(jpeg) is None
    difference = parse_photo(jpeg).astype(int) - parse_photo(heic)
    assert np.abs(difference).mean() < 3


def test_a_plain_photo_needs_no_process() -> None:
    with PhotoReader() as reader:
        assert reader.plain_photo(b"\xff\xd8 a JPEG") == b"\xff\xd8 a JPEG"
        assert reader.process_id is None


def test_a_large_photo_is_brought_down() -> None:
    large = np.full((1800, PLAIN_PX + 400, 3), 90, np.uint8)
    assert parse_photo(plain_photo(phone_photo(large, "AVIF"))).shape == (1636, PLAIN_PX, 3)
